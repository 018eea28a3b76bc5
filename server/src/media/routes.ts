import { cameraRoutes } from '@nazar/contract/cameras.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Media } from './media.ts';
import type { Tickets } from './tickets.ts';

export function mediaEndpoints<Face>(
  doors: Doors,
  {
    media,
    cameras,
    tickets,
    clock,
  }: { media: Media<Face>; cameras: Cameras; tickets: Tickets; clock: Clock },
): void {
  serve(doors, cameraRoutes.snapshots, async ({ scope, query }) => {
    const visible = query.camera_id
      ? [await cameras.mustSee(scope, query.camera_id)]
      : (await cameras.list(scope, allCameras)).results;
    // Grabbed when its address is asked for, so its time is now.
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
  serve(doors, cameraRoutes.snapshot, async ({ scope, params }) => {
    await cameras.mustSee(scope, params.id);
    return media.snapshot(params.id);
  });
  serve(doors, cameraRoutes.liveTicket, async ({ scope, params }) => {
    const camera = await cameras.mustSee(scope, params.id);
    if (camera.status !== 'active') throw new Problem('camera_not_active', { name: camera.name });
    const { ticket, expiresAtMs } = tickets.issue(params.id, scope.sessionId);
    return { ticket, expires_at: new Date(expiresAtMs).toISOString() };
  });
}

const allCameras = { ordering: 'name', page: 1, page_size: 1000 } as const;
