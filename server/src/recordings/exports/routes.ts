import { exportRoutes } from '@nazar/contract/exports.ts';
import { readFile } from '#http/byte-range.ts';
import type { ScopeOf } from '#http/scope.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Exports } from './exports.ts';

export function exportEndpoints(api: Api, exports: Exports, scopeOf: ScopeOf): void {
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
  serve(api, exportRoutes.file, async ({ scope, params, raw, reply }) => {
    return readFile(raw, reply, await exports.file(scope, params.id));
  });
  serve(api, exportRoutes.ticket, ({ scope, params }) => exports.ticket(scope, params.id));
  serve(api, exportRoutes.byTicket, async ({ query, raw, reply }) => {
    return readFile(raw, reply, await exports.byTicket(query.ticket, raw.ip, scopeOf));
  });
  serve(api, exportRoutes.recording, async ({ scope, params, raw, reply }) => {
    return readFile(raw, reply, await exports.ofRecording(scope, params.id));
  });
}
