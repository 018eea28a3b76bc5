import { accessRoutes, cameraGroupRoutes } from '@nazar/contract/access.ts';
import { cameraHistoryRoutes } from '@nazar/contract/camera-history.ts';
import { cameraImportRoutes } from '@nazar/contract/camera-import.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { zoneRoutes } from '@nazar/contract/zones.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Cameras, History } from './cameras.ts';

export function cameraEndpoints(api: Api, cameras: Cameras): void {
  serve(api, cameraRoutes.list, ({ scope, query }) => cameras.list(scope, query));
  serve(api, cameraRoutes.owners, async ({ scope }) => ({ results: await cameras.owners(scope) }));
  serve(api, cameraRoutes.namesForLogs, async ({ scope }) => ({
    results: await cameras.names(scope),
  }));
  serve(api, cameraRoutes.add, ({ scope, body }) => cameras.add(scope, body));
  serve(api, cameraRoutes.read, ({ scope, params }) => cameras.read(scope, params.id));
  serve(api, cameraRoutes.replace, ({ scope, params, body }) =>
    cameras.replace(scope, params.id, body),
  );
  serve(api, cameraRoutes.remove, ({ scope, params }) => cameras.remove(scope, params.id));
  serve(api, cameraRoutes.updateStatus, ({ scope, params, body }) =>
    cameras.updateStatus(scope, params.id, body.status),
  );
}

/** Binds the import of other programs' configurations. */
export function importEndpoints(api: Api, { importing }: Cameras): void {
  serve(api, cameraImportRoutes.preview, ({ scope, body }) => importing.preview(scope, body));
  serve(api, cameraImportRoutes.add, async ({ scope, body }) => ({
    results: await importing.add(scope, body),
  }));
}

export function historyEndpoints(api: Api, history: History): void {
  serve(api, cameraHistoryRoutes.list, ({ scope, params, query }) =>
    history.list(scope, params.id, query),
  );
}

/** Binds the routes of grants and of groups of cameras. */
export function accessEndpoints(api: Api, { access, groups }: Cameras): void {
  serve(api, accessRoutes.grants, async ({ query }) => ({ results: await access.list(query) }));
  serve(api, accessRoutes.give, ({ scope, body }) => access.give(scope, body));
  serve(api, accessRoutes.take, ({ scope, params }) => access.take(scope, params.id));
  serve(api, accessRoutes.viewers, async ({ scope, params }) => ({
    results: await access.viewers(scope, params.id),
  }));
  serve(api, cameraGroupRoutes.list, async ({ scope }) => ({
    results: await groups.list(scope),
  }));
  serve(api, cameraGroupRoutes.read, ({ scope, params }) => groups.read(scope, params.id));
  serve(api, cameraGroupRoutes.add, ({ scope, body }) => groups.add(scope, body));
  serve(api, cameraGroupRoutes.replace, ({ scope, params, body }) =>
    groups.replace(scope, params.id, body),
  );
  serve(api, cameraGroupRoutes.remove, ({ scope, params }) => groups.remove(scope, params.id));
}

/** Binds the routes of zones. */
export function zoneEndpoints(api: Api, { zones }: Cameras): void {
  serve(api, zoneRoutes.list, async ({ scope, params }) => ({
    results: await zones.list(scope, params.id),
  }));
  serve(api, zoneRoutes.replace, async ({ scope, params, body }) => ({
    results: await zones.replace(scope, params.id, body.zones, body.rotation),
  }));
}
