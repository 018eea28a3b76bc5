/**
 * Deletes visits from the logs. They are marked and no longer counted; age and erasure remove them like all others.
 * Administrators delete any visit, other users only visits at cameras that they added.
 */
import {
  maxDeleted,
  type DailyDeletion,
  type Deletion,
  type VisitDeletion,
} from '@nazar/contract/visit-deletion.ts';
import type { Activity } from '#activity/activity.ts';
import type { Database } from '#db/database.ts';
import { noGrants, type Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { askedFrom, askedUntil, localDay } from '#lib/local-days.ts';
import { Problem } from '#lib/problem.ts';
import type { Topic } from '#lib/topic.ts';
import type { VisitListStore } from './lists/visit-list-store.ts';
import type { VisitStore } from './store.ts';
import type { VisitFilter } from './lists/visit-filter-store.ts';
import type { ChangedVisit } from './visit-news.ts';

export interface DeletingOptions {
  readonly db: Database;
  readonly visits: VisitStore;
  readonly faceLogs: VisitListStore;
  readonly activity: Activity;
  readonly clock: Clock;
  readonly seen: Topic<ChangedVisit>;
}

export class Deleting {
  readonly #options: DeletingOptions;

  constructor(options: DeletingOptions) {
    this.#options = options;
  }

  /** Throws sighting_not_found, also for a visit that the caller may only see. */
  async one(scope: Scope, id: string): Promise<void> {
    const deleted = await this.#delete(scope, [id]);
    if (deleted === 0) throw new Problem('sighting_not_found');
  }

  /** Throws time_zone_unknown. */
  async many(scope: Scope, asked: VisitDeletion, timeZone: string): Promise<Deletion> {
    if ('ids' in asked) {
      const as_of = new Date(this.#options.clock.now()).toISOString();
      return { deleted: await this.#delete(scope, asked.ids), left: 0, as_of };
    }
    const { start_date, end_date, timezone: _zone, ...filter } = asked.filter;
    const asOf = this.#asOf(asked.as_of);
    const until = end_date ? askedUntil(end_date, timeZone) : asOf;
    const all: VisitFilter = {
      ...filter,
      from: start_date ? askedFrom(start_date, timeZone) : null,
      until: until < asOf ? until : asOf,
    };
    const deleted = asked.count_only ? 0 : await this.#deleteSome(scope, all, maxDeleted);
    const { count: left, isMore } = await this.#options.faceLogs.count(own(scope), all);
    return { deleted, left, ...(isMore ? { more: true } : {}), as_of: asOf.toISOString() };
  }

  /** Throws sighting_not_found, time_zone_unknown. */
  async day(scope: Scope, id: string, timeZone: string): Promise<void> {
    const filter = dayFilter(id, timeZone, this.#asOf());
    let deleted = 0;
    for (;;) {
      const some = await this.#deleteSome(scope, filter, maxDeleted);
      deleted += some;
      if (some < maxDeleted) break;
    }
    if (deleted === 0) throw new Problem('sighting_not_found');
  }

  /** Deletes up to a batch, day by day. Throws sighting_not_found, time_zone_unknown. */
  async days(scope: Scope, { ids }: DailyDeletion, timeZone: string): Promise<Deletion> {
    const asOf = this.#asOf();
    let deleted = 0;
    let left = 0;
    for (const id of new Set(ids)) {
      const filter = dayFilter(id, timeZone, asOf);
      const room = maxDeleted - deleted;
      if (room > 0) deleted += await this.#deleteSome(scope, filter, room);
      if (deleted >= maxDeleted)
        left += (await this.#options.faceLogs.count(own(scope), filter)).count;
    }
    return { deleted, left, as_of: asOf.toISOString() };
  }

  /** Visits from then on are not meant. */
  #asOf(asked?: string): Date {
    return asked === undefined ? new Date(this.#options.clock.now() + 1) : new Date(asked);
  }

  async #deleteSome(scope: Scope, filter: VisitFilter, limit: number): Promise<number> {
    const ids = await this.#options.faceLogs.ids(own(scope), filter, limit);
    return ids.length === 0 ? 0 : this.#delete(scope, ids);
  }

  async #delete(scope: Scope, ids: readonly string[]): Promise<number> {
    const { db, visits, faceLogs, activity, clock, seen } = this.#options;
    const mine = await faceLogs.visibleAmong(own(scope), ids);
    const deleted = await db.transaction(async (tx) => {
      const deleted = await visits.markDeleted(tx, mine, new Date(clock.now()));
      if (deleted === 0) return 0;
      const details = { visits: deleted };
      await activity.record(tx, {
        actor: scope,
        action: 'face.visits_deleted',
        object: null,
        details,
      });
      return deleted;
    });
    if (deleted === 0) return 0;
    for (const { id, camera_id: cameraId, started_at } of mine) {
      seen.publish({ visitId: id, cameraId, startedAtMs: started_at.getTime() });
    }
    return deleted;
  }
}

/** A grant allows viewing, not deleting. */
const own = (scope: Scope): Scope => (scope.seesAll ? scope : { ...scope, grants: noGrants });

const dayPattern =
  /^((?!0000)\d{4}-\d\d-\d\d)\.(unknown|hidden|erased|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Throws sighting_not_found for what is no id of a day. */
function dayFilter(id: string, timeZone: string, asOf: Date): VisitFilter {
  const [, date = '', whose = ''] = dayPattern.exec(id) ?? [];
  if (Number.isNaN(Date.parse(date))) throw new Problem('sighting_not_found');
  const { from, until } = localDay(date, timeZone);
  const period = { from, until: until < asOf ? until : asOf };
  if (whose === 'unknown') return { ...period, is_recognized: false };
  if (whose === 'erased') return { ...period, kind: 'erased' };
  if (whose === 'hidden') return { ...period, is_recognized: true, hidden: true };
  return { ...period, person_id: whose };
}
