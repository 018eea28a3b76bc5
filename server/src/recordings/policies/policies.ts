/** What administrators want recorded: by hand, by settings, and what settings would lead to. */
import { isDeepStrictEqual } from 'node:util';
import type { Camera, CameraHealth } from '@nazar/contract/cameras.ts';
import type {
  RecordingForecast,
  RecordingSettings,
  RecordingSettingsPatch,
} from '@nazar/contract/recording-plans.ts';
import type { Action, Activity, Details } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { PlayableCameras } from '../archive/playable-cameras.ts';
import type { Plans } from './plans.ts';
import { recordedOf } from './recorded.ts';
import type { StorageEstimate } from './storage-estimate.ts';
import type { Roots } from '../roots.ts';
import type { SettingsRow, SettingsStore } from './settings-store.ts';
import { folderOf, shownPath } from '../storage-path.ts';

export interface PoliciesOptions {
  readonly store: SettingsStore;
  readonly roots: Pick<Roots, 'named' | 'isInside'>;
  readonly plans: Pick<Plans, 'sync' | 'isWanted'>;
  readonly estimate: StorageEstimate;
  readonly activity: Pick<Activity, 'record'>;
  readonly cameras: Pick<Cameras, 'mustSee' | 'read' | 'visibleAmong'>;
  readonly playable: Pick<PlayableCameras, 'mustPlay'>;
  readonly clock: Clock;
}

const testMs = 60_000;

type Decision = { readonly change: Partial<SettingsRow>; readonly details?: Details } | null;

export class Policies {
  readonly #options: PoliciesOptions;

  constructor(options: PoliciesOptions) {
    this.#options = options;
  }

  /** Throws camera_not_found, camera_not_active, camera_url_missing, recording_not_active, recording_by_settings. */
  async toggle(scope: Scope, cameraId: string, wanted: boolean): Promise<Camera> {
    const camera = await this.#options.cameras.read(scope, cameraId);
    if (wanted) mustBeRecordable(camera);
    const { name } = camera;
    const now = new Date(this.#options.clock.now());
    await this.#change(
      scope,
      cameraId,
      wanted ? 'recording.started' : 'recording.stopped',
      (row) => {
        const isManual = row.manual_since !== null;
        if (wanted) return isManual ? null : { change: { manual_since: now } };
        if (isManual) return { change: { manual_since: null } };
        if (testEnd(row, now)) return { change: { test_until: null } };
        const isBySettings = this.#options.plans.isWanted(cameraId);
        throw new Problem(isBySettings ? 'recording_by_settings' : 'recording_not_active', {
          name,
        });
      },
    );
    return this.#options.cameras.read(scope, cameraId);
  }

