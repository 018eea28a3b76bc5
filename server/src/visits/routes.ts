import { visitDeletionRoutes } from '@nazar/contract/visit-deletion.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { unknownFaceRoutes } from '@nazar/contract/unknown-faces.ts';
import type { FaceReads } from '#faces/faces.ts';
import { once, serve, type Api } from '#http/serve.ts';
import type { Readers } from './counting/routes.ts';
import type { Visits } from './visits.ts';

export function visitEndpoints(api: Api, visits: Visits, reads: FaceReads, readers: Readers): void {
  serve(api, visitRoutes.faceLogs, async ({ scope, query }) => {
    const term = query.person_id ?? query.person_name;
    if (term) await reads.searched(scope, 'face_logs', term);
    const as = await readers.seenBy(scope, query.user);
    return visits.list(as, query, await readers.zoneOf(scope, query.timezone));
  });
  serve(api, visitRoutes.read, ({ scope, params }) => visits.details.read(scope, params.id));
  const { deleting } = visits;
  serve(api, visitDeletionRoutes.remove, ({ scope, params }) => deleting.one(scope, params.id));
  serve(api, visitDeletionRoutes.removeMany, async ({ scope, body }) => {
    const asked = 'filter' in body ? body.filter.timezone : undefined;
    return deleting.many(scope, body, await readers.zoneOf(scope, asked));
  });
  serve(api, visitDeletionRoutes.removeDay, async ({ scope, params, query }) =>
    deleting.day(scope, params.id, await readers.zoneOf(scope, query.timezone)),
  );
  serve(api, visitDeletionRoutes.removeManyDays, async ({ scope, body }) =>
    deleting.days(scope, body, await readers.zoneOf(scope, body.timezone)),
  );
  serve(api, visitRoutes.detections, ({ scope, query }) =>
    once(api, visitRoutes.detections, { scope, asked: query }, async () => ({
      results: await visits.detections(scope, query.limit),
    })),
  );
  serve(api, unknownFaceRoutes.list, ({ scope, query }) => visits.unknown.list(scope, query));
  serve(api, unknownFaceRoutes.read, ({ scope, params }) => visits.unknown.read(scope, params.id));
  serve(api, unknownFaceRoutes.updateStatus, ({ scope, params, body }) =>
    visits.unknown.updateStatus(scope, params.id, body.status),
  );
  serve(api, unknownFaceRoutes.identify, ({ scope, params, body }) =>
    visits.unknown.identify(scope, params.id, body),
  );
  serve(api, unknownFaceRoutes.merge, ({ scope, params, body }) =>
    visits.unknown.merge(scope, params.id, body.with),
  );
  serve(api, unknownFaceRoutes.split, ({ scope, params, body }) =>
    visits.unknown.split(scope, params.id, body.visits),
  );
  serve(api, unknownFaceRoutes.undo, ({ scope, params, body }) =>
    visits.unknown.undo(scope, params.id, body.correction),
  );
  serve(api, visitRoutes.notThisPerson, ({ scope, params }) =>
    visits.notThisPerson(scope, params.id),
  );
  serve(api, visitRoutes.thisPersonAfterAll, ({ scope, params }) =>
    visits.thisPersonAfterAll(scope, params.id),
  );
  serve(api, visitRoutes.explanation, async ({ scope, params }) => {
    const explanation = await visits.explain(scope, params.id);
    await reads.explained(scope, explanation);
    return explanation;
  });
  serve(api, visitRoutes.picture, ({ scope, params }) => visits.picture(scope, params.id));
}
