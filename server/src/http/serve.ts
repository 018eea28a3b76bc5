/**
 * Binds a handler to a route of the contract. Nothing unparsed gets past this file in either direction,
 * and nobody gets to a handler whose standing the route does not name (C-301).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '@nazar/contract/route.ts';
import type { output, ZodMiniType } from 'zod/mini';
import { Problem } from '#lib/problem.ts';
import { readBody, type Upload } from './body.ts';
import { InvalidRequest } from './replies.ts';
import type { Scope } from './scope.ts';

/** Finds out who asks, or throws `not_signed_in`. Given by main.ts, which knows accounts and cameras. */
export type Identify = (request: FastifyRequest) => Promise<Scope>;

/** Whether the installation still waits for its first administrator. */
export type AwaitsSetup = () => Promise<boolean>;

export interface Doors {
  readonly app: FastifyInstance;
  readonly identify: Identify;
  readonly awaitsSetup: AwaitsSetup;
  /** Every route served so far, for the tests that walk them and for OpenAPI. */
  readonly served: Route[];
}

/** What the schema of one part of a route makes of it; a part without a schema is not to be had. */
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
  : Buffer | void;

export function serve<const D extends Route>(
  doors: Doors,
  route: D,
  handle: (request: Request<D>) => Answer<D> | Promise<Answer<D>>,
): void {
  doors.served.push(route);
  doors.app.route({
    method: route.method,
    url: route.path,
    handler: async (raw, reply) => {
      const scope = await admit(doors, route, raw);
      const params = parse(route.params, raw.params);
      const query = parse(route.query, raw.query);
      const read = route.body
        ? await readBody(raw, route.consumes ?? ['json'])
        : { fields: undefined, files: [] };
      const body = parse(route.body, read.fields);
      // The generics say what these are; the schemas above have just made it so.
      const request = { params, query, body, files: read.files, scope, raw, reply } as Request<D>;
      const answer = await handle(request);
      if (reply.sent) return reply;
      return send(route, reply, answer);
    },
  });
}

/** Null for callers nobody asked to identify themselves. */
async function admit(doors: Doors, route: Route, request: FastifyRequest): Promise<Scope | null> {
  if (route.callers === 'anyone') return null;
  const awaitsSetup = await doors.awaitsSetup();
  if (route.callers === 'setup') {
    if (!awaitsSetup) throw new Problem('setup_done');
    return null;
  }
  if (awaitsSetup) throw new Problem('setup_required');
  const scope = await doors.identify(request);
  if (!route.callers.includes(scope.standing)) throw new Problem('forbidden');
  return scope;
}

function parse(schema: ZodMiniType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value, { reportInput: true });
  if (!result.success) throw new InvalidRequest(result.error.issues);
  return result.data;
}

function send(route: Route, reply: FastifyReply, answer: unknown): unknown {
  void reply.code(route.status ?? 200);
  if (route.produces) return reply.type(route.produces).send(answer);
  if (!route.reply) return reply.code(route.status ?? 204).send();
  // An answer that does not fit its schema is a bug of ours, never something to let out.
  return reply.send(route.reply.parse(answer));
}