  /**
   * Records a minute for a test, whatever else is recorded. Returns until when; one that runs already goes
   * on. Throws camera_not_found, camera_not_active, camera_url_missing.
   */
  async test(scope: Scope, cameraId: string): Promise<Date> {
    mustBeRecordable(await this.#options.cameras.read(scope, cameraId));
    const nowMs = this.#options.clock.now();
    let until = new Date(nowMs + testMs);
    await this.#change(scope, cameraId, 'recording.tested', (row) => {
      const running = testEnd(row, new Date(nowMs));
      until = running ?? until;
      return running ? null : { change: { test_until: until } };
    });
    return until;
  }

  /** For users who may see what is recorded. Throws camera_not_found, forbidden. */
  async settings(scope: Scope, cameraId: string): Promise<RecordingSettings> {
    await this.#options.playable.mustPlay(scope, [cameraId]);
    return this.#settingsOf(scope, cameraId);
  }

  /** Throws camera_not_found, storage_path_refused. */
  async changeSettings(
    scope: Scope,
    cameraId: string,
    patch: RecordingSettingsPatch,
  ): Promise<RecordingSettings> {
    await this.#options.cameras.mustSee(scope, cameraId);
    const change = await this.#changeOf(patch);
    await this.#change(scope, cameraId, 'recording.settings_changed', (row) => {
      const fields = changedFields(row, change);
      if (fields.length === 0) return null;
      return { change, details: { fields, ...beforeAndAfter(row, patch) } };
    });
    return this.#settingsOf(scope, cameraId);
  }

  /** Estimates what that change would lead to; nothing is changed. Throws camera_not_found, storage_path_refused. */
  async forecast(
    scope: Scope,
    cameraId: string,
    patch: RecordingSettingsPatch,
  ): Promise<RecordingForecast> {
    await this.#options.cameras.mustSee(scope, cameraId);
    const row = { ...(await this.#options.store.of(cameraId)), ...(await this.#changeOf(patch)) };
    const estimate = await this.#options.estimate.of(row);
    const health = await this.#healthOf(scope, cameraId);
    return { ...estimate, recorded: health && recordedOf(health, row.quality) };
  }

  async #change(
    scope: Scope,
    cameraId: string,
    action: Action,
    decide: (row: SettingsRow) => Decision,
  ): Promise<void> {
    const now = new Date(this.#options.clock.now());
    await this.#options.store.transaction(async (tx) => {
      const decided = decide(await this.#options.store.hold(tx, cameraId, now));
      if (!decided) return;
      await this.#options.store.change(tx, cameraId, decided.change, now);
      const object = { type: 'camera', id: cameraId } as const;
      const details = decided.details ?? {};
      const entry = { actor: scope, action, object, details };
      await this.#options.activity.record(tx, entry);
    });
    await this.#options.plans.sync();
  }

  /** Throws storage_path_refused. */
  async #changeOf(patch: RecordingSettingsPatch): Promise<SettingsChange> {
    const { storagePath, continuousRecording, motionDetection, schedule, retentionDays, quality } =
      patch;
    const place =
      storagePath === undefined ? null : await folderOf(this.#options.roots, storagePath);
    return {
      ...(place && { root_id: place.root.id, folder: place.folder }),
      ...(continuousRecording !== undefined && { continuous: continuousRecording }),
      ...(motionDetection !== undefined && { motion: motionDetection }),
      ...(schedule !== undefined && { schedule }),
      ...(retentionDays !== undefined && { retention_days: retentionDays }),
      ...(quality !== undefined && { quality }),
    };
  }

  async #settingsOf(scope: Scope, cameraId: string): Promise<RecordingSettings> {
    const row = await this.#options.store.of(cameraId);
    const health = await this.#healthOf(scope, cameraId);
    return {
      storagePath: shownPath(this.#options.roots.named, row),
      continuousRecording: row.continuous,
      motionDetection: row.motion,
      schedule: row.schedule,
      retentionDays: row.retention_days,
      quality: row.quality,
      recorded: health && recordedOf(health, row.quality),
      qualities: {
        low: health && recordedOf(health, 'low'),
        medium: health && recordedOf(health, 'medium'),
        high: health && recordedOf(health, 'high'),
        ultra: health && recordedOf(health, 'ultra'),
      },
    };
  }

  /** Null of a camera that is deleted. */
  async #healthOf(scope: Scope, id: string): Promise<CameraHealth | null> {
    const { cameras } = this.#options;
    const isThere = (await cameras.visibleAmong(scope, [id])).has(id);
    return isThere ? (await cameras.read(scope, id)).health : null;
  }
}

/** Null: no test runs. */
const testEnd = ({ test_until }: SettingsRow, now: Date): Date | null =>
  test_until !== null && test_until > now ? test_until : null;

/** Throws camera_not_active, camera_url_missing. */
function mustBeRecordable({ name, status, has_url }: Camera): void {
  if (status !== 'active') throw new Problem('camera_not_active', { name });
  if (!has_url) throw new Problem('camera_url_missing');
}

/** What forms set; the other columns are the recorder's own. */
type SettingsColumn = Exclude<keyof SettingsRow, 'camera_id' | 'manual_since' | 'test_until'>;
type SettingsChange = Partial<Pick<SettingsRow, SettingsColumn>>;

/** A field as the API calls it, by its column. */
const fieldOf: Readonly<Record<SettingsColumn, keyof RecordingSettingsPatch>> = {
  root_id: 'storagePath',
  folder: 'storagePath',
  continuous: 'continuousRecording',
  motion: 'motionDetection',
  schedule: 'schedule',
  retention_days: 'retentionDays',
  quality: 'quality',
};

/** Names the fields that differ from the stored ones: forms send all of their fields. */
function changedFields(row: SettingsRow, change: SettingsChange): string[] {
  const columns = Object.keys(change) as SettingsColumn[];
  const others = columns.filter((column) => !isDeepStrictEqual(row[column], change[column]));
  return [...new Set(others.map((column) => fieldOf[column]))];
}

/** For the record: what is short enough to be read there. Schedules and folders are recorded by name alone. */
function beforeAndAfter(row: SettingsRow, patch: RecordingSettingsPatch): Details {
  const all = {
    continuousRecording: { from: row.continuous, to: patch.continuousRecording },
    motionDetection: { from: row.motion, to: patch.motionDetection },
    retentionDays: { from: row.retention_days, to: patch.retentionDays },
    quality: { from: row.quality, to: patch.quality },
  };
  const changes = Object.entries(all).filter(
    ([, { from, to }]) => to !== undefined && JSON.stringify(from) !== JSON.stringify(to),
  );
  return changes.length === 0 ? {} : { changes: Object.fromEntries(changes) as Details };
}
