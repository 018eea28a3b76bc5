/**
 * Binds a handler to a route of the contract. Nothing unparsed passes this file in either direction, and no
 * caller reaches a handler unless the route names their standing.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemCode } from '@nazar/contract/problem.ts';
import { atEachPath, type KeyScope, type Route } from '@nazar/contract/route.ts';
import type { output, ZodMiniType } from 'zod/mini';
import { Problem } from '#lib/problem.ts';
import { readBody, type Upload } from './body.ts';
import { compressed, encodingFor, mayCompress } from './compression.ts';
import type { RequestLimits } from './request-limits.ts';
import type { LongAnswers } from './long-answers.ts';
import { InvalidRequest } from './replies.ts';
import type { Scope } from './scope.ts';
import type { SharedAnswers } from './shared-answers.ts';
import { unknownFieldsOf, type UnknownFields } from '@nazar/contract/unknown-fields.ts';

/** Identifies the caller, or throws `not_signed_in`. `server.ts` provides it and knows accounts and cameras. */
export type Identify = (request: FastifyRequest) => Promise<Scope>;

/** Whether the installation still waits for its first administrator. */
export type AwaitsSetup = () => Promise<boolean>;

export interface Api {
  readonly app: FastifyInstance;
  readonly identify: Identify;
  /** Identifies the caller by a ticket in the address; absent: no route takes tickets. Throws `not_signed_in`. */
  readonly identifyTicket?: (
    request: FastifyRequest,
    ticket: string,
    cameraId: string,
  ) => Promise<Scope>;
  readonly awaitsSetup: AwaitsSetup;
  /** Called when a signed-in caller was refused. */
  readonly denied?: (scope: Scope, code: ProblemCode) => void;
  /** How many requests are allowed per minute; absent: there is no limit. */
  readonly limits?: RequestLimits | null;
  /** Ends an answer that is still being sent when the right to it ends; absent: it is sent to its end. */
  readonly answers?: LongAnswers;
  /** Answers equal requests once; absent: each separately. */
  readonly shared?: SharedAnswers;
  /** Every route served so far, for the tests that walk them and for OpenAPI. */
  readonly served: Route[];
}

/** What the schema of one part of a route makes of it; a part without a schema is not available. */
type Parsed<D, Part extends string> =
  D extends Record<Part, infer S> ? (S extends ZodMiniType ? output<S> : undefined) : undefined;

export interface Request<D extends Route> {
  readonly params: Parsed<D, 'params'>;
  readonly query: Parsed<D, 'query'>;
  readonly body: Parsed<D, 'body'>;
  readonly files: readonly Upload[];
  /** Null only on routes that anyone may call. */
  readonly scope: D['callers'] extends string ? null : Scope;
  readonly raw: FastifyRequest;
  readonly reply: FastifyReply;
}

type Answer<D> = D extends { readonly reply: infer R extends ZodMiniType }
  ? output<R>
  : Buffer | Readable | void;

export function serve<const D extends Route>(
  api: Api,
  route: D,
  handle: (request: Request<D>) => Answer<D> | Promise<Answer<D>>,
): void {
  const each = atEachPath(route);
  api.served.push(...each);
  /** Made by the first request, when all routes are served. */
  let unknownIn: UnknownFields | null = null;
  const handler = async (raw: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const scope = await admit(api, route, raw);
    // From here on, failures are logged with this user's id, also in the system log.
    if (scope) raw.log = raw.log.child({ userId: scope.userId });
    const params = parse(route.params, raw.params);
    const query = parse(route.query, raw.query);
    const read = route.body
      ? await readBody(raw, route.consumes ?? ['json'])
      : { fields: undefined, files: [] };
    unknownIn ??= unknownFieldsOf(route, api.served);
    const body = parse(route.body, read.fields, unknownIn);
    // The generics say what these are; the schemas above have just ensured it.
    const request = { params, query, body, files: read.files, scope, raw, reply } as Request<D>;
    const answer = await reported(api, route, scope, async () => handle(request));
    if (reply.sent) return reply;
    // Live video has checks of its own.
    if (scope && answer instanceof Readable && !isLiveVideo(route)) {
      api.answers?.watch(reply, scope, (now) => mustBeOpen(route, now));
    }
    return send(route, reply, answer);
  };
  for (const { method, path } of each) api.app.route({ method, url: path, handler });
}

/** Shares an answer that a caller with the same rights gets. `asked`: all else that `work` depends on. */
export function once<R>(
  api: Api,
  { path }: Route,
  { scope, asked }: { readonly scope: Scope; readonly asked: object },
  work: () => Promise<R>,
): Promise<R> {
  return api.shared ? api.shared.once(scope, { path, asked }, work) : work();
}

/** Reports a refusal before it is answered, whatever throws it. After a change, readers get fresh answers. */
async function reported<R>(
  api: Api,
  { method }: Route,
  scope: Scope | null,
  work: () => Promise<R>,
): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (scope && error instanceof Problem) api.denied?.(scope, error.code);
    throw error;
  } finally {
    if (method !== 'GET') api.shared?.forget();
  }
}

