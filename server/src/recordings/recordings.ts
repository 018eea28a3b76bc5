/**
 * Recordings of what cameras showed: which cameras are recorded when and where to, what is on the disks, what is
 * missing and why. Hosts write the files; this module has the plans they follow and the index of what they wrote.
 */
import type { Activity } from '#activity/activity.ts';
import type { CameraRecording, Cameras } from '#cameras/cameras.ts';
import type { Database } from '#db/database.ts';
import { awaitAtMost, systemClock, type Clock } from '#lib/clock.ts';
import type { Folder } from '#lib/folder/folder-files.ts';
import { FolderProcess } from '#lib/folder/folder-process.ts';
import type { Log } from '#lib/log.ts';
import { Topic } from '#lib/topic.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { MaskingLimit, MediaWorkers } from '#media/media.ts';
import { Archive } from './archive/archive.ts';
import { ArchiveStore } from './archive/archive-store.ts';
import { BookmarkStore } from './bookmarks/bookmark-store.ts';
import { Bookmarks } from './bookmarks/bookmarks.ts';
import { Days } from './archive/days.ts';
import { DaysStore } from './archive/days-store.ts';
import { DeletedCameras } from './archive/deleted-cameras.ts';
import { DeletedStore } from './archive/deleted-store.ts';
import { PlayableCameras } from './archive/playable-cameras.ts';
import { SegmentIndexer } from './index/segment-indexer.ts';
import { Deletion } from './retention/deletion.ts';
import { ExportStore } from './exports/export-store.ts';
import { Exports } from './exports/exports.ts';
import { ExportMaker } from './exports/export-maker.ts';
import { ExportRunner } from './exports/runner.ts';
import { HoldStore } from './retention/hold-store.ts';
import { Holds } from './retention/holds.ts';
import { IndexStore } from './index/index-store.ts';
import { Plans, type RecordingHosts } from './policies/plans.ts';
import { MaskedParts } from './playback/masked-parts.ts';
import { PlaybackStore } from './playback/playback-store.ts';
import { Playback } from './playback/playback.ts';
import { Stills } from './playback/stills.ts';
import { StillStore } from './playback/still-store.ts';
import { Thumbnails } from './playback/thumbnails.ts';
import { Policies } from './policies/policies.ts';
import { fitOf } from './policies/forecast.ts';
import { StorageEstimate } from './policies/storage-estimate.ts';
import type { StorageFit } from '@nazar/contract/recordings.ts';
import { Recovery, secondScanMs, type RecoveryReport } from './index/recovery.ts';
import { RemovalStore } from './retention/removal-store.ts';
import { Retention } from './retention/retention.ts';
import { Roots, type RecordingFolder, type RootsOptions } from './roots.ts';
import { rootName } from './storage-path.ts';
import { SettingsStore } from './policies/settings-store.ts';
import { Statistics } from './archive/statistics.ts';
import { MotionSearch } from './archive/motion-search.ts';
import { MotionStore } from './archive/motion-store.ts';
import { TimelineStore } from './archive/timeline-store.ts';
import { Timelines } from './archive/timelines.ts';

export { checkRecordings, type CheckFault } from './index/check.ts';
export type { RecoveryReport } from './index/recovery.ts';
export { verifyExport, type Verdict as ExportVerdict } from './exports/proof.ts';
export { repairIndex } from './index/repair.ts';
export type { RecordingFolder } from './roots.ts';

