/**
 * Of which cameras one may play what was recorded: everything that plays, shows, exports or counts asks here, so that
 * it agrees. The capability `recordings` opens a camera.
 */
import type { Cameras } from '#cameras/cameras.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import type { ArchiveStore } from './archive-store.ts';

export class PlayableCameras {
  readonly #cameras: Pick<Cameras, 'mustSee'>;
  readonly #store: Pick<ArchiveStore, 'seen'>;

  constructor(cameras: Pick<Cameras, 'mustSee'>, store: Pick<ArchiveStore, 'seen'>) {
    this.#cameras = cameras;
    this.#store = store;
  }

  /** Throws camera_not_found, forbidden. */
  async mustPlay(scope: Scope, cameraIds: readonly string[]): Promise<void> {
    for (const cameraId of cameraIds) await this.#cameras.mustSee(scope, cameraId);
    const seen = await this.#store.seen(scope, cameraIds);
    if (seen.length < cameraIds.length) throw new Problem('forbidden');
  }

  /** As `mustPlay`, now that a ticket is used: whoever lost the right lost what it opens. */
  async mayPlay(scope: Scope, cameraId: string): Promise<boolean> {
    return (await this.#store.seen(scope, [cameraId])).length > 0;
  }
}
