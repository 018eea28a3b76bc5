import { accessRoutes, cameraGroupRoutes } from '@nazar/contract/access.ts';
import { cameraHistoryRoutes } from '@nazar/contract/camera-history.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { zoneRoutes } from '@nazar/contract/zones.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Cameras, History } from './cameras.ts';

export function cameraEndpoints(doors: Doors, cameras: Cameras): void {
  serve(doors, cameraRoutes.list, ({ scope, query }) => cameras.list(scope, query));
  serve(doors, cameraRoutes.namesForLogs, async ({ scope }) => {
    const { results } = await cameras.list(scope, { ordering: 'name', page: 1, page_size: 1000 });
    return { results: results.map(({ id, name }) => ({ id, name })) };
  });
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

export function historyEndpoints(doors: Doors, history: History): void {
  serve(doors, cameraHistoryRoutes.list, ({ scope, params, query }) =>
    history.list(scope, params.id, query),
  );
}

/** Beside them: who may see which camera, and groups of cameras. */
export function accessEndpoints(doors: Doors, { access, groups }: Cameras): void {
  serve(doors, accessRoutes.grants, async ({ query }) => ({ results: await access.list(query) }));
  serve(doors, accessRoutes.give, ({ scope, body }) => access.give(scope, body));
  serve(doors, accessRoutes.take, ({ scope, params }) => access.take(scope, params.id));
  serve(doors, accessRoutes.viewers, async ({ scope, params }) => ({
    results: await access.viewers(scope, params.id),
  }));
  serve(doors, cameraGroupRoutes.list, async ({ scope }) => ({
    results: await groups.list(scope),
  }));
  serve(doors, cameraGroupRoutes.read, ({ scope, params }) => groups.read(scope, params.id));
  serve(doors, cameraGroupRoutes.add, ({ scope, body }) => groups.add(scope, body));
  serve(doors, cameraGroupRoutes.replace, ({ scope, params, body }) =>
    groups.replace(scope, params.id, body),
  );
  serve(doors, cameraGroupRoutes.remove, ({ scope, params }) => groups.remove(scope, params.id));
}

/** Parts of their pictures. */
export function zoneEndpoints(doors: Doors, { zones }: Cameras): void {
  serve(doors, zoneRoutes.list, async ({ scope, params }) => ({
    results: await zones.list(scope, params.id),
  }));
  serve(doors, zoneRoutes.replace, async ({ scope, params, body }) => ({
    results: await zones.replace(scope, params.id, body.zones),
  }));
}
