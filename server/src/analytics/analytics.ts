/**
 * Counts over time of what one may see: the figures of the dashboard. Reads only what other modules
 * publish, writes nothing, and says null where there is nothing to divide instead of inventing a rate.
 */
import type { Summary } from '@nazar/contract/analytics.ts';
import type { FaceStatistics } from '@nazar/contract/faces.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { AnalyticsStore, type VisitCount } from './store.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
/** Days of the people's growth that the statistics answer. */
const statisticsDays = 30;

export interface AnalyticsOptions {
  readonly db: Database;
  readonly cameras: Cameras;
  readonly clock: Clock;
}

export class Analytics {
  readonly #store: AnalyticsStore;
  readonly #cameras: Cameras;
  readonly #clock: Clock;

  constructor({ db, cameras, clock }: AnalyticsOptions) {
    this.#store = new AnalyticsStore(db);
    this.#cameras = cameras;
    this.#clock = clock;
  }

  async summary(scope: Scope): Promise<Summary> {
    const nowMs = this.#clock.now();
    const weekAgo = new Date(nowMs - weekMs);
    const twoWeeksAgo = new Date(nowMs - 2 * weekMs);
    const people = await this.#store.people(scope, weekAgo, twoWeeksAgo);
    const cameras = await this.#cameras.countByStatus(scope);
    const week = await this.#store.visits(scope, weekAgo, new Date(nowMs));
    const weekBefore = await this.#store.visits(scope, twoWeeksAgo, weekAgo);
    const hours = await this.#store.visitsByHour(scope, new Date(firstHourMs(nowMs)));
    const rate = percentRecognized(week);
    const rateBefore = percentRecognized(weekBefore);
    return {
      face_stats: {
        total: people.total,
        known: people.active,
        unknown: await this.#store.newStrangers(scope),
        trend: people.added_before > 0 ? people.added - people.added_before : null,
      },
      camera_stats: {
        total: cameras.active + cameras.inactive + cameras.maintenance + cameras.error,
        ...cameras,
      },
      recognition_rate: {
        rate,
        trend: rate === null || rateBefore === null ? null : rate - rateBefore,
      },
      traffic_flow: everyHour(nowMs, hours),
    };
  }

  async faceStatistics(scope: Scope): Promise<FaceStatistics> {
    const nowMs = this.#clock.now();
    const today = new Date(nowMs).toISOString().slice(0, 10);
    const from = new Date(Date.parse(today) - (statisticsDays - 1) * dayMs);
    const people = await this.#store.people(scope, new Date(nowMs - weekMs), from);
    const days = await this.#store.peopleByDay(scope, today, statisticsDays);
    const unknown = new Map(
      (await this.#store.unknownByDay(scope, from)).map((day) => [day.date, day.unknown]),
    );
    return {
      total_faces: people.total,
      active_faces: people.active,
      inactive_faces: people.total - people.active,
      unknown_faces: await this.#store.newStrangers(scope),
      time_series_data: days.map((day) => ({ ...day, unknown: unknown.get(day.date) ?? 0 })),
      categories: await this.#store.categories(scope),
    };
  }
}

/** Null when nobody was seen. */
function percentRecognized({ total, recognized }: VisitCount): number | null {
  return total === 0 ? null : (100 * recognized) / total;
}

/** Hours the traffic covers, the present one included. */
const trafficHours = 24;

const firstHourMs = (nowMs: number): number =>
  Math.floor(nowMs / hourMs) * hourMs - (trafficHours - 1) * hourMs;

/** Every hour once, oldest first: one without visits is a zero, not a gap. */
function everyHour(
  nowMs: number,
  counted: readonly { readonly hour: Date; readonly visits: number }[],
): Summary['traffic_flow'] {
  const visits = new Map(counted.map(({ hour, visits }) => [hour.getTime(), visits]));
  return Array.from({ length: trafficHours }, (_, index) => {
    const hour = firstHourMs(nowMs) + index * hourMs;
    return { timestamp: new Date(hour).toISOString(), count: visits.get(hour) ?? 0 };
  });
}
