/**
 * What cameras showed, kept: which of them are recorded when and where to, what is on the disks, what is missing
 * and why. Hosts write the files; here are the plans they follow and the index of what they wrote.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Camera } from '@nazar/contract/cameras.ts';
import type {
  Recording,
  RecordingForecast,
  RecordingQuery,
  RecordingSettings,
  RecordingSettingsPatch,
  Segment,
  Timeline,
  TimelineQuery,
} from '@nazar/contract/recordings.ts';
import type { Activity, Action, Details } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Database, Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { ArchiveStore, type ListedRecording } from './archive-store.ts';
import { Bookkeeping } from './bookkeeping.ts';
import { HoldStore } from './hold-store.ts';
import { Holds } from './holds.ts';
import { IndexStore, type SegmentRow } from './index-store.ts';
import { Plans, type RecordingHosts } from './plans.ts';
import { Prospects } from './prospects.ts';
import { Recovery, secondLookMs, type RecoveryReport } from './recovery.ts';
import { RemovalStore } from './removal-store.ts';
import { Retention } from './retention.ts';
import { Roots, spaceOf, type RecordingFolder, type RootRow, type Space } from './roots.ts';
import { SettingsStore, type SettingsRow } from './settings-store.ts';
import { folderOf, shownPath } from './storage-path.ts';

export { checkRecordings, type CheckFault } from './check.ts';
export type { RecoveryReport } from './recovery.ts';
export { repairIndex } from './repair.ts';
export type { RecordingFolder } from './roots.ts';

export interface RecordingsOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly cameras: Pick<Cameras, 'mustSee' | 'read' | 'toRecord' | 'changed'>;
  /** Folders for recordings, at least one; the first is the usual one. */
  readonly folders: readonly RecordingFolder[];
  readonly clock: Clock;
  readonly log: Log;
  /** Tests bring disks of a size of their own. */
  readonly space?: (root: RootRow) => Space | null;
}

/** A file as it may be sent. */
export interface SegmentFile {
  readonly path: string;
  readonly bytes: number;
  readonly name: string;
}

const lookEveryMs = 60 * 60_000;
/** recording is back within 5 s of there being room. */
const stepMs = 4_000;
const dayMs = 24 * 60 * 60_000;
/** A player asks for many ranges of many files: one entry an hour says who watched that camera's past (C-806). */
const playedMs = 60 * 60_000;

export class Recordings implements AsyncDisposable {
  readonly holds: Holds;
  readonly #options: RecordingsOptions;
  readonly #roots: Roots;
  readonly #settings: SettingsStore;
  readonly #archive: ArchiveStore;
  readonly #bookkeeping: Bookkeeping;
  readonly #plans: Plans;
  readonly #recovery: Recovery;
  readonly #retention: Retention;
  readonly #prospects: Prospects;
  readonly #stop = new AbortController();
  #subscription: Disposable | null = null;
  #working: Promise<unknown> = Promise.resolve();
  #looking: Promise<unknown> = Promise.resolve();

