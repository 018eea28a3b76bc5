import { sightingRoutes } from '@nazar/contract/sightings.ts';
import { unknownFaceRoutes } from '@nazar/contract/unknown-faces.ts';
import type { FaceReads } from '#faces/faces.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Sightings } from './sightings.ts';

export function sightingEndpoints(api: Api, sightings: Sightings, reads: FaceReads): void {
  serve(api, sightingRoutes.faceLogs, async ({ scope, query }) => {
    if (query.person_name) await reads.searched(scope, 'face_logs', query.person_name);
    return sightings.list(scope, query);
  });
  serve(api, sightingRoutes.detections, async ({ scope, query }) => ({
    results: await sightings.detections(scope, query.limit),
  }));
  serve(api, unknownFaceRoutes.list, ({ scope, query }) => sightings.unknown.list(scope, query));
  serve(api, unknownFaceRoutes.updateStatus, ({ scope, params, body }) =>
    sightings.unknown.updateStatus(scope, params.id, body.status),
  );
  serve(api, unknownFaceRoutes.identify, ({ scope, params, body }) =>
    sightings.unknown.identify(scope, params.id, body),
  );
  serve(api, unknownFaceRoutes.merge, ({ scope, params, body }) =>
    sightings.unknown.merge(scope, params.id, body.with),
  );
  serve(api, unknownFaceRoutes.split, ({ scope, params, body }) =>
    sightings.unknown.split(scope, params.id, body.visits),
  );
  serve(api, unknownFaceRoutes.undo, ({ scope, params, body }) =>
    sightings.unknown.undo(scope, params.id, body.correction),
  );
  serve(api, sightingRoutes.notThisPerson, ({ scope, params }) =>
    sightings.notThisPerson(scope, params.id),
  );
  serve(api, sightingRoutes.thisPersonAfterAll, ({ scope, params }) =>
    sightings.thisPersonAfterAll(scope, params.id),
  );
  serve(api, sightingRoutes.explanation, async ({ scope, params }) => {
    const explanation = await sightings.explain(scope, params.id);
    await reads.explained(scope, explanation);
    return explanation;
  });
  serve(api, sightingRoutes.picture, ({ scope, params }) => sightings.picture(scope, params.id));
}
