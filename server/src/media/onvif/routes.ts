import { deviceRoutes } from '@nazar/contract/devices.ts';
import { movementRoutes } from '@nazar/contract/movements.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Devices } from './devices.ts';

export function deviceEndpoints(doors: Doors, devices: Devices): void {
  serve(doors, deviceRoutes.discover, async ({ scope }) => ({
    results: await devices.discover(scope),
  }));
  serve(doors, deviceRoutes.describe, ({ scope, body }) => devices.describe(scope, body));
  serve(doors, movementRoutes.read, ({ scope, params }) => devices.movements(scope, params.id));
  serve(doors, movementRoutes.move, ({ scope, params, body }) =>
    devices.move(scope, params.id, body),
  );
}