  private constructor(options: RecordingsOptions, roots: Roots) {
    const { db, cameras, clock, log, space = spaceOf } = options;
    const store = new IndexStore(db);
    this.#options = options;
    this.#roots = roots;
    this.#settings = new SettingsStore(db);
    this.#archive = new ArchiveStore(db);
    this.#bookkeeping = new Bookkeeping({
      store,
      roots,
      isWanted: (cameraId) => this.#plans.isWanted(cameraId),
      clock,
      log,
    });
    const bookkeeping = this.#bookkeeping;
    const settings = this.#settings;
    this.#plans = new Plans({ settings, store, roots, cameras, bookkeeping, clock, log, space });
    this.#recovery = new Recovery({ store, bookkeeping, log });
    const removal = new RemovalStore(db);
    this.#prospects = new Prospects({ removal, settings, roots, clock, space });
    const { activity } = options;
    this.holds = new Holds({ store: new HoldStore(db), activity, cameras, clock });
    this.#retention = new Retention({ store: removal, index: store, roots, clock, log, space });
  }

  static async open(options: RecordingsOptions): Promise<Recordings> {
    const { folders, db, clock } = options;
    const roots = await Roots.open(folders, new IndexStore(db), clock);
    return new Recordings(options, roots);
  }

  /** Records with these hosts from now on. They end first, so that what they say last is still heard. */
  async follow(media: RecordingHosts): Promise<void> {
    this.#subscription = media.recorded.on((news) => this.#bookkeeping.heard(news));
    await this.#plans.follow(media);
    this.#working = Promise.all([this.#keepRecovering(), this.#keepInStep()]);
  }

  /** Whether it is to be recorded, and nothing is known to be in the way. */
  isRecording(cameraId: string): boolean {
    return this.#plans.isWanted(cameraId) && !this.#bookkeeping.isInterrupted(cameraId);
  }

  async list(
    scope: Scope,
    query: RecordingQuery,
  ): Promise<{ count: number; results: Recording[] }> {
    const { count, rows } = await this.#archive.list(scope, query);
    return { count, results: rows.map(asRecording) };
  }

  /** Throws recording_not_found. */
  async read(scope: Scope, id: string): Promise<Recording> {
    const row = await this.#archive.find(scope, id);
    if (!row) throw new Problem('recording_not_found');
    return asRecording(row);
  }

  /** Throws recording_not_found. */
  async segments(scope: Scope, recordingId: string): Promise<Segment[]> {
    const rows = await this.#archive.segmentsOf(scope, recordingId);
    if (rows.length === 0) throw new Problem('recording_not_found');
    return rows.map(asSegment);
  }

  /** Throws recording_not_found, recording_incomplete, recording_disk_away. */
  async file(scope: Scope, segmentId: string): Promise<SegmentFile> {
    const row = await this.#archive.segment(scope, segmentId);
    if (!row) throw new Problem('recording_not_found');
    if (row.bytes === null) throw new Problem('recording_incomplete');
    const root = this.#roots.pathOf(row.root_id);
    const path = root === null ? null : join(root, row.path);
    if (path === null || !existsSync(path)) throw new Problem('recording_disk_away');
    const object = cameraOf(row.camera_id);
    const entry = { actor: scope, action: 'recording.played', object } as const;
    await this.#options.activity.recordRead(entry, { withinMs: playedMs });
    return { path, bytes: row.bytes, name: basename(row.path) };
  }

  /** Throws camera_not_found, forbidden. */
  async timeline(scope: Scope, cameraId: string, query: TimelineQuery): Promise<Timeline> {
    await this.#options.cameras.mustSee(scope, cameraId);
    if (!(await this.#archive.sees(scope, cameraId))) throw new Problem('forbidden');
    const now = new Date(this.#options.clock.now());
    const until = query.until === undefined ? now : new Date(query.until);
    const from = new Date(query.from ?? until.getTime() - dayMs);
    const period = { from, until, resolutionMs: query.resolution_ms };
    const [spans, gaps] = await Promise.all([
      this.#archive.spans(cameraId, period, now),
      this.#archive.gaps(cameraId, period),
    ]);
    return {
      spans: spans.map(({ type, started_at, ended_at }) => ({
        type,
        started_at: started_at.toISOString(),
        ended_at: ended_at.toISOString(),
      })),
      gaps: gaps.map(({ cause, started_at, ended_at }) => ({
        cause,
        started_at: started_at.toISOString(),
        ended_at: ended_at?.toISOString() ?? null,
      })),
    };
  }

  /** Throws camera_not_found, camera_not_active, camera_url_missing, recording_not_active, recording_by_settings. */
  async toggle(scope: Scope, cameraId: string, wanted: boolean): Promise<Camera> {
    const { name, status, has_url } = await this.#options.cameras.read(scope, cameraId);
    if (wanted && status !== 'active') throw new Problem('camera_not_active', { name });
    if (wanted && !has_url) throw new Problem('camera_url_missing');
    const now = new Date(this.#options.clock.now());
    await this.#change(
      scope,
      cameraId,
      wanted ? 'recording.started' : 'recording.stopped',
      (row) => {
        const isManual = row.manual_since !== null;
        if (wanted) return isManual ? null : { change: { manual_since: now } };
        if (isManual) return { change: { manual_since: null } };
        const isBySettings = this.#plans.isWanted(cameraId);
        throw new Problem(isBySettings ? 'recording_by_settings' : 'recording_not_active', {
          name,
        });
      },
    );
    return this.#options.cameras.read(scope, cameraId);
  }

  /** Throws camera_not_found. */
  async settings(scope: Scope, cameraId: string): Promise<RecordingSettings> {
    await this.#options.cameras.mustSee(scope, cameraId);
    return this.#asSettings(await this.#settings.of(cameraId));
  }

  /** Throws camera_not_found, storage_path_refused. */
  async changeSettings(
    scope: Scope,
    cameraId: string,
    patch: RecordingSettingsPatch,
  ): Promise<RecordingSettings> {
    await this.#options.cameras.mustSee(scope, cameraId);
    const change = this.#changeOf(patch);
    await this.#change(scope, cameraId, 'recording.settings_changed', () => ({
      change,
      details: { fields: Object.keys(patch) },
    }));
    return this.#asSettings(await this.#settings.of(cameraId));
  }

  /** What that change would come to; nothing is changed. Throws camera_not_found, storage_path_refused. */
  async forecast(
    scope: Scope,
    cameraId: string,
    patch: RecordingSettingsPatch,
  ): Promise<RecordingForecast> {
    await this.#options.cameras.mustSee(scope, cameraId);
    const row = await this.#settings.of(cameraId);
    return this.#prospects.of({ ...row, ...this.#changeOf(patch) });
  }

  /** One look at all disks; what may still be written is left for the next. One at a time. */
  recover(): Promise<RecoveryReport> {
    const look = () => this.#recovery.run(this.#roots.all, this.#stop.signal);
    const looked = this.#looking.then(look, look);
    this.#looking = looked;
    return looked;
  }

  /** All that hosts told up to now is in the index. */
  settled(): Promise<void> {
    return this.#bookkeeping.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#subscription?.[Symbol.dispose]();
    await this.#plans[Symbol.asyncDispose]();
    await Promise.allSettled([this.#working, this.#looking]);
    await this.#bookkeeping[Symbol.asyncDispose]();
  }

  async #keepRecovering(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    for (let waitMs = secondLookMs; !signal.aborted; waitMs = lookEveryMs) {
      await this.recover().then(
        (report) => log.info(report, 'recordings and their index compared'),
        (error: unknown) => log.error({ err: error }, 'recordings could not be compared'),
      );
      await clock.wait(waitMs, signal).catch(() => undefined);
    }
  }

  /** Disks come, go and fill up without a word. */
  async #keepInStep(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await clock.wait(stepMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      await this.#plans.sync();
      await this.#retention.run(signal).catch((error: unknown) => {
        log.error({ err: error }, 'old recordings could not be removed');
      });
    }
  }

  async #change(
    scope: Scope,
    cameraId: string,
    action: Action,
    decide: (
      row: SettingsRow,
    ) => { readonly change: Partial<SettingsRow>; readonly details?: Details } | null,
  ): Promise<void> {
    const now = new Date(this.#options.clock.now());
    await this.#settings.transaction(async (tx: Tx) => {
      const decided = decide(await this.#settings.hold(tx, cameraId, now));
      if (!decided) return;
      await this.#settings.change(tx, cameraId, decided.change, now);
      const details = decided.details ?? {};
      const entry = { actor: scope, action, object: cameraOf(cameraId), details };
      await this.#options.activity.record(tx, entry);
    });
    await this.#plans.sync();
  }

  /** Throws storage_path_refused. */
  #changeOf(patch: RecordingSettingsPatch): Partial<SettingsRow> {
    const { storagePath, continuousRecording, motionDetection, schedule, retentionDays } = patch;
    const place = storagePath === undefined ? null : folderOf(this.#roots.named, storagePath);
    return {
      ...(place && { root_id: place.root.id, folder: place.folder }),
      ...(continuousRecording !== undefined && { continuous: continuousRecording }),
      ...(motionDetection !== undefined && { motion: motionDetection }),
      ...(schedule !== undefined && { schedule }),
      ...(retentionDays !== undefined && { retention_days: retentionDays }),
    };
  }

  #asSettings(row: SettingsRow): RecordingSettings {
    return {
      storagePath: shownPath(this.#roots.named, row),
      continuousRecording: row.continuous,
      motionDetection: row.motion,
      schedule: row.schedule,
      retentionDays: row.retention_days,
    };
  }
}

const cameraOf = (id: string) => ({ type: 'camera', id }) as const;

function asRecording(row: ListedRecording): Recording {
  return {
    ...row,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

function asSegment(row: SegmentRow): Segment {
  const times = row.key_times ?? [];
  return {
    id: row.id,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    bytes: row.bytes,
    sha256: row.sha256?.toString('hex') ?? null,
    head_bytes: row.head_bytes,
    key_frames: (row.key_offsets ?? []).map((offset, at) => ({ offset, at_ms: times[at] ?? 0 })),
    mime: row.mime,
    width: row.width,
    height: row.height,
    stream_id: row.stream_id,
  };
}
