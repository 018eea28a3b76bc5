/**
 * Counts over time of what one may see: the figures of the dashboard. Reads only what other modules
 * publish, writes nothing, and says null where there is nothing to divide instead of inventing a rate.
 */
import type { Summary } from '@nazar/contract/analytics.ts';
import type { FaceStatistics } from '@nazar/contract/faces.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import { dateAt, localDay, type LocalDay } from '#lib/local-days.ts';
import { zoneOffsets } from '#lib/zone-offsets.ts';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Counting, UnknownFaces } from '#visits/visits.ts';
import { AnalyticsStore } from './store.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
/** Days of the people's growth that the statistics answer. */
const statisticsDays = 30;

export interface AnalyticsOptions {
  readonly db: Database;
  readonly cameras: Cameras;
  readonly visits: {
    readonly counting: Pick<Counting, 'total' | 'byTime'>;
    readonly unknown: Pick<UnknownFaces, 'countNew'>;
  };
  readonly clock: Clock;
}

export class Analytics {
  readonly #store: AnalyticsStore;
  readonly #cameras: Cameras;
  readonly #visits: AnalyticsOptions['visits'];
  readonly #clock: Clock;

  constructor({ db, cameras, visits, clock }: AnalyticsOptions) {
    this.#visits = visits;
    this.#store = new AnalyticsStore(db);
    this.#cameras = cameras;
    this.#clock = clock;
  }

  /** The last 24 hours, the present one included, begin as clocks of the time zone do. Throws time_zone_unknown. */
  async summary(scope: Scope, timeZone: string): Promise<Summary> {
    const nowMs = this.#clock.now();
    const weekAgo = new Date(nowMs - weekMs);
    const twoWeeksAgo = new Date(nowMs - 2 * weekMs);
    const people = await this.#store.people(scope, weekAgo, twoWeeksAgo);
    const cameras = await this.#cameras.countByStatus(scope);
    const week = await this.#visits.counting.total(scope, weekAgo, new Date(nowMs));
    const weekBefore = await this.#visits.counting.total(scope, twoWeeksAgo, weekAgo);
    const hours = await this.#visits.counting.byTime(scope, 'hour', lastHours(nowMs, timeZone));
    const strangers = await this.#visits.unknown.countNew(scope);
    const rate = percentRecognized(week);
    const rateBefore = percentRecognized(weekBefore);
    return {
      face_stats: {
        total: people.total,
        known: people.active,
        unknown: strangers.count,
        unknown_more: strangers.more,
        trend: people.added_before > 0 ? people.added - people.added_before : null,
      },
      camera_stats: {
        total: cameras.active + cameras.inactive + cameras.maintenance + cameras.error,
        ...cameras,
        live: await this.#cameras.countLive(scope),
      },
      recognition_rate: {
        rate,
        trend: rate === null || rateBefore === null ? null : rate - rateBefore,
      },
      traffic_flow: [...hours].map(([timestamp, { visits }]) => ({ timestamp, count: visits })),
    };
  }

  /** Covers the last 30 days of the time zone, today included. Throws time_zone_unknown. */
  async faceStatistics(scope: Scope, timeZone: string): Promise<FaceStatistics> {
    const nowMs = this.#clock.now();
    const days = lastDays(nowMs, timeZone);
    const { from } = days[0]!;
    const { until } = days.at(-1)!;
    const people = await this.#store.people(scope, new Date(nowMs - weekMs), from);
    const growth = await this.#store.peopleByDay(scope, days);
    const strangers = await this.#visits.unknown.countNew(scope);
    const period = { from, until, timeZone };
    const visits = await this.#visits.counting.byTime(scope, 'day', period);
    const unknownOn = (date: string): number => {
      const count = visits.get(date);
      return count ? count.visits - count.recognized : 0;
    };
    return {
      total_faces: people.total,
      active_faces: people.active,
      inactive_faces: people.total - people.active,
      unknown_faces: strangers.count,
      unknown_faces_more: strangers.more,
      time_series_data: growth.map((day) => ({ ...day, unknown: unknownOn(day.date) })),
      categories: await this.#store.categories(scope),
    };
  }
}

interface Count {
  readonly visits: number;
  readonly recognized: number;
}

/** Null when no person was seen. */
function percentRecognized({ visits, recognized }: Count): number | null {
  return visits === 0 ? null : (100 * recognized) / visits;
}

/** Hours the traffic covers, the present one included. */
const trafficHours = 24;

function lastHours(nowMs: number, timeZone: string) {
  const { offsetMs } = zoneOffsets(timeZone, nowMs, nowMs + 1)[0]!;
  const hourBeganMs = Math.floor((nowMs + offsetMs) / hourMs) * hourMs - offsetMs;
  const from = new Date(hourBeganMs - (trafficHours - 1) * hourMs);
  return { from, until: new Date(hourBeganMs + hourMs), timeZone };
}

/** The oldest first, without a day that the place left out. */
function lastDays(nowMs: number, timeZone: string): LocalDay[] {
  const todayMs = Date.parse(dateAt(nowMs, timeZone));
  const dates = Array.from({ length: statisticsDays }, (_, index) =>
    new Date(todayMs - (statisticsDays - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
  return dates.map((date) => localDay(date, timeZone)).filter(({ from, until }) => from < until);
}
