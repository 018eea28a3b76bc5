/**
 * Decides whether a user may play the recordings of a camera: all code that plays, shows, exports or counts them asks
 * here, so that it agrees. The capability `recordings` opens a camera. What a deleted one recorded is kept as long as
 * anything else, and administrators reach it.
 */
import type { Cameras } from '#cameras/cameras.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import type { ArchiveStore } from './archive-store.ts';

export class PlayableCameras {
  readonly #cameras: Pick<Cameras, 'mustSeeEvenDeleted'>;
  readonly #store: Pick<ArchiveStore, 'seen'>;

  constructor(cameras: Pick<Cameras, 'mustSeeEvenDeleted'>, store: Pick<ArchiveStore, 'seen'>) {
    this.#cameras = cameras;
    this.#store = store;
  }

  /** Throws camera_not_found, forbidden. */
  async mustPlay(scope: Scope, cameraIds: readonly string[]): Promise<void> {
    for (const id of cameraIds) await this.#cameras.mustSeeEvenDeleted(scope, id);
    const seen = await this.#store.seen(scope, cameraIds);
    if (seen.length < cameraIds.length) throw new Problem('forbidden');
  }

  /** As `mustPlay`, when a ticket is used: a user who lost the right can no longer use the ticket. */
  async mayPlay(scope: Scope, cameraId: string): Promise<boolean> {
    return (await this.#store.seen(scope, [cameraId])).length > 0;
  }
}
