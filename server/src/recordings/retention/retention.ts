/**
 * Removes recordings to make room: what is older than a camera's days, and the oldest on a disk that fills up. The
 * row goes first, then the file, with the garbage list between them, so that a crash leaves neither a row without a
 * file nor a file that nobody knows of.
 *
 * Removal by age happens only while the clock can be trusted: one that jumped ahead empties no archive.
 */
import { rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BelievedTime } from '#lib/believed-time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { syncFolder } from '#lib/sync-folder.ts';
import type { IndexStore } from '../index/index-store.ts';
import type { OldSegment, RemovalStore } from './removal-store.ts';
import { holds, isPresent, spaceOf, type RootRow, type Roots, type Space } from '../roots.ts';
import { usualSettings } from '../policies/settings-store.ts';

export interface RetentionOptions {
  readonly store: RemovalStore;
  readonly index: Pick<IndexStore, 'removeEmpty'>;
  readonly roots: Pick<Roots, 'all'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Tests set the sizes of disks. */
  readonly space?: (root: RootRow) => Space | null;
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const GiB = 1024 ** 3;
/** Space is checked each time; for age a minute more does not matter. */
const ageEveryMs = 60_000;
const batch = 200;

/**
 * What stays free on a disk: 5 %, 2 GiB, or what an hour of recording takes, whichever is most; on a small
 * disk at most a fifth.
 */
export function reserveBytes(totalBytes: number, hourBytes: number): number {
  return Math.min(totalBytes / 5, Math.max(totalBytes / 20, 2 * GiB, hourBytes));
}

export class Retention {
  readonly #options: RetentionOptions;
  readonly #time = new BelievedTime();
  #agedAtMs = -Infinity;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Returns how many files of segments were removed. */
  async run(signal: AbortSignal): Promise<number> {
    const roots = this.#options.roots.all.filter(isPresent);
    for (const root of roots) await this.#sweep(root, signal);
    let removed = await this.#byAge(roots, signal);
    for (const root of roots) removed += await this.#bySpace(root, signal);
    return removed;
  }

  async #byAge(roots: readonly RootRow[], signal: AbortSignal): Promise<number> {
    const { store, clock, log } = this.#options;
    const nowMs = clock.now();
    if (clock.monotonicMs() - this.#agedAtMs < ageEveryMs) return 0;
    this.#agedAtMs = clock.monotonicMs();
    const reading = { wallMs: nowMs, monotonicMs: clock.monotonicMs() };
    const believedAt = await store.believedAt();
    if (!this.#time.isBelieved(reading, believedAt?.getTime() ?? null)) {
      log.warn('the clock jumped: no recording is removed by age until it is steady');
      return 0;
    }
    await store.believe(new Date(nowMs));
    let removed = 0;
    // Recordings on a disk that is away are removed when it is back.
    const rootIds = roots.map(({ id }) => id);
    if (rootIds.length === 0) return 0;
    for (const { cameraId, days } of await store.retentions(usualSettings('').retention_days)) {
      const before = new Date(nowMs - days * dayMs);
      const oldest = () => store.endedBefore(rootIds, cameraId, before, batch);
      removed += await this.#removeWhile(roots, oldest, () => true, signal);
      await store.forgetGaps(cameraId, before);
      await store.forgetBookmarks(cameraId, before);
    }
    return removed;
  }

  async #bySpace(root: RootRow, signal: AbortSignal): Promise<number> {
    const { store, clock, log, space = spaceOf } = this.#options;
    const hourBytes = await store.bytesSince(root.id, new Date(clock.now() - hourMs));
    const isTight = (): boolean => {
      const now = space(root);
      return now !== null && now.freeBytes < reserveBytes(now.totalBytes, hourBytes);
    };
    if (!isTight()) return 0;
    const oldest = () => store.oldestOf(root.id, 10);
    const removed = await this.#removeWhile([root], oldest, isTight, signal);
    log.warn({ root: root.path, removed }, 'a disk fills up: the oldest recordings were removed');
    return removed;
  }

  async #removeWhile(
    roots: readonly RootRow[],
    oldest: () => Promise<OldSegment[]>,
    isNeeded: () => boolean,
    signal: AbortSignal,
  ): Promise<number> {
    let removed = 0;
    while (!signal.aborted && isNeeded()) {
      const segments = await oldest();
      if (segments.length === 0) break;
      await this.#discard(segments);
      for (const root of roots) await this.#sweep(root, signal);
      removed += segments.length;
    }
    return removed;
  }

  async #discard(segments: readonly OldSegment[]): Promise<void> {
    const { store, index } = this.#options;
    await store.transaction(async (tx) => {
      await store.discard(tx, segments);
      const recordings = new Set(segments.map(({ recording_id }) => recording_id));
      await index.removeEmpty(tx, [...recordings]);
    });
  }

  /** Removes files in the garbage, including those of an earlier run. */
  async #sweep(root: RootRow, signal: AbortSignal): Promise<void> {
    const { store } = this.#options;
    while (!signal.aborted) {
      const paths = (await store.garbageOf(root.id, batch)).map(({ path }) => path);
      if (paths.length === 0) return;
      const ours = paths.filter((path) => this.#isOurs(root, path));
      for (const path of ours) await rm(join(root.path, path), { force: true });
      for (const folder of new Set(ours.map((path) => dirname(path)))) {
        await leave(join(root.path, folder));
      }
      await store.forgetGarbage(root.id, paths);
    }
  }

  /** A path of the index is not trusted where it leads out of the root (H-10). */
  #isOurs(root: RootRow, path: string): boolean {
    if (holds(root, path)) return true;
    this.#options.log.error(
      { root: root.path, path },
      'a recording outside its root is not removed',
    );
    return false;
  }
}

/**
 * Makes the removal survive a power cut. An hour's folder that is empty now goes too, and its day's with the last
 * hour.
 */
async function leave(folder: string): Promise<void> {
  try {
    syncFolder(folder);
    await rmdir(folder);
    await rmdir(dirname(folder));
  } catch {
    // Not empty, or not there.
  }
}
