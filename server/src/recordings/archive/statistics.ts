/** How much is recorded of the cameras a user may see, and how full the disk with their recordings is. */
import type { Recording, RecordingStatistics, StorageFit } from '@nazar/contract/recordings.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Scope } from '#http/scope.ts';
import type { Archive } from './archive.ts';
import type { ArchiveStore } from './archive-store.ts';
import type { RootRow, Roots, Space } from '../roots.ts';
import { fitOf } from '../policies/forecast.ts';
import type { StorageEstimate } from '../policies/storage-estimate.ts';
import { rootName, rootOf } from '../storage-path.ts';

export interface StatisticsOptions {
  readonly store: Pick<ArchiveStore, 'totals' | 'rootIds'>;
  readonly archive: Pick<Archive, 'list'>;
  readonly roots: Pick<Roots, 'named' | 'stateOf'>;
  readonly cameras: Pick<Cameras, 'mustSeeEvenDeleted'>;
  readonly estimate: Pick<StorageEstimate, 'fits'>;
}

export class Statistics {
  readonly #options: StatisticsOptions;

  constructor(options: StatisticsOptions) {
    this.#options = options;
  }

  /** The statistics of one camera, or of all. Throws camera_not_found. */
  async of(scope: Scope, cameraId: string | null): Promise<RecordingStatistics> {
    if (cameraId !== null) await this.#options.cameras.mustSeeEvenDeleted(scope, cameraId);
    const totals = await this.#options.store.totals(scope, cameraId);
    return {
      recordings: totals.recordings,
      duration: totals.duration_s,
      size: Math.round(totals.bytes / 1e4) / 100,
      bytes: totals.bytes,
      faces: totals.faces,
      ...(await this.#storage(scope, cameraId)),
      fit: await this.#fit(scope, cameraId),
    };
  }

  /** As the storage: how much all cameras record is for administrators. */
  async #fit(scope: Scope, cameraId: string | null): Promise<StorageFit | null> {
    if (cameraId === null && !scope.seesAll) return null;
    const fits = await this.#options.estimate.fits();
    return fitOf(cameraId === null ? fits : fits.filter((one) => one.cameraId === cameraId));
  }

  /** Null: there is none. Throws camera_not_found, time_zone_unknown. */
  async newest(scope: Scope, cameraId: string | null, timezone: string): Promise<Recording | null> {
    if (cameraId !== null) await this.#options.cameras.mustSeeEvenDeleted(scope, cameraId);
    const camera = cameraId === null ? {} : { camera: cameraId };
    const newestFirst = { timezone, ordering: '-started_at', page: 1, page_size: 1 } as const;
    const { results } = await this.#options.archive.list(scope, { ...camera, ...newestFirst });
    return results[0] ?? null;
  }

  /**
   * The disks of cameras whose recordings the scope may see; for all cameras, administrators read every disk. Other
   * users would learn from a disk with none of their recordings how much is recorded there.
   */
  async #storage(
    scope: Scope,
    cameraId: string | null,
  ): Promise<Pick<RecordingStatistics, 'storage' | 'hung_folders'>> {
    const { roots } = this.#options;
    const isEvery = cameraId === null && scope.seesAll;
    const asked = isEvery ? roots.named : await this.#rootsOf(scope, cameraId);
    const states = await Promise.all(asked.map((root) => roots.stateOf(root)));
    const hung = asked.filter((_, index) => states[index]?.kind === 'hung');
    return {
      storage: sumOf(states.flatMap((state) => (state.kind === 'present' ? [state.space] : []))),
      hung_folders: hung.map((root) => rootName(roots.named, root)),
    };
  }

  async #rootsOf(scope: Scope, cameraId: string | null): Promise<RootRow[]> {
    const { store, roots } = this.#options;
    const ids = await store.rootIds(scope, cameraId);
    return [...new Set(ids.map((id) => rootOf(roots.named, id)))];
  }
}

function sumOf(disks: readonly Space[]): RecordingStatistics['storage'] {
  const total = disks.reduce((sum, { totalBytes }) => sum + totalBytes, 0);
  if (total === 0) return null;
  const free = disks.reduce((sum, { freeBytes }) => sum + freeBytes, 0);
  const remaining = Math.floor((free / total) * 100);
  return {
    total_bytes: total,
    free_bytes: free,
    used_percent: 100 - remaining,
    remaining_percent: remaining,
  };
}
