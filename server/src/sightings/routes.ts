import { faceLogDeletionRoutes } from '@nazar/contract/face-log-deletion.ts';
import { sightingRoutes, type FaceLogQuery } from '@nazar/contract/sightings.ts';
import { unknownFaceRoutes } from '@nazar/contract/unknown-faces.ts';
import type { FaceReads } from '#faces/faces.ts';
import type { Scope } from '#http/scope.ts';
import { once, serve, type Api } from '#http/serve.ts';
import type { Readers } from './counting/routes.ts';
import type { Sightings } from './sightings.ts';

export function sightingEndpoints(
  api: Api,
  sightings: Sightings,
  reads: FaceReads,
  readers: Readers,
): void {
  const faceLogs = async (scope: Scope, query: FaceLogQuery) => {
    const term = query.person_id ?? query.person_name;
    if (term) await reads.searched(scope, 'face_logs', term);
    const as = await readers.seenBy(scope, query.user);
    return sightings.list(as, query, await readers.zoneOf(scope, query.timezone));
  };
  serve(api, sightingRoutes.faceLogs, ({ scope, query }) => faceLogs(scope, query));
  serve(api, sightingRoutes.faceLogsOfRecognition, ({ scope, query }) => faceLogs(scope, query));
  serve(api, sightingRoutes.read, ({ scope, params }) => sightings.details.read(scope, params.id));
  const { deleting } = sightings;
  serve(api, faceLogDeletionRoutes.remove, ({ scope, params }) => deleting.one(scope, params.id));
  serve(api, faceLogDeletionRoutes.removeMany, async ({ scope, body }) => {
    const asked = 'filter' in body ? body.filter.timezone : undefined;
    return deleting.many(scope, body, await readers.zoneOf(scope, asked));
  });
  serve(api, faceLogDeletionRoutes.removeDay, async ({ scope, params, query }) =>
    deleting.day(scope, params.id, await readers.zoneOf(scope, query.timezone)),
  );
  serve(api, faceLogDeletionRoutes.removeManyDays, async ({ scope, body }) =>
    deleting.days(scope, body, await readers.zoneOf(scope, body.timezone)),
  );
  serve(api, sightingRoutes.detections, ({ scope, query }) =>
    once(api, sightingRoutes.detections, { scope, asked: query }, async () => ({
      results: await sightings.detections(scope, query.limit),
    })),
  );
  serve(api, unknownFaceRoutes.list, ({ scope, query }) => sightings.unknown.list(scope, query));
  serve(api, unknownFaceRoutes.read, ({ scope, params }) =>
    sightings.unknown.read(scope, params.id),
  );
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
