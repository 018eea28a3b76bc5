/**
 * Removes recordings to make room, by the rule of `rule.ts`. The row goes first, then the file, with the garbage list
 * between them, so that a crash leaves neither a row without a file nor a file that no row names.
 *
 * Removal by age happens only while the clock can be trusted: one that jumped ahead empties no archive.
 */
import { dirname, join } from 'node:path';
import { BelievedTime } from '#lib/believed-time.ts';
import type { Clock } from '#lib/clock.ts';
import type { FolderFiles } from '#lib/folder/folder-files.ts';
import { isOfDisk } from '#lib/folder/folder-process.ts';
import type { Log } from '#lib/log.ts';
import type { IndexStore } from '../index/index-store.ts';
import type { OldSegment, RemovalStore } from './removal-store.ts';
import { agedAt, isTight, type Aged } from './rule.ts';
import type { RootRow, Roots } from '../roots.ts';
import { usualSettings } from '../policies/settings-store.ts';

export interface RetentionOptions {
  readonly store: RemovalStore;
  readonly index: Pick<IndexStore, 'removeEmpty'>;
  readonly roots: Pick<Roots, 'all' | 'named' | 'present' | 'spaceOf' | 'holds' | 'filesOf'>;
  readonly clock: Clock;
  readonly log: Log;
}

const hourMs = 60 * 60_000;
/** Space is checked each time; for age a minute more does not matter. */
const ageEveryMs = 60_000;
const batch = 200;

export class Retention {
  readonly #options: RetentionOptions;
  readonly #time = new BelievedTime();
  #agedAtMs = -Infinity;
  #discarded: Promise<void> = Promise.resolve();

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Returns how many files of segments were removed. A disk that is slow, fails or hangs holds up no other. */
  async run(signal: AbortSignal): Promise<number> {
    const { roots } = this.#options;
    const isAgeDue = this.#isAgeDue();
    // Former folders, whose disks are mostly gone, are checked as rarely as age is.
    const present = await roots.present(isAgeDue ? roots.all : roots.named);
    const aged = isAgeDue && present.length > 0 ? await this.#aged() : [];
    const removed = await Promise.allSettled(
      present.map((root) => this.#ofRoot(root, aged, signal)),
    );
    const failed = removed.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    for (const { cameraId, before } of aged) await this.#forget(cameraId, before);
    return removed.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0);
  }

  async #ofRoot(root: RootRow, aged: readonly Aged[], signal: AbortSignal): Promise<number> {
    const { store } = this.#options;
    if (!(await this.#sweep(root, signal))) return 0;
    let removed = 0;
    // Recordings on a disk that is away are removed when it is back.
    for (const { cameraId, before } of aged) {
      const oldest = () => store.endedBefore([root.id], cameraId, before, batch);
      removed += await this.#removeWhile(root, oldest, async () => true, signal);
    }
    return removed + (await this.#bySpace(root, signal));
  }

  #isAgeDue(): boolean {
    const { clock } = this.#options;
    if (clock.monotonicMs() - this.#agedAtMs < ageEveryMs) return false;
    this.#agedAtMs = clock.monotonicMs();
    return true;
  }

  /** What is too old of each camera; nothing while the clock can't be trusted. */
  async #aged(): Promise<Aged[]> {
    const { store, clock, log } = this.#options;
    const nowMs = clock.now();
    const reading = { wallMs: nowMs, monotonicMs: clock.monotonicMs() };
    const believedAt = await store.believedAt();
    if (!this.#time.isBelieved(reading, believedAt?.getTime() ?? null)) {
      log.warn('the clock jumped: no recording is removed by age until it is steady');
      return [];
    }
    await store.believe(new Date(nowMs));
    return agedAt(nowMs, await store.retentions(usualSettings('').retention_days));
  }

  async #forget(cameraId: string, before: Date): Promise<void> {
    const { store } = this.#options;
    await store.forgetGaps(cameraId, before);
    await store.forgetBookmarks(cameraId, before);
  }

  async #bySpace(root: RootRow, signal: AbortSignal): Promise<number> {
    const { store, clock, log, roots } = this.#options;
    const hourBytes = await store.bytesSince(root.id, new Date(clock.now() - hourMs));
    const isNeeded = async () => isTight(await roots.spaceOf(root), hourBytes);
    if (!(await isNeeded())) return 0;
    const oldest = () => store.oldestOf(root.id, 10);
    const removed = await this.#removeWhile(root, oldest, isNeeded, signal);
    log.warn({ root: root.path, removed }, 'a disk fills up: the oldest recordings were removed');
    return removed;
  }

  async #removeWhile(
    root: RootRow,
    oldest: () => Promise<OldSegment[]>,
    isNeeded: () => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<number> {
    let removed = 0;
    while (!signal.aborted && (await isNeeded())) {
      const segments = await oldest();
      if (segments.length === 0) break;
      await this.#discardInTurn(segments);
      removed += segments.length;
      // While no file can be removed no further row may go: its room would not come back.
      if (!(await this.#sweep(root, signal))) break;
    }
    return removed;
  }

  /** One at a time: of two at once, neither would see that a recording on two disks is empty. */
  #discardInTurn(segments: readonly OldSegment[]): Promise<void> {
    const discarded = this.#discarded.then(() => this.#discard(segments));
    this.#discarded = discarded.catch(() => undefined);
    return discarded;
  }

  async #discard(segments: readonly OldSegment[]): Promise<void> {
    const { store, index } = this.#options;
    await store.transaction(async (tx) => {
      await store.discard(tx, segments);
      const recordings = new Set(segments.map(({ recording_id }) => recording_id));
      await index.removeEmpty(tx, [...recordings]);
    });
  }

  /** Removes files in the garbage, including those of an earlier run. False: the disk fails or hangs. */
  async #sweep(root: RootRow, signal: AbortSignal): Promise<boolean> {
    const { store, log } = this.#options;
    while (!signal.aborted) {
      const paths = (await store.garbageOf(root.id, batch)).map(({ path }) => path);
      if (paths.length === 0) return true;
      try {
        await this.#removeFiles(root, paths);
      } catch (error) {
        if (!isOfDisk(error)) throw error;
        log.warn({ err: error, root: root.path }, 'old recordings could not be removed yet');
        return false;
      }
      await store.forgetGarbage(root.id, paths);
    }
    return true;
  }

  async #removeFiles(root: RootRow, paths: readonly string[]): Promise<void> {
    const files = this.#options.roots.filesOf(root);
    const folders = new Set<string>();
    for (const path of paths) {
      if (!(await this.#isOurs(root, path))) continue;
      await files.remove(join(root.path, path));
      folders.add(dirname(path));
    }
    for (const folder of folders) await leave(files, join(root.path, folder));
  }

  /** A path of the index is not trusted where it leads out of the root. */
  async #isOurs(root: RootRow, path: string): Promise<boolean> {
    if (await this.#options.roots.holds(root, path)) return true;
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
async function leave(files: FolderFiles, folder: string): Promise<void> {
  if ((await files.list(folder)) === null) return;
  await files.syncFolder(folder);
  if (await files.removeEmptyFolder(folder)) await files.removeEmptyFolder(dirname(folder));
}
