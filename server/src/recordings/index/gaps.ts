/** Gaps of a camera: where nothing is recorded, and why. No gap reaches into what is recorded. */
import type { GapCause } from '@nazar/contract/recordings.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { Tx } from '#db/database.ts';
import { seamMs } from '#media/protocol/seam.ts';
import type { SegmentHead } from '#media/protocol/segments.ts';
import { endOfTime, type IndexStore } from './index-store.ts';

export class Gaps {
  readonly #store: IndexStore;
  readonly #clock: Clock;

  constructor(store: IndexStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Begins a gap: nothing is recorded from then on. The first cause of a gap that says anything counts. */
  async begin(tx: Tx, cameraId: string, atMs: number, cause: GapCause): Promise<void> {
    const gap = await this.#store.openGap(tx, cameraId);
    if (gap) {
      if (gap.cause !== cause && mayReplace(gap.cause, cause)) {
        await this.#goOn(tx, cameraId, gap.started_at, gap.cause, atMs, cause);
      }
      return;
    }
    const until = await this.#store.recordedUntil(tx, cameraId, endOfTime);
    // When a camera is recorded for the first time, nothing is missing while it connects.
    if (until === null && cause === 'restart') return;
    await this.add(tx, cameraId, until ?? new Date(atMs), null, cause);
  }

  /** Continues an open gap with this cause; without an open gap nothing happens. */
  async turn(tx: Tx, cameraId: string, atMs: number, cause: GapCause): Promise<void> {
    const gap = await this.#store.openGap(tx, cameraId);
    if (!gap || gap.cause === cause) return;
    await this.#goOn(tx, cameraId, gap.started_at, gap.cause, atMs, cause);
  }

  /** Explains why nothing was recorded before this segment, where something is missing. */
  async explain(
    tx: Tx,
    { cameraId, startedAtMs, gap }: SegmentHead,
    recordedUntil: Date | null,
    endedAt: Date | null,
  ): Promise<void> {
    const startedAt = new Date(startedAtMs);
    const isKnown = await this.carve(tx, cameraId, startedAt, endedAt, gap?.cause ?? null);
    if (isKnown || recordedUntil === null) return;
    if (startedAtMs - recordedUntil.getTime() <= seamMs) return;
    await this.add(tx, cameraId, recordedUntil, startedAt, gap?.cause ?? 'restart');
  }

  /** Removes a recorded time from the gaps: they keep what is left of them. Returns whether one reached up to it. */
  async carve(
    tx: Tx,
    cameraId: string,
    from: Date,
    until: Date | null,
    cause: GapCause | null,
  ): Promise<boolean> {
    const gaps = await this.#store.takeGaps(tx, cameraId, from, until);
    for (const gap of gaps) {
      await this.add(tx, cameraId, gap.started_at, from, cause ?? gap.cause);
      if (until === null) continue;
      const after = gap.started_at > until ? gap.started_at : until;
      await this.add(tx, cameraId, after, gap.ended_at, gap.cause);
    }
    return gaps.length > 0;
  }

  /** `until` null: it goes on. Does nothing when there is nothing between. */
  async add(
    tx: Tx,
    cameraId: string,
    from: Date,
    until: Date | null,
    cause: GapCause,
  ): Promise<void> {
    if (until !== null && until <= from) return;
    const id = uuidv7(this.#clock.now());
    await this.#store.addGap(tx, {
      id,
      camera_id: cameraId,
      started_at: from,
      ended_at: until,
      cause,
    });
  }

  /** Adds a gap, joined with one of the same cause that ends where it begins. */
  async extend(tx: Tx, cameraId: string, from: Date, until: Date, cause: GapCause): Promise<void> {
    const before = await this.#store.gapUntil(tx, cameraId, from);
    if (before?.cause !== cause) return this.add(tx, cameraId, from, until, cause);
    await this.#store.endGap(tx, before.id, until);
  }

  async #goOn(
    tx: Tx,
    cameraId: string,
    startedAt: Date,
    before: GapCause,
    atMs: number,
    cause: GapCause,
  ): Promise<void> {
    const at = new Date(Math.max(atMs, startedAt.getTime()));
    await this.#store.takeGaps(tx, cameraId, startedAt, null);
    await this.add(tx, cameraId, startedAt, at, before);
    await this.add(tx, cameraId, at, null, cause);
  }
}

/**
 * Wanted pauses give way to outages and outages to them. Of two outages the first counts, until the camera is back
 * and the disk does not take what it sends.
 */
function mayReplace(known: GapCause, cause: GapCause): boolean {
  const isNoOutage = ['switched_off', 'restart', 'no_motion'].includes(known);
  return isNoOutage || ['no_motion', 'switched_off', 'disk'].includes(cause);
}