export interface RecordingsOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly cameras: Pick<
    Cameras,
    'mustSee' | 'mustSeeEvenDeleted' | 'visibleAmong' | 'read' | 'toRecord' | 'changed' | 'zones'
  >;
  /** The key from which the signing key of exports is derived. */
  readonly key: SecretKey;
  /** The workers that decode and copy recorded files. */
  readonly workers: MediaWorkers;
  /** How much of it is encoded again at once. */
  readonly maskingLimit: MaskingLimit;
  /** Folders for recordings, at least one; the first is the default. */
  readonly folders: readonly RecordingFolder[];
  readonly clock: Clock;
  readonly log: Log;
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
  readonly #roots: Roots;
  readonly #indexer: SegmentIndexer;
  readonly #plans: Plans;
  readonly #recovery: Recovery;
  readonly #retention: Retention;
  readonly #estimate: StorageEstimate;
  readonly #runner: ExportRunner;
  readonly #stop = new AbortController();
  #subscription: Disposable | null = null;
  /** Aborted when a folder answers again: its files are then checked for changes made meanwhile. */
  #answered = new AbortController();
  #working: Promise<unknown> = Promise.resolve();
  #recovering: Promise<unknown> = Promise.resolve();

  private constructor(options: RecordingsOptions, roots: Roots) {
    const { db, activity, cameras, clock, log } = options;
    const store = new IndexStore(db);
    this.#options = options;
    this.#roots = roots;
    this.changed = new Topic((error) =>
      log.error({ err: error }, 'reader of recordings.changed failed'),
    );
    const changed = (cameraId: string): void => this.changed.publish({ cameraId });
    this.#indexer = new SegmentIndexer({
      store,
      roots,
      isWanted: (cameraId) => this.#plans.isWanted(cameraId),
      began: changed,
      clock,
      log,
    });
    const indexer = this.#indexer;
    const settings = new SettingsStore(db);
    this.#plans = new Plans({
      settings,
      store,
      roots,
      cameras,
      indexer,
      changed,
      clock,
      log,
    });
    this.#recovery = new Recovery({ store, roots, indexer, log });
    const removal = new RemovalStore(db);
    const archive = new ArchiveStore(db);
    this.archive = new Archive({ store: archive, roots, activity, cameras, clock });
    const playable = new PlayableCameras(cameras, archive);
    const bookmarks = new BookmarkStore(db);
    this.bookmarks = new Bookmarks({ store: bookmarks, playable, activity, clock });
    this.deletedCameras = new DeletedCameras(new DeletedStore(db));
    this.days = new Days({ store: new DaysStore(db), playable, cameras, clock });
    const timeline = new TimelineStore(db);
    this.timelines = new Timelines({ store: timeline, playable, cameras, clock });
    this.motionSearch = new MotionSearch({ store: new MotionStore(db), playable, cameras, clock });
    const estimate = new StorageEstimate({ removal, settings, roots, cameras, clock });
    this.#estimate = estimate;
    const plans = this.#plans;
    this.policies = new Policies({
      store: settings,
      roots,
      plans,
      estimate,
      activity,
      cameras,
      playable,
      clock,
    });
    const { archive: found } = this;
    this.statistics = new Statistics({
      store: archive,
      archive: found,
      roots,
      cameras,
      estimate,
    });
    const played = new PlaybackStore(db);
    const seen = archive;
    const { workers, maskingLimit } = options;
    const masked = new MaskedParts({ roots, zones: cameras.zones, workers });
    this.playback = new Playback({
      store: played,
      archive: found,
      playable,
      activity,
      cameras,
      masked,
      maskingLimit,
      clock,
    });
    this.thumbnails = new Thumbnails({ store: played, playable, seen, roots, cameras, workers });
    this.stills = new Stills({
      store: new StillStore(db),
      thumbnails: this.thumbnails,
      playable,
      activity,
      roots,
      cameras,
      workers,
      clock,
    });
    const exporting = openExports(options, roots, { segments: played, timeline, seen, playable });
    this.exports = exporting.exports;
    this.#runner = exporting.runner;
    this.deletion = new Deletion({
      store: removal,
      index: store,
      archive,
      activity,
      clock,
      changed,
    });
    this.holds = new Holds({ store: new HoldStore(db), activity, cameras, clock, changed });
    this.#retention = new Retention({ store: removal, index: store, roots, clock, log });
  }

  /** How many days of all cameras really fit; null while nothing is measured. */
  async fit(): Promise<StorageFit | null> {
    return fitOf(await this.#estimate.fits());
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
    this.#subscription = media.recorded.on((news) => this.#indexer.received(news));
    await this.#plans.follow(media);
    this.#runner.start();
    this.#working = Promise.all([this.#keepRecovering(), this.#keepInStep(), this.#keepRoom()]);
  }

  /** The folders whose disks are not there or do not answer, which is waited for once. */
  async unusableFolders(): Promise<readonly UnusableFolder[]> {
    const { named } = this.#roots;
    const states = await Promise.all(named.map((root) => this.#roots.stateOf(root)));
    return named.flatMap((root, index) => {
      const state = states[index]!.kind;
      return state === 'present' ? [] : [{ id: root.id, state, name: rootName(named, root) }];
    });
  }

  /** A folder does not answer, or does again. */
  #folderChanged(isHung: boolean): void {
    void this.#plans.sync();
    if (!isHung) this.#answered.abort();
  }

  /** Why it is recorded, and how that goes. */
  recordingOf(cameraId: string): CameraRecording {
    return this.#plans.recordingOf(cameraId);
  }

  /** Scans all disks once, one scan at a time; what may still be written is left for the next. */
  recover(): Promise<RecoveryReport> {
    const scan = () => this.#recovery.run(this.#stop.signal);
    const report = this.#recovering.then(scan, scan);
    this.#recovering = report;
    return report;
  }

  /** Resolves when all that hosts reported up to now is in the index. */
  settled(): Promise<void> {
    return this.#indexer.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = this.#end();
    await awaitAtMost(systemClock, ended, endMs);
    // What still waits for a disk that hangs is let go.
    await this.#roots[Symbol.asyncDispose]();
    await ended;
  }

  async #end(): Promise<void> {
    this.#stop.abort();
    this.#subscription?.[Symbol.dispose]();
    await this.#runner[Symbol.asyncDispose]();
    await this.#plans[Symbol.asyncDispose]();
    await Promise.allSettled([this.#working, this.#recovering]);
    await this.#indexer[Symbol.asyncDispose]();
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
      await clock.wait(Math.min(stepMs, this.#plans.steadyMs), signal).catch(() => undefined);
      if (signal.aborted) return;
      await this.#plans.sync();
    }
  }

  /** Beside it: removing files takes as long as a disk takes. */
  async #keepRoom(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await clock.wait(stepMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      await this.#retention.run(signal).catch((error: unknown) => {
        log.error({ err: error }, 'old recordings could not be removed');
      });
    }
  }
}

/** The API of exports, and the runner that makes them. */
function openExports(
  options: RecordingsOptions,
  roots: Roots,
  index: {
    segments: PlaybackStore;
    timeline: TimelineStore;
    seen: ArchiveStore;
    playable: PlayableCameras;
  },
): { readonly exports: Exports; readonly runner: ExportRunner } {
  const { db, activity, cameras, workers, key, clock, log } = options;
  const store = new ExportStore(db);
  const { zones } = cameras;
  const keys = key.signingPair();
  const maker = new ExportMaker({ store, ...index, roots, workers, zones, keys, clock });
  const runner = new ExportRunner({ store, maker, clock, log });
  const { segments, seen, playable } = index;
  const exports = new Exports({
    store,
    segments,
    runner,
    maker,
    seen,
    playable,
    roots,
    activity,
    cameras,
    clock,
  });
  return { exports, runner };
}
