/**
 * Recordings of what cameras showed: which cameras are recorded when and where to, what is on the disks, what is
 * missing and why. Hosts write the files; this module has the plans they follow and the index of what they wrote.
 */
import type { CameraRecording } from '#cameras/cameras.ts';
import { awaitAtMost, systemClock } from '#lib/clock.ts';
import type { Folder } from '#lib/folder/folder-files.ts';
import { FolderProcess } from '#lib/folder/folder-process.ts';
import { Topic } from '#lib/topic.ts';
import type { Archive } from './archive/archive.ts';
import type { Bookmarks } from './bookmarks/bookmarks.ts';
import type { Days } from './archive/days.ts';
import type { DeletedCameras } from './archive/deleted-cameras.ts';
import type { Deletion } from './retention/deletion.ts';
import type { Exports } from './exports/exports.ts';
import type { Holds } from './retention/holds.ts';
import { IndexStore } from './index/index-store.ts';
import { makeParts, type PartsOptions, type RecordingParts } from './parts.ts';
import type { RecordingHosts } from './policies/plans.ts';
import type { Playback } from './playback/playback.ts';
import type { Stills } from './playback/stills.ts';
import type { Thumbnails } from './playback/thumbnails.ts';
import type { Policies } from './policies/policies.ts';
import { fitOf } from './policies/forecast.ts';
import type { StorageFit } from '@nazar/contract/recordings.ts';
import { secondScanMs, type RecoveryReport } from './index/recovery.ts';
import { Roots, type RecordingFolder, type RootsOptions } from './roots.ts';
import { rootName } from './storage-path.ts';
import type { Statistics } from './archive/statistics.ts';
import type { MotionSearch } from './archive/motion-search.ts';
import type { Timelines } from './archive/timelines.ts';

export { checkRecordings, type CheckFault } from './index/check.ts';
export type { RecoveryReport } from './index/recovery.ts';
export { verifyExport, type Verdict as ExportVerdict } from './exports/proof.ts';
export { repairIndex } from './index/repair.ts';
export type { RecordingFolder } from './roots.ts';

export interface RecordingsOptions extends PartsOptions {
  /** Folders for recordings, at least one; the first is the default. */
  readonly folders: readonly RecordingFolder[];
  /** Tests read a folder in their own process. */
  readonly openFolder?: RootsOptions['open'] | undefined;
  /** Tests set the sizes of disks. */
  readonly sized?: RootsOptions['sized'];
}

/** `away`: its disk is not there; `hung`: its disk does not answer. */
export interface UnusableFolder {
  readonly id: string;
  readonly state: 'away' | 'hung';
  /** As users write it: `/recordings-2/`. */
  readonly name: string;
}

const scanEveryMs = 60 * 60_000;
/** Recording is back within 5 s of there being room. */
const stepMs = 4_000;
/** What is being read and written ends well within it, unless a disk hangs. */
const endMs = 5_000;

export class Recordings implements AsyncDisposable {
  /** A recording of the camera began or was deleted, or why and how it is recorded or what is held of it changed. */
  readonly changed: Topic<{ readonly cameraId: string }>;
  readonly archive: Archive;
  readonly timelines: Timelines;
  readonly days: Days;
  readonly bookmarks: Bookmarks;
  readonly deletedCameras: DeletedCameras;
  readonly motionSearch: MotionSearch;
  readonly policies: Policies;
  readonly holds: Holds;
  readonly statistics: Statistics;
  readonly deletion: Deletion;
  readonly playback: Playback;
  readonly thumbnails: Thumbnails;
  readonly stills: Stills;
  readonly exports: Exports;
  readonly #options: RecordingsOptions;
  readonly #parts: RecordingParts;
  readonly #stop = new AbortController();
  #subscription: Disposable | null = null;
  /** Aborted when a folder answers again: its files are then checked for changes made meanwhile. */
  #answered = new AbortController();
  #working: Promise<unknown> = Promise.resolve();
  #recovering: Promise<unknown> = Promise.resolve();

  private constructor(options: RecordingsOptions, roots: Roots) {
    this.#options = options;
    this.changed = new Topic((error) =>
      options.log.error({ err: error }, 'reader of recordings.changed failed'),
    );
    const parts = makeParts(options, roots, (cameraId) => this.changed.publish({ cameraId }));
    this.#parts = parts;
    this.archive = parts.archive;
    this.timelines = parts.timelines;
    this.days = parts.days;
    this.bookmarks = parts.bookmarks;
    this.deletedCameras = parts.deletedCameras;
    this.motionSearch = parts.motionSearch;
    this.policies = parts.policies;
    this.holds = parts.holds;
    this.statistics = parts.statistics;
    this.deletion = parts.deletion;
    this.playback = parts.playback;
    this.thumbnails = parts.thumbnails;
    this.stills = parts.stills;
    this.exports = parts.exports;
  }

