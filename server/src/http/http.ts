/**
 * The HTTP edge: one Fastify with our guards, our error answers, our bounds. Knows routes, bodies, cookies
 * and sentences; knows no module. Modules bind their routes to it in their `routes.ts`.
 */
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import websocket from '@fastify/websocket';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { parse as parseForm } from 'node:querystring';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { uploadLimits } from './body.ts';
import type { Certificate } from './certificate.ts';
import { limitBodyTime } from './body-time.ts';
import { answerHeaders, endAfterUpgrade, guard, type Guards } from './guards.ts';
import { listenerFactory } from './listener.ts';
import type { RequestLimits } from './request-limits.ts';
import { answerBrokenRequest, webSocketBroke } from './refused-connections.ts';
import { replyWithFailure } from './replies.ts';

export interface HttpOptions extends Pick<Guards, 'hosts'> {
  readonly log: Log;
  /** TLS of our own; absent: plain HTTP. */
  readonly certificate?: Certificate | null;
  readonly clock: Clock;
  /** How many requests are allowed per minute; absent: there is no limit. */
  readonly limits?: RequestLimits | null;
  /** Addresses of proxies whose `X-Forwarded-*` headers are trusted; empty: none. */
  readonly trustProxy: readonly string[];
}

/**
 * A route without a WebSocket answers not_found to a request for one. The plugin would open a socket, close it and log
 * the whole address at info, with the ticket in it.
 */
function refuseOtherUpgrades(app: FastifyInstance): void {
  const sockets = new Set<string>();
  app.addHook('onRoute', ({ websocket: isSocket = false, url }) => {
    if (isSocket) sockets.add(url);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const isSocket = sockets.has(request.routeOptions.url ?? '');
    done(request.ws && !isSocket ? new Problem('not_found') : undefined);
  });
}

export async function createHttp({
  log,
  hosts,
  trustProxy,
  clock,
  certificate = null,
  limits = null,
}: HttpOptions): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = log.child({ module: 'http' });
  const listener = listenerFactory(certificate);
  const app = fastify({
    serverFactory: listener.create,
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    bodyLimit: 1024 * 1024,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    // Requests whose address cannot be decoded, or whose id is too long, pass no hook: Fastify's own answer would
    // repeat the address and lack the headers of all others.
    frameworkErrors: (_error, request, reply) => {
      void reply.headers(answerHeaders);
      endAfterUpgrade(request, reply);
      replyWithFailure(new Problem('not_found'), request, reply);
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket),
    // Closing must not wait for keep-alive connections of idle browsers.
    forceCloseConnections: true,
  });
  app.addHook('onClose', () => listener.subscription?.[Symbol.dispose]());
  guard(app, { hosts, insistOnTls: certificate?.isSelfSigned !== true, limits });
  limitBodyTime(app, clock);
  await app.register(cookie);
  await app.register(multipart, {
    limits: { fileSize: uploadLimits.fileBytes, files: uploadLimits.files, fields: 50, parts: 60 },
  });
  await app.register(websocket, {
    options: { maxPayload: 64 * 1024, perMessageDeflate: false },
    errorHandler: (error, socket) => webSocketBroke(error, socket, logger),
  });
  refuseOtherUpgrades(app);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => done(null, { ...parseForm(String(text)) }),
  );
  // The path as the route table has it: a request's own may contain search texts and tickets.
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const answered = { method, route: routeOptions.url ?? null, status: reply.statusCode };
    request.log.debug({ ...answered, ms: Math.round(reply.elapsedTime) }, 'answered');
    done();
  });
  app.setErrorHandler((error, request, reply) => replyWithFailure(error, request, reply));
  return app;
}
