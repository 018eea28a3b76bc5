import { cameraRoutes } from '@nazar/contract/cameras.ts';
import type { Activity, Entry } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import type { Scope } from '#http/scope.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Media } from './media.ts';

export function mediaEndpoints<Face>(
  api: Api,
  {
    media,
    cameras,
    activity,
    clock,
  }: {
    media: Media<Face>;
    cameras: Cameras;
    activity: Activity;
    clock: Clock;
  },
): void {
  serve(api, cameraRoutes.snapshots, async ({ scope, query }) => {
    const visible = query.camera_id
      ? [await cameras.mustSee(scope, query.camera_id)]
      : (await cameras.list(scope, allCameras)).results;
    // A snapshot is made when its address is requested, so its time is now.
    const timestamp = new Date(clock.now()).toISOString();
    return {
      results: visible
        .filter(({ id }) => media.health(id).state === 'live')
        .map(({ id }) => ({
          camera_id: id,
          image: `/secure-api/cameras/${id}/snapshot/`,
          timestamp,
        })),
    };
  });
  serve(api, cameraRoutes.snapshot, async ({ scope, params }) => {
    await cameras.mustSee(scope, params.id);
    const picture = await media.snapshot(params.id);
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

const allCameras = { ordering: 'name', page: 1, page_size: 1000 } as const;