  /** How many days of all cameras really fit; null while nothing is measured. */
  async fit(): Promise<StorageFit | null> {
    return fitOf(await this.#parts.estimate.fits());
  }

  static async open(options: RecordingsOptions): Promise<Recordings> {
    const { folders, db, clock, log, openFolder, sized } = options;
    let recordings: Recordings | null = null;
    const changed = (isHung: boolean): void => {
      if (recordings) recordings.#folderChanged(isHung);
    };
    const own = (folder: string, markFile: string): Folder =>
      new FolderProcess({ folder, markFile, log, changed });
    const roots = await Roots.open(folders, new IndexStore(db), clock, {
      open: openFolder ?? own,
      ...(sized && { sized }),
    });
    recordings = new Recordings(options, roots);
    return recordings;
  }

  /**
   * Records with these hosts from now on. They end before this module, so that their last messages are still handled.
   */
  async follow(media: RecordingHosts): Promise<void> {
    this.#subscription = media.recorded.on((news) => this.#parts.indexer.received(news));
    await this.#parts.plans.follow(media);
    this.#parts.runner.start();
    this.#working = Promise.all([this.#keepRecovering(), this.#keepInStep(), this.#keepRoom()]);
  }

  /** The folders whose disks are not there or do not answer, which is waited for once. */
  async unusableFolders(): Promise<readonly UnusableFolder[]> {
    const { roots } = this.#parts;
    const { named } = roots;
    const states = await Promise.all(named.map((root) => roots.stateOf(root)));
    return named.flatMap((root, index) => {
      const state = states[index]!.kind;
      return state === 'present' ? [] : [{ id: root.id, state, name: rootName(named, root) }];
    });
  }

  /** A folder does not answer, or does again. */
  #folderChanged(isHung: boolean): void {
    void this.#parts.plans.sync();
    if (!isHung) this.#answered.abort();
  }

  /** Why it is recorded, and how that goes. */
  recordingOf(cameraId: string): CameraRecording {
    return this.#parts.plans.recordingOf(cameraId);
  }

  /** Scans all disks once, one scan at a time; what may still be written is left for the next. */
  recover(): Promise<RecoveryReport> {
    const scan = () => this.#parts.recovery.run(this.#stop.signal);
    const report = this.#recovering.then(scan, scan);
    this.#recovering = report;
    return report;
  }

  /** Resolves when all that hosts reported up to now is in the index. */
  settled(): Promise<void> {
    return this.#parts.indexer.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = this.#end();
    await awaitAtMost(systemClock, ended, endMs);
    // What still waits for a disk that hangs is let go.
    await this.#parts.roots[Symbol.asyncDispose]();
    await ended;
  }

  async #end(): Promise<void> {
    this.#stop.abort();
    this.#subscription?.[Symbol.dispose]();
    await this.#parts.runner[Symbol.asyncDispose]();
    await this.#parts.plans[Symbol.asyncDispose]();
    await Promise.allSettled([this.#working, this.#recovering]);
    await this.#parts.indexer[Symbol.asyncDispose]();
  }

  async #keepRecovering(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    for (let waitMs = secondScanMs; !signal.aborted;) {
      this.#answered = new AbortController();
      await this.recover().then(
        (report) => log.info(report, 'recordings and their index compared'),
        (error: unknown) => log.error({ err: error }, 'recordings could not be compared'),
      );
      const { signal: answered } = this.#answered;
      const woken = AbortSignal.any([signal, answered]);
      await clock.wait(waitMs, woken).catch(() => undefined);
      waitMs = answered.aborted ? secondScanMs : scanEveryMs;
    }
  }

  /** Disks come, go and fill up without notice. */
  async #keepInStep(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await clock.wait(Math.min(stepMs, this.#parts.plans.steadyMs), signal).catch(() => undefined);
      if (signal.aborted) return;
      await this.#parts.plans.sync();
    }
  }

  /** Beside it: removing files takes as long as a disk takes. */
  async #keepRoom(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await clock.wait(stepMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      await this.#parts.retention.run(signal).catch((error: unknown) => {
        log.error({ err: error }, 'old recordings could not be removed');
      });
    }
  }
}
