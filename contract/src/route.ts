/**
 * What one endpoint is, as both sides see it: how to call it, who may, and what comes back. The route
 * table is the only place that says who may call what; a route without roles does not type-check.
 */
import type { ZodMiniType } from 'zod/mini';

type Schema = ZodMiniType;

/**
 * Where a signed-in caller stands. `staff` is an account with `is_staff` whose role is neither admin
 * nor superadmin: it sees everything and changes no camera (CFL-003).
 */
export const standings = ['user', 'operator', 'staff', 'admin', 'superadmin'] as const;
export type Standing = (typeof standings)[number];

/** `anyone`: no session asked. `setup`: only with the one-time set-up code, and only until it is used. */
export type Callers = readonly Standing[] | 'anyone' | 'setup';

export const everyone: readonly Standing[] = standings;
/** ROL-002: role admin, or is_staff, or is_superuser. */
export const administrators: readonly Standing[] = ['staff', 'admin', 'superadmin'];
/** ROL-008: who may add, change, record with and delete cameras. */
export const cameraAdministrators: readonly Standing[] = ['admin', 'superadmin'];
/** ROL-009: who may start and stop face detection. */
export const detectionOperators: readonly Standing[] = ['operator', 'admin', 'superadmin'];

/** Media types a body may come in; the exact type is checked before anything is parsed (C-708). */
export type BodyKind = 'json' | 'form' | 'multipart';

export interface Route<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends Schema = Schema,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  /** One line for the API reference. */
  readonly summary: string;
  readonly callers: Callers;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Default: `['json']` when there is a body. */
  readonly consumes?: readonly BodyKind[];
  /** Absent: the answer has no body (204), or is media named by `produces`. */
  readonly reply?: R;
  readonly status?: 200 | 201 | 202 | 204;
  /** Media type of an answer that is not JSON. */
  readonly produces?: 'image/jpeg' | 'websocket' | 'application/json';
}

/** Checks the shape and keeps the exact type: which parts there are, and whether anyone may call. */
export function route<const D extends Route>(definition: D): D {
  return definition;
}
