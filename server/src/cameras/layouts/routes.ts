import { wallLayoutRoutes } from '@nazar/contract/wall-layouts.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Layouts } from './layouts.ts';

/** Binds the routes of layouts of the wall. */
export function layoutEndpoints(api: Api, layouts: Layouts): void {
  serve(api, wallLayoutRoutes.list, async ({ scope }) => ({ results: await layouts.list(scope) }));
  serve(api, wallLayoutRoutes.read, ({ scope, params }) => layouts.read(scope, params.id));
  serve(api, wallLayoutRoutes.add, ({ scope, body }) => layouts.add(scope, body));
  serve(api, wallLayoutRoutes.replace, ({ scope, params, body }) =>
    layouts.replace(scope, params.id, body),
  );
  serve(api, wallLayoutRoutes.remove, ({ scope, params }) => layouts.remove(scope, params.id));
}
