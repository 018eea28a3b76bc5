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
import type { Counting, UnknownFaces } from '#sightings/sightings.ts';
import { AnalyticsStore } from './store.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
/** Days of the people's growth that the statistics answer. */
const statisticsDays = 30;

export interface AnalyticsOptions {
  readonly db: Database;
  readonly cameras: Cameras;
  readonly sightings: {
    readonly counting: Pick<Counting, 'total' | 'byTime'>;
    readonly unknown: Pick<UnknownFaces, 'countNew'>;
  };
  readonly clock: Clock;
}

export class Analytics {
  readonly #store: AnalyticsStore;
  readonly #cameras: Cameras;
  readonly #sightings: AnalyticsOptions['sightings'];
  readonly #clock: Clock;

  constructor({ db, cameras, sightings, clock }: AnalyticsOptions) {
    this.#sightings = sightings;
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
    const week = await this.#sightings.counting.total(scope, weekAgo, new Date(nowMs));
    const weekBefore = await this.#sightings.counting.total(scope, twoWeeksAgo, weekAgo);
    const hours = await this.#sightings.counting.byTime(scope, 'hour', {
      from: new Date(firstHourMs(nowMs)),
      until: new Date(firstHourMs(nowMs) + trafficHours * hourMs),
      timeZone: 'UTC',
    });
    const strangers = await this.#sightings.unknown.countNew(scope);
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
      },
      recognition_rate: {
        rate,
        trend: rate === null || rateBefore === null ? null : rate - rateBefore,
      },
      traffic_flow: [...hours].map(([timestamp, { visits }]) => ({ timestamp, count: visits })),
    };
  }

  async faceStatistics(scope: Scope): Promise<FaceStatistics> {
    const nowMs = this.#clock.now();
    const today = new Date(nowMs).toISOString().slice(0, 10);
    const from = new Date(Date.parse(today) - (statisticsDays - 1) * dayMs);
    const people = await this.#store.people(scope, new Date(nowMs - weekMs), from);
    const days = await this.#store.peopleByDay(scope, today, statisticsDays);
    const strangers = await this.#sightings.unknown.countNew(scope);
    const until = new Date(Date.parse(today) + dayMs);
    const visits = await this.#sightings.counting.byTime(scope, 'day', {
      from,
      until,
      timeZone: 'UTC',
    });
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
      time_series_data: days.map((day) => ({ ...day, unknown: unknownOn(day.date) })),
      categories: await this.#store.categories(scope),
    };
  }
}

interface Count {
  readonly visits: number;
  readonly recognized: number;
}

/** Null when nobody was seen. */
function percentRecognized({ visits, recognized }: Count): number | null {
  return visits === 0 ? null : (100 * recognized) / visits;
}

/** Hours the traffic covers, the present one included. */
const trafficHours = 24;

const firstHourMs = (nowMs: number): number =>
  Math.floor(nowMs / hourMs) * hourMs - (trafficHours - 1) * hourMs;
