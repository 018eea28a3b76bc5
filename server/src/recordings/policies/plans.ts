/** Keeps what is recorded equal to what is wanted: at start, and after every change of a camera or of its settings. */
import { join } from 'node:path';
import { qualityHeights } from '@nazar/contract/recording-qualities.ts';
import {
  recordingModes,
  type RecordingMode,
  type RecordingState,
  type RecordingType,
} from '@nazar/contract/recording-states.ts';
import { isScheduled } from '@nazar/contract/week-schedule.ts';
import type { CameraRecording, Cameras } from '#cameras/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import { isOfDisk } from '#lib/folder/folder-process.ts';
import type { Log } from '#lib/log.ts';
import type { Media } from '#media/media.ts';
import type { RecordingPlan } from '#media/protocol/messages.ts';
import type { SegmentIndexer } from '../index/segment-indexer.ts';
import type { IndexStore } from '../index/index-store.ts';
import { floorBytes, type RootRow, type Roots, type RootState } from '../roots.ts';
import { usualSettings, type SettingsRow, type SettingsStore } from './settings-store.ts';
import { placeOf } from '../storage-path.ts';

export interface PlansOptions {
  readonly settings: SettingsStore;
  readonly store: IndexStore;
  readonly roots: Pick<Roots, 'named' | 'stateOf' | 'isInside'>;
  readonly cameras: Pick<Cameras, 'toRecord' | 'changed'>;
  readonly indexer: Pick<SegmentIndexer, 'switchedOff' | 'received' | 'interruptedBy'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Why a camera is recorded, or how that goes, is another thing than before. */
  readonly changed: (cameraId: string) => void;
}

/** What is wanted of a camera: a plan, and what keeps its disk from taking it. */
interface Wanted {
  readonly type: RecordingType;
  readonly plan: RecordingPlan | null;
  readonly obstacle: 'disk_full' | 'disk_away' | 'disk_hung' | null;
}

/** By the ids of roots. */
type States = ReadonlyMap<string, RootState>;

/** `folder` null: nothing may be recorded now. */
interface Destination {
  readonly folder: string | null;
  readonly obstacle: Wanted['obstacle'];
}

/** As a camera that was added just now. */
const added: CameraRecording = {
  reason: null,
  state: 'off',
  cause: null,
  modes: modesOf(usualSettings('')),
};

/** The media hosts, as far as they record. */
export type RecordingHosts = Pick<Media<never>, 'record' | 'recorded'>;

export class Plans implements AsyncDisposable {
  readonly #options: PlansOptions;
  readonly #subscription: Disposable;
  /** The cameras that are to be recorded. */
  readonly #plans = new Map<string, Wanted>();
  /** What the settings of each camera record it for. */
  #modes: ReadonlyMap<string, readonly RecordingMode[]> = new Map();
  /** What was last sent about each camera. */
  #reported: ReadonlyMap<string, CameraRecording> = new Map();
  /** Cameras that only their schedule keeps from being recorded now. */
  #outsideSchedule: ReadonlySet<string> = new Set();
  #hosts: RecordingHosts | null = null;
  #testsUntilMs = Infinity;
  #work: Promise<void> = Promise.resolve();
  /** The synchronization that waits to begin. */
  #next: Promise<void> | null = null;

  constructor(options: PlansOptions) {
    this.#options = options;
    this.#subscription = options.cameras.changed.on(() => void this.sync());
  }

  /** How long nothing changes by itself: until the first test recording ends. */
  get steadyMs(): number {
    const leftMs = this.#testsUntilMs - this.#options.clock.now();
    // A test recording that is over and could not be ended is tried again at the usual pace.
    return leftMs > 0 ? leftMs : Infinity;
  }

  isWanted(cameraId: string): boolean {
    return this.#plans.has(cameraId);
  }

