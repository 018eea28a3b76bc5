/** What a policy would lead to, from what cameras really sent in the last week. */
import type { RecordingForecast } from '@nazar/contract/recording-plans.ts';
import type { Clock } from '#lib/clock.ts';
import { keptDays, secondsPerDay, type Demand } from './forecast.ts';
import type { RemovalStore } from '../retention/removal-store.ts';
import { reserveBytes } from '../retention/retention.ts';
import type { RootRow, Roots } from '../roots.ts';
import type { SettingsRow, SettingsStore } from './settings-store.ts';
import { placeOf } from '../storage-path.ts';

export interface StorageEstimateOptions {
  readonly removal: RemovalStore;
  readonly settings: SettingsStore;
  readonly roots: Pick<Roots, 'named' | 'spaceOf'>;
  readonly clock: Clock;
}

const dayMs = 24 * 60 * 60_000;
const weekDays = 7;
const daySeconds = 86_400;

export class StorageEstimate {
  readonly #options: StorageEstimateOptions;

  constructor(options: StorageEstimateOptions) {
    this.#options = options;
  }

  /** The estimate with these settings for that camera, and all others as they are. */
  async of(row: SettingsRow): Promise<Omit<RecordingForecast, 'recorded'>> {
    const { settings, roots } = this.#options;
    const { root } = placeOf(roots.named, row);
    const capacity = await this.#capacityOf(root);
    const bytesPerDay = await this.#bytesPerDay(row);
    const days = row.retention_days;
    const others: Demand[] = [];
    for (const other of await settings.all()) {
      const isHere = placeOf(roots.named, other).root.id === root.id;
      if (!isHere || other.camera_id === row.camera_id) continue;
      others.push({
        bytesPerDay: (await this.#bytesPerDay(other)) ?? 0,
        days: other.retention_days,
      });
    }
    const isKnown = bytesPerDay !== null && capacity !== null;
    const kept = isKnown ? keptDays(capacity, { bytesPerDay, days }, others) : null;
    return {
      wanted_days: days,
      kept_days: kept === null ? null : Math.floor(kept * 10) / 10,
      bytes_per_day: bytesPerDay === null ? null : Math.round(bytesPerDay),
      capacity_bytes: capacity === null ? null : Math.round(capacity),
    };
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
  async #bytesPerDay(row: SettingsRow): Promise<number | null> {
    const { removal, clock } = this.#options;
    const since = new Date(clock.now() - weekDays * dayMs);
    const { bytes, seconds } = await removal.recordedSince(row.camera_id, since);
    if (seconds <= 0) return null;
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
