import { deviceRoutes } from '@nazar/contract/devices.ts';
import { movementRoutes } from '@nazar/contract/movements.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Devices } from './devices.ts';

export function deviceEndpoints(api: Api, devices: Devices): void {
  serve(api, deviceRoutes.discover, async ({ scope }) => ({
    results: await devices.discover(scope),
  }));
  serve(api, deviceRoutes.describe, ({ scope, body }) => devices.describe(scope, body));
  serve(api, movementRoutes.read, ({ scope, params }) => devices.movements(scope, params.id));
  serve(api, movementRoutes.move, ({ scope, params, body }) =>
    devices.move(scope, params.id, body),
  );
}