  /** Why it is recorded, and how that goes. */
  recordingOf(cameraId: string): CameraRecording {
    const modes = this.#modes.get(cameraId) ?? added.modes;
    const wanted = this.#plans.get(cameraId);
    if (!wanted) {
      const state = this.#outsideSchedule.has(cameraId) ? 'outside_schedule' : 'off';
      return { reason: null, state, cause: null, modes };
    }
    const { type: reason, obstacle } = wanted;
    const state = obstacle ?? this.#stateOf(cameraId, reason);
    const cause = obstacle === null ? this.#options.indexer.interruptedBy(cameraId) : 'disk';
    return { reason, state, cause: state === 'recording' ? null : cause, modes };
  }

  /** Records with these hosts from now on. */
  follow(hosts: RecordingHosts): Promise<void> {
    this.#hosts = hosts;
    return this.sync();
  }

  /** Runs one at a time; callers share the one that waits to begin. */
  sync(): Promise<void> {
    this.#next ??= this.#work.then(() => {
      this.#next = null;
      this.#work = this.#sync();
      return this.#work;
    });
    return this.#next;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription[Symbol.dispose]();
    await this.#next;
    await this.#work;
  }

  async #sync(): Promise<void> {
    const { settings, cameras, clock, log } = this.#options;
    if (!this.#hosts) return;
    try {
      const nowMs = clock.now();
      const rows = await settings.all();
      this.#modes = new Map(rows.map((row) => [row.camera_id, modesOf(row)]));
      const tests = rows.map(({ test_until }) => test_until?.getTime() ?? 0);
      this.#testsUntilMs = Math.min(...tests.filter((untilMs) => untilMs > nowMs));
      const asked = rows.flatMap((row) => {
        const type = typeOf(row, nowMs);
        return type === null ? [] : [{ row, type }];
      });
      const scheduled = rows.filter((row) => row.schedule !== null);
      const needsActive = asked.length > 0 || scheduled.length > 0;
      const active = new Set(needsActive ? await cameras.toRecord() : []);
      const wanted = asked.filter(({ row }) => active.has(row.camera_id));
      const states = wanted.length > 0 ? await this.#states() : new Map();
      for (const { row, type } of wanted) await this.#follow(this.#hosts, row, type, states);
      const ids = new Set(wanted.map(({ row }) => row.camera_id));
      for (const id of this.#plans.keys()) if (!ids.has(id)) this.#drop(this.#hosts, id);
      const resting = scheduled.map(({ camera_id: id }) => id);
      this.#outsideSchedule = new Set(resting.filter((id) => active.has(id) && !ids.has(id)));
      this.#tell();
    } catch (error) {
      log.error({ err: error }, 'what is recorded could not be brought up to date');
    }
  }

  #tell(): void {
    const reported = this.#reported;
    // A camera whose plan was dropped because it was deleted is reported once more.
    const ids = new Set([...this.#modes.keys(), ...reported.keys()]);
    this.#reported = new Map([...this.#modes.keys()].map((id) => [id, this.recordingOf(id)]));
    for (const id of ids) {
      if (!isSame(reported.get(id) ?? added, this.recordingOf(id))) this.#options.changed(id);
    }
  }

  /** Returns the state of each root, requested at once: a root that does not answer delays no other. */
  async #states(): Promise<States> {
    const { roots } = this.#options;
    const states = roots.named.map(async (root) => [root.id, await roots.stateOf(root)] as const);
    return new Map(await Promise.all(states));
  }

  async #follow(
    hosts: RecordingHosts,
    row: SettingsRow,
    type: RecordingType,
    states: States,
  ): Promise<void> {
    const { store, indexer, clock, log } = this.#options;
    const cameraId = row.camera_id;
    const before = this.#plans.get(cameraId);
    const { folder, obstacle } = await this.#placeOf(row, states);
    if (folder !== null) {
      const height = qualityHeights[row.quality];
      if (before?.plan && isSamePlan(before.plan, { folder, type, height })) {
        this.#plans.set(cameraId, { ...before, obstacle });
        return;
      }
      const recordedUntilMs = await store.recordedUntilNow(cameraId);
      const plan = { folder, type, recordedUntilMs, height };
      this.#plans.set(cameraId, { type, plan, obstacle });
      hosts.record(cameraId, plan);
      return;
    }
    this.#plans.set(cameraId, { type, plan: null, obstacle });
    if (before?.plan === null) return;
    log.error({ camera: cameraId }, 'the disk for its recordings is full or not there');
    hosts.record(cameraId, null);
    const news = { kind: 'interrupted', startedAtMs: clock.now(), cause: 'disk' } as const;
    indexer.received({ cameraId, news });
  }

  #drop(hosts: RecordingHosts, cameraId: string): void {
    this.#plans.delete(cameraId);
    hosts.record(cameraId, null);
    this.#options.indexer.switchedOff(cameraId);
  }

  #stateOf(cameraId: string, reason: RecordingType): RecordingState {
    const cause = this.#options.indexer.interruptedBy(cameraId);
    if (cause === null) return 'recording';
    if (cause === 'no_motion') return reason === 'motion' ? 'waiting' : 'recording';
    return cause === 'disk' ? 'disk_failing' : 'interrupted';
  }

  /** Nothing is recorded to a disk that is full, or into the empty folder that is left of one. */
  async #placeOf(row: SettingsRow, states: States): Promise<Destination> {
    const { root, folder } = placeOf(this.#options.roots.named, row);
    const state = states.get(root.id);
    if (state?.kind === 'hung') return this.#whileHung(row.camera_id, join(root.path, folder));
    if (state?.kind !== 'present') return { folder: null, obstacle: 'disk_away' };
    const isInside = await this.#isInside(root, folder);
    if (isInside === null) return this.#whileHung(row.camera_id, join(root.path, folder));
    // A link that was made since leads nowhere.
    if (!isInside) return { folder: null, obstacle: 'disk_away' };
    const isRecorded = this.#plans.get(row.camera_id)?.plan != null;
    // The higher limit keeps recording from switching on and off with each removed file.
    const needed = floorBytes(state.space.totalBytes) * (isRecorded ? 1 : 1.25);
    return state.space.freeBytes >= needed
      ? { folder: join(root.path, folder), obstacle: null }
      : { folder: null, obstacle: 'disk_full' };
  }

  /**
   * The host goes on: it keeps what comes in memory, up to its bound, and writes it when the disk answers. What was
   * stopped before stays so until it is known how the disk is.
   */
  #whileHung(cameraId: string, folder: string): Destination {
    const before = this.#plans.get(cameraId);
    const isStopped = before !== undefined && before.plan === null;
    return { folder: isStopped ? null : folder, obstacle: 'disk_hung' };
  }

  /** Null: the disk does not answer, or can't say. */
  async #isInside(root: RootRow, folder: string): Promise<boolean | null> {
    try {
      return await this.#options.roots.isInside(root, folder);
    } catch (error) {
      if (isOfDisk(error)) return null;
      throw error;
    }
  }
}

const isSame = (one: CameraRecording, other: CameraRecording): boolean =>
  one.reason === other.reason &&
  one.state === other.state &&
  one.cause === other.cause &&
  one.modes.join() === other.modes.join();

const isSamePlan = (plan: RecordingPlan, other: Omit<RecordingPlan, 'recordedUntilMs'>): boolean =>
  plan.folder === other.folder && plan.type === other.type && plan.height === other.height;

function modesOf({ continuous, schedule, motion }: SettingsRow): RecordingMode[] {
  const modes = { continuous, scheduled: schedule !== null, motion };
  return recordingModes.filter((mode) => modes[mode]);
}

/** Null: it is not to be recorded. A test and the record button win over all other settings. */
function typeOf(row: SettingsRow, nowMs: number): RecordingType | null {
  const { manual_since, continuous, schedule, motion, test_until } = row;
  if (test_until !== null && test_until.getTime() > nowMs) return 'test';
  if (manual_since !== null) return 'manual';
  if (continuous) return 'continuous';
  if (schedule !== null && isScheduled(schedule, nowMs)) return 'scheduled';
  return motion ? 'motion' : null;
}
