import { api as contract } from '@nazar/contract/api.ts';
import { modelRoutes } from '@nazar/contract/models.ts';
import { systemLogRoutes } from '@nazar/contract/system-logs.ts';
import { systemRoutes } from '@nazar/contract/system.ts';
import { openApi } from '#http/openapi.ts';
import { serve, type Api } from '#http/serve.ts';
import type { SystemLog } from './log/system-log.ts';
import type { Models } from './models.ts';
import type { SupportBundle } from './support/support-bundle.ts';
import type { System } from './system.ts';

export function systemEndpoints(api: Api, system: System, version: string): void {
  serve(api, systemRoutes.alive, () => ({ status: 'ok' as const }));
  serve(api, systemRoutes.health, ({ scope }) => system.health(scope));
  // No service on the internet has to be asked for the address.
  serve(api, systemRoutes.clientIp, ({ scope }) => ({ ip: scope.ip }));
  // Printed for the first who asks: anyone may, and it takes longer than to send it.
  let schema: Buffer | null = null;
  serve(api, systemRoutes.schema, () => {
    schema ??= Buffer.from(JSON.stringify(openApi(contract, version)));
    return schema;
  });
}

export function supportEndpoints(api: Api, bundle: SupportBundle): void {
  serve(api, systemRoutes.supportBundle, async ({ scope, reply }) => {
    const archive = await bundle.make(scope);
    void reply.header('content-disposition', 'attachment; filename="nazar-support.tar"');
    return archive;
  });
}

export function systemLogEndpoints(api: Api, log: SystemLog): void {
  serve(api, systemLogRoutes.list, ({ scope, query }) => log.list(scope, query));
  serve(api, systemLogRoutes.stats, ({ scope, query }) => log.stats(scope, query));
  serve(api, systemLogRoutes.countByLevel, ({ scope, query }) => log.countByLevel(scope, query));
  serve(api, systemLogRoutes.sources, async () => ({ results: await log.levels.list() }));
  serve(api, systemLogRoutes.chooseLevel, ({ scope, body }) =>
    log.levels.choose(scope, body.source, body.level),
  );
  serve(api, systemLogRoutes.read, ({ scope, params }) => log.read(scope, params.id));
  serve(api, systemLogRoutes.neighbours, ({ scope, params, query }) =>
    log.neighbours(scope, params.id, query.count),
  );
  serve(api, systemLogRoutes.remove, ({ scope, params }) => log.remove(scope, params.id));
  serve(api, systemLogRoutes.removeMany, ({ scope, body }) => log.removeMany(scope, body));
  serve(api, systemLogRoutes.reportBrowserError, ({ scope, body }) =>
    log.reportBrowserError(scope, body),
  );
}

export function modelEndpoints(api: Api, models: Models): void {
  serve(api, modelRoutes.read, () => models.read());
  serve(api, modelRoutes.use, ({ scope, body }) =>
    models.use(scope, body.model, body.accept_losses),
  );
  serve(api, modelRoutes.cancel, ({ scope }) => models.cancel(scope));
}
