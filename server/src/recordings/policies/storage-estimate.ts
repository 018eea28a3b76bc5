/** What a policy would lead to, from what cameras really sent in the last week. */
import type { RecordingForecast } from '@nazar/contract/recording-plans.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import { keptDays, secondsPerDay, tenths, type CameraFit, type Demand } from './forecast.ts';
import type { RemovalStore } from '../retention/removal-store.ts';
import { reserveBytes } from '../retention/rule.ts';
import type { RootRow, Roots } from '../roots.ts';
import type { SettingsRow, SettingsStore } from './settings-store.ts';
import { placeOf } from '../storage-path.ts';

export interface StorageEstimateOptions {
  readonly removal: RemovalStore;
  readonly settings: SettingsStore;
  readonly roots: Pick<Roots, 'named' | 'spaceOf'>;
  readonly cameras: Pick<Cameras, 'toRecord'>;
  readonly clock: Clock;
}

const dayMs = 24 * 60 * 60_000;
const weekDays = 7;
const daySeconds = 86_400;

/** A measurement counts from this long a recording on: a camera that just began says little. */
const measuredSeconds = 10 * 60;
/** The week is added up anew after this time: a page asks every half minute. */
const keptMs = 10 * 60_000;

/** What a camera takes of its disk. */
interface CameraDemand extends Demand {
  readonly cameraId: string;
  readonly root: RootRow;
}

interface KeptFits {
  /** The settings they were estimated by. */
  readonly by: string;
  readonly untilMs: number;
  readonly found: Promise<readonly CameraFit[]>;
}

export class StorageEstimate {
  readonly #options: StorageEstimateOptions;
  #fits: KeptFits | null = null;

  constructor(options: StorageEstimateOptions) {
    this.#options = options;
  }

  /**
   * Returns the wanted and the kept days of every active camera whose rate was measured and whose disk is there, by the
   * settings as they are now, and by rates that are at most ten minutes old.
   */
  async fits(): Promise<readonly CameraFit[]> {
    const nowMs = this.#options.clock.monotonicMs();
    const rows = await this.#recordable();
    const by = JSON.stringify(rows);
    if (this.#fits?.by === by && this.#fits.untilMs > nowMs) return this.#fits.found;
    const found = this.#measure(rows);
    const mine = { by, untilMs: nowMs + keptMs, found };
    this.#fits = mine;
    found.catch(() => {
      if (this.#fits === mine) this.#fits = null;
    });
    return found;
  }

  async #measure(rows: readonly SettingsRow[]): Promise<CameraFit[]> {
    const demands = await this.#demandsOf(rows);
    const fits: CameraFit[] = [];
    for (const root of new Set(demands.map((demand) => demand.root))) {
      const capacity = await this.#capacityOf(root);
      if (capacity === null) continue;
      const here = demands.filter((demand) => demand.root === root);
      for (const one of here) {
        const others = here.filter((other) => other !== one);
        const { cameraId, days: wantedDays } = one;
        fits.push({ cameraId, wantedDays, keptDays: keptDays(capacity, one, others) });
      }
    }
    return fits;
  }

  /** The estimate with these settings for that camera, as if it were active, and all others as they are. */
  async of(row: SettingsRow): Promise<Omit<RecordingForecast, 'recorded'>> {
    const { root } = placeOf(this.#options.roots.named, row);
    const capacity = await this.#capacityOf(root);
    const bytesPerDay = await this.#bytesPerDay(row);
    const days = row.retention_days;
    const rows = await this.#recordable();
    const others = await this.#demandsOf(
      rows.filter(({ camera_id: id }) => id !== row.camera_id),
      root,
    );
    const isKnown = bytesPerDay !== null && capacity !== null;
    const kept = isKnown ? keptDays(capacity, { bytesPerDay, days }, others) : null;
    return {
      wanted_days: days,
      kept_days: kept === null ? null : tenths(kept),
      bytes_per_day: bytesPerDay === null ? null : Math.round(bytesPerDay),
      capacity_bytes: capacity === null ? null : Math.round(capacity),
    };
  }

  /** The settings of the cameras that may be recorded: an inactive one takes no more room. */
  async #recordable(): Promise<SettingsRow[]> {
    const { settings, cameras } = this.#options;
    const [rows, ids] = await Promise.all([settings.all(), cameras.toRecord()]);
    const active = new Set(ids);
    return rows
      .filter(({ camera_id: id }) => active.has(id))
      .toSorted((a, b) => a.camera_id.localeCompare(b.camera_id));
  }

  /** What these cameras take a day, on every disk or on `only`: those whose rate was measured. */
  async #demandsOf(rows: readonly SettingsRow[], only?: RootRow): Promise<CameraDemand[]> {
    const demands: CameraDemand[] = [];
    for (const row of rows) {
      const { root } = placeOf(this.#options.roots.named, row);
      if (only && root.id !== only.id) continue;
      const bytesPerDay = await this.#bytesPerDay(row, measuredSeconds);
      if (bytesPerDay === null || bytesPerDay === 0) continue;
      demands.push({ cameraId: row.camera_id, root, bytesPerDay, days: row.retention_days });
    }
    return demands;
  }

  /** What recordings may take: what they take now, and what is free, less the reserve. */
  async #capacityOf(root: RootRow): Promise<number | null> {
    const { removal, clock, roots } = this.#options;
    const now = await roots.spaceOf(root);
    if (!now) return null;
    const hour = await removal.bytesSince(root.id, new Date(clock.now() - dayMs / 24));
    const reserve = reserveBytes(now.totalBytes, hour);
    return Math.max(0, now.freeBytes - reserve + (await removal.bytesOf(root.id)));
  }

  /** Null when the camera was not recorded in the last week: its rate is unknown. */
  async #bytesPerDay(row: SettingsRow, leastSeconds = 0): Promise<number | null> {
    const { removal, clock } = this.#options;
    const since = new Date(clock.now() - weekDays * dayMs);
    const { bytes, seconds } = await removal.recordedSince(row.camera_id, since);
    if (seconds <= leastSeconds) return null;
    const planned = secondsOf(row);
    // By motion and by hand it records as much as in the last week.
    return (bytes / seconds) * (planned ?? seconds / weekDays);
  }
}

/** The seconds of a day that are recorded for certain; null: it depends on what happens. */
function secondsOf({ continuous, schedule, motion, manual_since }: SettingsRow): number | null {
  if (continuous || manual_since !== null) return daySeconds;
  if (motion) return null;
  return schedule ? secondsPerDay(schedule) : 0;
}
