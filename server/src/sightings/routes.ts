import { sightingRoutes } from '@nazar/contract/sightings.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Sightings } from './sightings.ts';

export function sightingEndpoints(doors: Doors, sightings: Sightings): void {
  serve(doors, sightingRoutes.faceLogs, ({ scope, query }) => sightings.list(scope, query));
  serve(doors, sightingRoutes.detections, async ({ scope, query }) => ({
    results: await sightings.detections(scope, query.limit),
  }));
  serve(doors, sightingRoutes.picture, ({ scope, params }) => sightings.picture(scope, params.id));
}
