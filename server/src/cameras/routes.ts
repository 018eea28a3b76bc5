import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Cameras } from './cameras.ts';

export function cameraEndpoints(doors: Doors, cameras: Cameras): void {
  serve(doors, cameraRoutes.list, ({ scope, query }) => cameras.list(scope, query));
  serve(doors, cameraRoutes.add, ({ scope, body }) => cameras.add(scope, body));
  serve(doors, cameraRoutes.read, ({ scope, params }) => cameras.read(scope, params.id));
  serve(doors, cameraRoutes.replace, ({ scope, params, body }) =>
    cameras.replace(scope, params.id, body),
  );
  serve(doors, cameraRoutes.remove, ({ scope, params }) => cameras.remove(scope, params.id));
  serve(doors, cameraRoutes.updateStatus, ({ scope, params, body }) =>
    cameras.updateStatus(scope, params.id, body.status),
  );
}
