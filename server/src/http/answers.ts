/**
 * The answers that a route can give: those that follow from its definition as guards.ts, serve.ts, body.ts and
 * replies.ts handle it, and those it declares itself. The OpenAPI description prints this, and the tests
 * compare every answer with it.
 */
import { fileRefusals, problems, type ProblemCode } from '@nazar/contract/problem.ts';
import type { Route } from '@nazar/contract/route.ts';

export interface RouteAnswers {
  /** Statuses of success, the usual one first. */
  readonly successes: readonly number[];
  /** Answered as `{ detail, code }`. */
  readonly problems: ReadonlySet<ProblemCode>;
  /** Answered as `{ field: [sentence] }`. */
  readonly fieldProblems: ReadonlySet<ProblemCode>;
  /** A part of the request has a schema that it may not fit: 400, as `{ field: [sentences] }`. */
  readonly refusesFields: boolean;
}

export function answersOf(route: Route): RouteAnswers {
  return {
    successes: successesOf(route),
    problems: new Set([...impliedProblems(route), ...(route.problems ?? [])]),
    fieldProblems: new Set(route.fieldProblems),
    refusesFields: Boolean(route.params ?? route.query ?? route.body),
  };
}

export const statusesOf = (codes: Iterable<ProblemCode>): Set<number> =>
  new Set([...codes].map((code) => problems[code]));

export const isChange = ({ method }: Route): boolean => method !== 'GET';

function successesOf({ status, reply, produces, ranges, conditional }: Route): number[] {
  const usual = status ?? (reply || produces ? 200 : 204);
  return [usual, ...(ranges ? [206] : []), ...(conditional ? [304] : [])];
}

/** Answers that any request may get: about the server's limits, its own bugs, its database and its disk. */
const everywhere = [
  'bad_request',
  'headers_too_large',
  'request_timeout',
  'url_too_long',
  'foreign_host',
  'too_many_requests',
  'internal',
  'unavailable',
  'request_replaced',
  'disk_full',
] as const satisfies ProblemCode[];

/** A body is read, and may be refused, even if the route takes none. */
const ofChanges = [
  'foreign_origin',
  'invalid_body',
  'body_too_large',
  'unsupported_media_type',
] as const satisfies ProblemCode[];

/** Files of forms are photos, each of which passes the image host. */
const ofPhotos = ['images_too_many', ...fileRefusals, 'busy'] as const satisfies ProblemCode[];

function impliedProblems(route: Route): ProblemCode[] {
  return [
    ...everywhere,
    ...(isChange(route) ? ofChanges : []),
    ...(route.consumes?.includes('multipart') ? ofPhotos : []),
    ...(route.params ? (['not_found'] as const) : []), // an id that is endless, or cannot be decoded
    ...(route.ranges ? (['range_invalid'] as const) : []),
    ...problemsOfCallers(route),
  ];
}

function problemsOfCallers({ callers, whileEnrolling, shownAs }: Route): ProblemCode[] {
  if (callers === 'anyone') return [];
  if (callers === 'setup') return ['setup_done'];
  return [
    'setup_required',
    'not_signed_in',
    'forbidden', // also everyone's routes: an API key opens those of its scopes
    'see_as_forbidden',
    'see_as_ended',
    ...(whileEnrolling ? [] : (['two_factor_required_by_policy'] as const)),
    ...(shownAs ? [] : (['seeing_as'] as const)),
  ];
}
