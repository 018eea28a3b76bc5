import { api } from '@nazar/contract/api.ts';
import { modelRoutes } from '@nazar/contract/models.ts';
import { systemRoutes } from '@nazar/contract/system.ts';
import { openApi } from '#http/openapi.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Models } from './models.ts';
import type { System } from './system.ts';

export function systemEndpoints(doors: Doors, system: System, version: string): void {
  serve(doors, systemRoutes.alive, () => ({ status: 'ok' as const }));
  serve(doors, systemRoutes.health, ({ scope }) => system.health(scope));
  // H-12: nobody outside has to be asked for it.
  serve(doors, systemRoutes.clientIp, ({ scope }) => ({ ip: scope.ip }));
  // Printed for the first who asks: anyone may, and it takes longer than to send it.
  let schema: Buffer | null = null;
  serve(doors, systemRoutes.schema, () => {
    schema ??= Buffer.from(JSON.stringify(openApi(api, version)));
    return schema;
  });
}

export function modelEndpoints(doors: Doors, models: Models): void {
  serve(doors, modelRoutes.read, () => models.read());
  serve(doors, modelRoutes.use, ({ scope, body }) =>
    models.use(scope, body.model, body.accept_losses),
  );
  serve(doors, modelRoutes.cancel, ({ scope }) => models.cancel(scope));
}
