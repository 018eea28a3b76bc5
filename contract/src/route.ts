/**
 * What one endpoint is, as both sides see it: how to call it, who may, and what comes back. The route
 * table is the only place that says who may call what; a route without roles does not type-check.
 */
import type { ZodMiniType } from 'zod/mini';
import type { ProblemCode } from './problem.ts';

type Schema = ZodMiniType;

/**
 * Where a signed-in caller stands. `staff` is an account with `is_staff` whose role is neither admin
 * nor superadmin: it sees everything and changes no camera.
 */
export const standings = ['user', 'operator', 'staff', 'admin', 'superadmin'] as const;
export type Standing = (typeof standings)[number];

/** `anyone`: no session asked. `setup`: only with the one-time set-up code, and only until it is used. */
export type Callers = readonly Standing[] | 'anyone' | 'setup';

export const everyone: readonly Standing[] = standings;
/** Role admin, or is_staff, or is_superuser. */
export const administrators: readonly Standing[] = ['staff', 'admin', 'superadmin'];
/** Who may add, change, record with and delete cameras. */
export const cameraAdministrators: readonly Standing[] = ['admin', 'superadmin'];
/** Who may identify an unknown person; a plain user only sees the list (section 6 of the security plan). */
export const unknownReviewers: readonly Standing[] = ['operator', ...administrators];
/** Who may start and stop face detection. */
export const detectionOperators: readonly Standing[] = ['operator', 'admin', 'superadmin'];

/**
 * What an API key may be good for. A route names the one that opens it; a route that names none is out of
 * every key's reach, so that keys never touch keys, accounts, settings or the activity log.
 */
export const keyScopes = [
  'cameras:read',
  'cameras:write',
  'live',
  'faces:read',
  'faces:write',
  'logs:read',
  'analytics:read',
  'alerts:read',
  'alerts:write',
  'notifications:read',
] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Media types a body may come in; the exact type is checked before anything is parsed. */
export type BodyKind = 'json' | 'form' | 'multipart';

export interface Route<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends Schema = Schema,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  /** Further paths that are answered the same: clients of the documents ask them as well. */
  readonly alsoAt?: readonly `/${string}`[];
  /** One line for the API reference. */
  readonly summary: string;
  readonly callers: Callers;
  /** Which scope an API key needs here, beside the rights of its owner. Absent: keys do not get here. */
  readonly keyScope?: KeyScope;
  /**
   * An administrator who views the product as another user may request this, and is answered as that user is. Only
   * for reading cameras, people and counts: a user's own account is shown to no other user.
   */
  readonly shownAs?: true;
  /**
   * Also opened by a ticket for this camera in `?token=`, because a page can send nothing else with a picture: the
   * parameter of the query or the path that names it.
   */
  readonly ticketFor?: 'camera_id' | 'id';
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Default: `['json']` when there is a body. */
  readonly consumes?: readonly BodyKind[];
  /** Absent: the answer has no body (204), or is media named by `produces`. */
  readonly reply?: R;
  /** Open to an account that has to set up a second factor before anything else opens. */
  readonly whileEnrolling?: true;
  /** The answer has an ETag; a client that sends it back (`If-None-Match`) receives 304 if nothing changed. */
  readonly conditional?: true;
  /** The answer is a file, of which a range of bytes may be asked for (206, 416). */
  readonly ranges?: true;
  /**
   * What this route refuses beside what follows from the rest of this definition (`server/src/http/answers.ts`):
   * answered as `{ detail, code }`. Tests fail on an answer that stands nowhere.
   */
  readonly problems?: readonly ProblemCode[];
  /** The same, answered as `{ field: [sentence] }`, because one field of the body is to blame. */
  readonly fieldProblems?: readonly ProblemCode[];
  readonly status?: 200 | 201 | 202 | 204 | 303;
  /** Media type of an answer that is not JSON. */
  readonly produces?:
    | 'image/jpeg'
    /** JPEG or WebP, as its bytes say. */
    | 'image/*'
    | 'multipart/x-mixed-replace; boundary=frame'
    | 'video/mp4'
    | 'application/vnd.apple.mpegurl'
    | 'application/x-tar'
    | 'text/event-stream'
    | 'websocket'
    | 'application/json'
    | 'text/csv'
    | 'text/plain; charset=utf-8'
    | 'text/html; charset=utf-8';
}

/** Checks the shape and keeps the exact type: which parts there are, and whether anyone may call. */
export function route<const D extends Route>(definition: D): D {
  return definition;
}

/** The route as it is at each of its paths, the first of them first. */
export function atEachPath(route: Route): Route[] {
  const { alsoAt = [], ...rest } = route;
  return [route, ...alsoAt.map((path) => ({ ...rest, path }))];
}
