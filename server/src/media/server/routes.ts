import { alignmentRoutes } from '@nazar/contract/alignment.ts';
import { cameraCostRoutes } from '@nazar/contract/camera-cost.ts';
import { cameraRoutes, type Snapshot } from '@nazar/contract/cameras.ts';
import type { Activity, Entry } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Scope } from '#http/scope.ts';
import { serve, type Api } from '#http/serve.ts';
import { Alignment } from './alignment.ts';
import type { Media } from '../media.ts';

export function mediaEndpoints<Face>(
  api: Api,
  {
    media,
    cameras,
    activity,
    settled,
  }: {
    media: Pick<Media<Face>, 'snapshot' | 'snapshotAtMs' | 'cost'>;
    cameras: Cameras;
    activity: Activity;
    /** Resolves when the masks that were set before are applied. */
    settled: () => Promise<void>;
  },
): void {
  serve(api, cameraRoutes.snapshots, async ({ scope, query }) => {
    const visible = query.camera_id
      ? [await cameras.mustSee(scope, query.camera_id)]
      : await cameras.names(scope);
    const results = await Promise.all(visible.map(({ id }) => snapshotOf(media, id)));
    return { results: results.filter((one) => one !== null) };
  });
  serve(api, cameraRoutes.snapshot, async ({ scope, params }) => {
    await cameras.mustSee(scope, params.id);
    await settled();
    const picture = await media.snapshot(params.id);
    await activity.recordRead(previewEntry(scope, params.id), { withinMs: previewMs });
    return picture;
  });
  serve(api, cameraCostRoutes.read, async ({ scope, params }) => {
    await cameras.mustManage(scope, params.id);
    return media.cost(params.id);
  });
}

/** Binds the routes of how two streams lie to each other. */
export function alignmentEndpoints<Face>(
  api: Api,
  {
    media,
    cameras,
    activity,
  }: {
    media: Pick<Media<Face>, 'pairOf' | 'unmasked'>;
    cameras: Cameras;
    activity: Pick<Activity, 'recordRead'>;
  },
): void {
  const alignment = new Alignment({ media, cameras });
  serve(api, alignmentRoutes.read, ({ scope, params }) => alignment.read(scope, params.id));
  serve(api, alignmentRoutes.confirm, ({ scope, params, body }) =>
    alignment.confirm(scope, params.id, body),
  );
  serve(api, alignmentRoutes.forget, ({ scope, params }) => alignment.forget(scope, params.id));
  serve(api, alignmentRoutes.picture, async ({ scope, params, query }) => {
    const picture = await alignment.picture(scope, params.id, query.stream);
    await activity.recordRead(previewEntry(scope, params.id), { withinMs: previewMs });
    return picture;
  });
}

/** Lists show a snapshot of each camera all day long: one entry in the activity log an hour covers them (C-806). */
const previewMs = 60 * 60_000;
const previewEntry = (scope: Scope, id: string): Entry => ({
  actor: scope,
  action: 'camera.glimpsed',
  object: { type: 'camera', id },
});

/** The address in it answers that picture, or one that came meanwhile. Null without a picture. */
async function snapshotOf(
  media: Pick<Media<never>, 'snapshotAtMs'>,
  id: string,
): Promise<Snapshot | null> {
  const takenAtMs = await media.snapshotAtMs(id);
  if (takenAtMs === null) return null;
  return {
    camera_id: id,
    image: `/secure-api/cameras/${id}/snapshot/`,
    timestamp: new Date(takenAtMs).toISOString(),
  };
}
