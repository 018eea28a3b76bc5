import { sightingRoutes } from '@nazar/contract/sightings.ts';
import { unknownFaceRoutes } from '@nazar/contract/unknown-faces.ts';
import type { FaceReads } from '#faces/faces.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Sightings } from './sightings.ts';

export function sightingEndpoints(doors: Doors, sightings: Sightings, reads: FaceReads): void {
  serve(doors, sightingRoutes.faceLogs, async ({ scope, query }) => {
    if (query.person_name) await reads.searched(scope, 'face_logs', query.person_name);
    return sightings.list(scope, query);
  });
  serve(doors, sightingRoutes.detections, async ({ scope, query }) => ({
    results: await sightings.detections(scope, query.limit),
  }));
  serve(doors, unknownFaceRoutes.list, ({ scope, query }) => sightings.unknown.list(scope, query));
  serve(doors, unknownFaceRoutes.updateStatus, ({ scope, params, body }) =>
    sightings.unknown.updateStatus(scope, params.id, body.status),
  );
  serve(doors, unknownFaceRoutes.identify, ({ scope, params, body }) =>
    sightings.unknown.identify(scope, params.id, body),
  );
  serve(doors, unknownFaceRoutes.merge, ({ scope, params, body }) =>
    sightings.unknown.merge(scope, params.id, body.with),
  );
  serve(doors, unknownFaceRoutes.split, ({ scope, params, body }) =>
    sightings.unknown.split(scope, params.id, body.visits),
  );
  serve(doors, unknownFaceRoutes.undo, ({ scope, params, body }) =>
    sightings.unknown.undo(scope, params.id, body.correction),
  );
  serve(doors, sightingRoutes.notThisPerson, ({ scope, params }) =>
    sightings.notThisPerson(scope, params.id),
  );
  serve(doors, sightingRoutes.thisPersonAfterAll, ({ scope, params }) =>
    sightings.thisPersonAfterAll(scope, params.id),
  );
  serve(doors, sightingRoutes.explanation, async ({ scope, params }) => {
    const explanation = await sightings.explain(scope, params.id);
    await reads.explained(scope, explanation);
    return explanation;
  });
  serve(doors, sightingRoutes.picture, ({ scope, params }) => sightings.picture(scope, params.id));
}
