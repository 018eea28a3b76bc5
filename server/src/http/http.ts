/**
 * The HTTP edge: one Fastify with our guards, our error answers, our bounds. Knows routes, bodies, cookies
 * and sentences; knows no module. Modules bind their routes to it in their `routes.ts`.
 */
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import websocket from '@fastify/websocket';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { parse as parseForm } from 'node:querystring';
import type { Log } from '#lib/log.ts';
import { uploadLimits } from './body.ts';
import { guard, type Guards } from './guards.ts';
import { replyWithFailure } from './replies.ts';

export interface HttpOptions extends Guards {
  readonly log: Log;
  /** Addresses of proxies whose `X-Forwarded-*` are believed; empty: nobody's. */
  readonly trustProxy: readonly string[];
}

export async function createHttp({
  log,
  hosts,
  trustProxy,
}: HttpOptions): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = log.child({ module: 'http' });
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    bodyLimit: 1024 * 1024,
    // A stalled upload or a slow reader must not hold a handler for ever (C-715).
    connectionTimeout: 0,
    requestTimeout: 120_000,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 10_000, maxHeaderSize: 16 * 1024 },
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    // Closing must not wait for keep-alive connections of idle browsers.
    forceCloseConnections: true,
  });
  guard(app, { hosts });
  await app.register(cookie);
  await app.register(multipart, {
    limits: { fileSize: uploadLimits.fileBytes, files: uploadLimits.files, fields: 50, parts: 60 },
  });
  await app.register(websocket, { options: { maxPayload: 64 * 1024, perMessageDeflate: false } });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => done(null, { ...parseForm(String(text)) }),
  );
  app.setErrorHandler((error, request, reply) => replyWithFailure(error, request, reply));
  return app;
}
