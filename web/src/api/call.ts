/**
 * The client of the contract's route table: typed from the schemas, signed with the bearer token, in the
 * reader's language, refreshed once on 401. Answers are not parsed again: the server parsed them by the
 * same schema before it sent them.
 */
import type { Route } from '@nazar/contract/route.ts';
import { seeAsHeader } from '@nazar/contract/see-as.ts';
import type { z } from 'zod/mini';
import { currentLanguage } from '#lib/i18n.ts';
import { serverAnswered, reachable } from './connection.ts';
import { keepAnswer, keptAnswer } from './kept-answers.ts';
import { isUserPresent } from './presence.ts';
import { noAnswer, readProblem } from './problem.ts';
import { eyesFor } from './see-as.ts';
import { accessToken, renewTokens, tokenToSend } from './tokens.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- only `any` matches every schema in a constraint
export type AnyRoute = Route<any, any, any, any>;

/** Query strings carry text: figures and flags are written out here. */
type Loose<T> = {
  [K in keyof T]?:
    | T[K]
    | (string extends T[K] ? number : never)
    | ('true' extends T[K] ? boolean : never)
    | undefined;
};
type Part<Name extends string, Schema, Value> =
  Schema extends z.ZodMiniType<unknown, infer Input>
    ? unknown extends Input
      ? { [K in Name]?: never }
      : object extends Value
        ? { [K in Name]?: Value }
        : { [K in Name]: Value }
    : never;
type BodyPart<B> =
  B extends z.ZodMiniType<unknown, infer Input>
    ? unknown extends Input
      ? { body?: never; form?: never }
      : { body: Input; form?: never } | { form: FormData; body?: never }
    : never;

/** What a call of a route carries. */
export type Carried<R extends AnyRoute> =
  R extends Route<infer P, infer Q, infer B, infer _Reply>
    ? Part<'params', P, z.input<P>> & Part<'query', Q, Loose<z.input<Q>>> & BodyPart<B>
    : never;

export type CallOptions<R extends AnyRoute> = Carried<R> & { signal?: AbortSignal | undefined };

export type Reply<R extends AnyRoute> =
  R extends Route<infer _P, infer _Q, infer _B, infer Answer> ? z.output<Answer> : never;

export interface Parts {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string | number | boolean | undefined>;
  readonly body?: unknown;
  readonly form?: FormData;
  readonly signal?: AbortSignal;
}

/** The path with its `:names` filled and the query appended; what is undefined or '' is left out. */
export function address(path: string, parts: Pick<Parts, 'params' | 'query'> = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(parts.params?.[name] ?? ''),
  );
  const given = Object.entries(parts.query ?? {}).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? filled : `${filled}?${query}`;
}

/** What to do when the session cannot be renewed; set by `session.ts`, which knows more than this file may. */
let sessionEnded: () => void = () => undefined;
/** What to do when nothing but the set-up of a second factor is open. */
let mustEnrol: () => void = () => undefined;
export function onMustEnrol(listener: () => void): void {
  mustEnrol = listener;
}
/** Answers how to listen as before. */
export function onSessionEnd(listener: () => void): () => void {
  const before = sessionEnded;
  sessionEnded = listener;
  return () => {
    sessionEnded = before;
  };
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    serverAnswered();
    reachable.set(true);
    return response;
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause;
    reachable.set(false);
    throw noAnswer(cause);
  }
}

/** What to do when seeing as another user has ended by itself; `session.ts` sets this, too. */
let seeingEnded: () => void = () => undefined;
export function onSeeingEnd(listener: () => void): void {
  seeingEnded = listener;
}

function signed(init: RequestInit, token: string | null, path: string | null): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('Accept-Language', currentLanguage());
  if (!isUserPresent()) headers.set('X-Poll', '1');
  if (token !== null) headers.set('Authorization', `Bearer ${token}`);
  const eyes = path === null ? null : eyesFor(path);
  if (eyes !== null) headers.set(seeAsHeader, eyes);
  return { ...init, headers };
}

/** A request of this product with the session's token: 401 renews the token and asks once more. */
export async function fetchSigned(
  url: string,
  init: RequestInit = {},
  path: string = url,
): Promise<Response> {
  const token = await tokenToSend();
  const response = await reach(url, signed(init, token, path));
  if (response.status !== 401) return response;
  if (!(await renewTokens(token))) {
    sessionEnded();
    return response;
  }
  const again = await reach(url, signed(init, accessToken(), path));
  return again;
}

/** A proxy that lost the server cuts the answer off, or puts a page of its own in its place. */
async function readReply(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw noAnswer(cause);
  }
}

export function requestOf(
  { method }: AnyRoute,
  parts: Parts,
  tag: string | undefined,
): RequestInit {
  const { body, form, signal } = parts;
  const headers = new Headers();
  const init: RequestInit = { method, headers };
  if (signal !== undefined) init.signal = signal;
  // With a tag of its own a request passes the browser's cache by, which would hide the 304 (Fetch, 4.6).
  if (tag !== undefined) headers.set('If-None-Match', tag);
  if (form !== undefined) init.body = form;
  else if (body !== undefined) {
    headers.set('Content-Type', 'application/json');
    init.body = JSON.stringify(body);
  }
  return init;
}

export async function call<const R extends AnyRoute>(
  route: R,
  options: CallOptions<R>,
): Promise<Reply<R>> {
  const parts = options as Parts;
  const { params, query, signal } = parts;
  const url = address(route.path, { ...(params && { params }), ...(query && { query }) });
  const known = route.conditional === true ? keptAnswer(url) : undefined;
  const init = requestOf(route, parts, known?.tag);
  // Login, refresh and set-up answer 401 about what was typed, not about the session.
  const open = route.callers === 'anyone' || route.callers === 'setup';
  const response = open
    ? await reach(url, signed(init, null, null))
    : await fetchSigned(url, init, route.path);
  if (response.status === 304 && known !== undefined) return known.reply as Reply<R>;
  if (!response.ok) {
    const problem = await readProblem(response);
    if (problem.code === 'see_as_ended') seeingEnded();
    if (problem.code === 'two_factor_required_by_policy') mustEnrol();
    throw problem;
  }
  if (route.reply === undefined) return undefined as Reply<R>;
  const reply = await readReply(response, signal);
  if (route.conditional === true) keepAnswer(url, response.headers.get('ETag'), reply);
  return reply as Reply<R>;
}