/** Null if the route requires no identification. */
async function admit(api: Api, route: Route, request: FastifyRequest): Promise<Scope | null> {
  if (route.callers === 'anyone') return null;
  const awaitsSetup = await api.awaitsSetup();
  if (route.callers === 'setup') {
    if (!awaitsSetup) throw new Problem('setup_done');
    return null;
  }
  if (awaitsSetup) throw new Problem('setup_required');
  const scope = await identify(api, route, request);
  const isUpload = route.consumes?.includes('multipart') === true;
  api.limits?.ofAccount(scope.userId, request.ip, isUpload);
  try {
    mustBeOpen(route, scope);
  } catch (error) {
    api.denied?.(scope, 'forbidden');
    throw error;
  }
  if (scope.mustEnrol && !route.whileEnrolling) {
    throw new Problem('two_factor_required_by_policy');
  }
  // An administrator who sees as another user changes nothing and opens nothing personal.
  if (scope.seenBy !== null && !route.shownAs) throw new Problem('seeing_as');
  return scope;
}

/** Throws forbidden unless the route table admits this caller. */
function mustBeOpen(route: Route, { standing, keyScopes }: Scope): void {
  const isClosedToKey = keyScopes !== undefined && !opens(keyScopes, route);
  if (!route.callers.includes(standing) || isClosedToKey) throw new Problem('forbidden');
}

/** A bearer token identifies the caller; tickets are for callers that cannot send one. */
function identify(api: Api, { ticketFor }: Route, request: FastifyRequest): Promise<Scope> {
  const query = request.query as Record<string, unknown>;
  const { token } = query;
  const cameraId = ticketFor && { ...query, ...(request.params as object) }[ticketFor];
  const isBare =
    request.headers.authorization === undefined && request.headers['x-api-key'] === undefined;
  if (typeof token !== 'string' || typeof cameraId !== 'string' || !isBare)
    return api.identify(request);
  return api.identifyTicket?.(request, token, cameraId) ?? api.identify(request);
}

/** A key opens the routes that its scopes name, and never a route without a scope. */
function opens(held: ReadonlySet<KeyScope>, { keyScope }: Route): boolean {
  return keyScope !== undefined && held.has(keyScope);
}

function parse(
  schema: ZodMiniType | undefined,
  value: unknown,
  unknownIn: UnknownFields = () => [],
): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value, { reportInput: true });
  const unknown = unknownIn(value);
  if (result.success && unknown.length === 0) return result.data;
  const issues = result.error?.issues ?? [];
  // For fields that are named here, a strict schema reports only that there are some.
  const others = unknown.length === 0 ? issues : issues.filter(isOfField);
  throw new InvalidRequest([...unknown, ...others]);
}

const isOfField = ({ code }: { readonly code?: string }): boolean => code !== 'unrecognized_keys';

/** The first bytes of an image that is stored as one of two types tell which. */
function mediaTypeOf(produces: NonNullable<Route['produces']>, answer: unknown): string {
  if (produces !== 'image/*') return produces;
  const isWebp = Buffer.isBuffer(answer) && answer.toString('latin1', 0, 4) === 'RIFF';
  return isWebp ? 'image/webp' : 'image/jpeg';
}

const isLiveVideo = ({ produces }: Route): boolean => produces?.startsWith('multipart/') === true;
const isEndless = (route: Route): boolean =>
  isLiveVideo(route) || route.produces === 'text/event-stream';

function send(route: Route, reply: FastifyReply, answer: unknown): unknown {
  // A handler may have answered with the requested part alone (206).
  if (reply.statusCode === 200) void reply.code(route.status ?? 200);
  // A HEAD request reads no body, and live pictures and events would never end.
  if (reply.request.method === 'HEAD' && isEndless(route) && answer instanceof Readable) {
    answer.destroy();
    return reply.type(route.produces ?? '').send();
  }
  if (route.produces) return reply.type(mediaTypeOf(route.produces, answer)).send(answer);
  if (!route.reply) return reply.code(route.status ?? 204).send();
  // An answer that does not fit its schema is a bug, and is not sent.
  const body = route.reply.parse(answer);
  const isPacked = mayCompress(route);
  return route.conditional || isPacked ? sendText(route, reply, body, isPacked) : reply.send(body);
}

/** As text: lists that pages read every 2 s are sent only when they changed, and long ones compressed. */
async function sendText(
  { conditional }: Route,
  reply: FastifyReply,
  body: unknown,
  isPacked: boolean,
): Promise<unknown> {
  const text = Buffer.from(JSON.stringify(body));
  const { headers } = reply.request;
  const encoding = isPacked ? encodingFor(headers['accept-encoding']) : null;
  // Set for uncompressed answers too: a cache must not give one form to a client that accepts only the other.
  if (isPacked) void reply.header('vary', 'accept-encoding');
  if (conditional) {
    // Each form of an answer has a tag of its own (RFC 9110, 8.8.3.3).
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    const tag = encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`;
    void reply.header('etag', tag);
    if (headers['if-none-match'] === tag) return reply.code(304).send();
  }
  void reply.type('application/json; charset=utf-8');
  const packed = encoding === null ? null : await compressed(text, encoding);
  if (encoding === null || packed === null) return reply.send(text);
  return reply.header('content-encoding', encoding).send(packed);
}
