import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { exportRoutes } from '@nazar/contract/exports.ts';
import { readFile } from '#http/byte-range.ts';
import type { Scope, ScopeOf } from '#http/scope.ts';
import { serve, type Api } from '#http/serve.ts';
import type { ExportFile, Exports } from './exports.ts';

export function exportEndpoints(api: Api, exports: Exports, scopeOf: ScopeOf): void {
  const send = (
    file: ExportFile,
    scope: Scope,
    { raw, reply }: { readonly raw: FastifyRequest; readonly reply: FastifyReply },
  ): Readable => {
    const bytes = readFile(raw, reply, file);
    api.answers?.watch(reply, scope, (now) => exports.file(now, file.id));
    return bytes;
  };
  serve(api, exportRoutes.list, ({ scope, query }) => exports.list(scope, query));
  serve(api, exportRoutes.estimate, async ({ scope, body }) => ({
    results: await exports.estimate(scope, body),
  }));
  serve(api, exportRoutes.add, async ({ scope, body }) => ({
    results: await exports.add(scope, body),
  }));
  serve(api, exportRoutes.ofRecording, ({ scope, params }) =>
    exports.forRecording(scope, params.id),
  );
  serve(api, exportRoutes.read, ({ scope, params }) => exports.read(scope, params.id));
  serve(api, exportRoutes.remove, ({ scope, params }) => exports.remove(scope, params.id));
  serve(api, exportRoutes.file, async ({ scope, params, ...request }) =>
    send(await exports.file(scope, params.id), scope, request),
  );
  serve(api, exportRoutes.ticket, ({ scope, params }) => exports.ticket(scope, params.id));
  serve(api, exportRoutes.byTicket, async ({ query, ...request }) => {
    const file = await exports.byTicket(query.ticket, request.raw.ip, scopeOf);
    return send(file, file.scope, request);
  });
  serve(api, exportRoutes.recording, async ({ scope, params, ...request }) =>
    send(await exports.ofRecording(scope, params.id), scope, request),
  );
}
