/**
 * A user deletes a recording: in one transaction its rows go, its files go on the garbage list, its time gets
 * a gap with that cause, and the activity log says who it was and which footage. Evidence under a hold stays.
 */
import { createHash } from 'node:crypto';
import type { Activity } from '#activity/activity.ts';
import type { Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { ArchiveStore } from '../archive/archive-store.ts';
import { Gaps } from '../index/gaps.ts';
import type { IndexStore, SegmentRow } from '../index/index-store.ts';
import type { RemovalStore } from './removal-store.ts';

export interface DeletionOptions {
  readonly store: RemovalStore;
  readonly index: IndexStore;
  readonly archive: Pick<ArchiveStore, 'find'>;
  readonly activity: Pick<Activity, 'record'>;
  readonly clock: Clock;
  /** Called once it is deleted. */
  readonly changed: (cameraId: string) => void;
}

type Complete = SegmentRow & { readonly ended_at: Date; readonly sha256: Buffer };

export class Deletion {
  readonly #options: DeletionOptions;
  readonly #gaps: Gaps;

  constructor(options: DeletionOptions) {
    this.#options = options;
    this.#gaps = new Gaps(options.index, options.clock);
  }

  /** Its files follow within seconds. Throws recording_not_found, recording_goes_on, recording_held. */
  async delete(scope: Scope, id: string): Promise<void> {
    const { store, index, archive, activity, changed } = this.#options;
    const found = await archive.find(scope, id);
    if (!found) throw new Problem('recording_not_found');
    await store.transaction(async (tx) => {
      const segments = await store.lockedSegments(tx, id);
      const [first] = segments;
      if (!first) throw new Problem('recording_not_found');
      if (!segments.every(isComplete)) throw new Problem('recording_goes_on');
      if (await store.isHeld(tx, id)) throw new Problem('recording_held');
      await store.discard(tx, segments);
      await index.removeEmpty(tx, [id]);
      for (const segment of segments) await this.#leaveGap(tx, segment);
      const object = { type: 'camera', id: first.camera_id } as const;
      const details = footageOf(segments);
      await activity.record(tx, { actor: scope, action: 'recording.deleted', object, details });
    });
    changed(found.camera_id);
  }

  /** Segments that follow one another leave one gap. */
  async #leaveGap(tx: Tx, { camera_id, started_at, ended_at }: Complete): Promise<void> {
    await this.#gaps.extend(tx, camera_id, started_at, ended_at, 'deleted');
  }
}

const isComplete = (segment: SegmentRow): segment is Complete => segment.ended_at !== null;

/** What the activity log says of it: `sha256` is that of the hashes of its files, in their order. */
function footageOf(segments: readonly Complete[]) {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const segment of segments) {
    hash.update(segment.sha256);
    bytes += segment.bytes ?? 0;
  }
  return {
    from: segments[0]!.started_at.toISOString(),
    until: segments.at(-1)!.ended_at.toISOString(),
    files: segments.length,
    bytes,
    sha256: hash.digest('hex'),
  };
}
