import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { granted, type Scope } from '#http/scope.ts';

/** Visits of one stretch of time. */
export interface VisitCount {
  readonly total: number;
  readonly recognized: number;
}

export interface PeopleCount {
  readonly total: number;
  readonly active: number;
  /** Added in the 7 days before `now`, and in the 7 days before those. */
  readonly added: number;
  readonly added_before: number;
}

/** Reads what other modules publish as views; writes nothing. Every count is made inside the scope (C-310). */
export class AnalyticsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async visits(scope: Scope, from: Date, until: Date): Promise<VisitCount> {
    const { rows } = await sql<VisitCount>`
      select coalesce(sum(visits), 0) as total,
             coalesce(sum(visits) filter (where person_id is not null), 0) as recognized
      from sightings_v_visit visit
      join cameras_v_camera camera on camera.id = visit.camera_id
      where visit.started_at >= ${from} and visit.started_at < ${until} and ${visibleCamera(scope)}
    `.execute(this.#db.read());
    return rows[0]!;
  }

  /** Visits by hour, hours without any left out. */
  async visitsByHour(scope: Scope, from: Date): Promise<{ hour: Date; visits: number }[]> {
    const { rows } = await sql<{ hour: Date; visits: number }>`
      select hour, sum(visits) as visits
      from sightings_v_hour counted join cameras_v_camera camera on camera.id = counted.camera_id
      where hour >= ${from} and ${visibleCamera(scope)}
      group by hour order by hour
    `.execute(this.#db.read());
    return rows;
  }

  /** Strangers that nobody has looked after (ANA-026), by the cameras one may see. */
  async newStrangers(scope: Scope): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(distinct stranger.id) as count
      from sightings_v_stranger stranger
      join cameras_v_camera camera on camera.id = stranger.camera_id
      where stranger.status = 'new' and ${visibleCamera(scope)}
    `.execute(this.#db.read());
    return rows[0]!.count;
  }

  async people(scope: Scope, weekAgo: Date, twoWeeksAgo: Date): Promise<PeopleCount> {
    const { rows } = await sql<PeopleCount>`
      select count(*) as total,
             count(*) filter (where is_active) as active,
             count(*) filter (where created_at >= ${weekAgo}) as added,
             count(*) filter (where created_at >= ${twoWeeksAgo} and created_at < ${weekAgo})
               as added_before
      from faces_v_person person where ${ownPerson(scope)}
    `.execute(this.#db.read());
    return rows[0]!;
  }

  async categories(
    scope: Scope,
  ): Promise<{ id: string; name: string; color: string; count: number }[]> {
    const { rows } = await sql<{ id: string; name: string; color: string; count: number }>`
      select category_id as id, category_name as name, category_color as color, count(*) as count
      from faces_v_person person where ${ownPerson(scope)}
      group by category_id, category_name, category_color order by count(*) desc, category_name
    `.execute(this.#db.read());
    return rows;
  }

  /** How many people there were at the end of each of the last `days` days (UTC), today included. */
  async peopleByDay(
    scope: Scope,
    today: string,
    days: number,
  ): Promise<{ date: string; active: number; inactive: number }[]> {
    const { rows } = await sql<{ date: string; active: number; inactive: number }>`
      select day::date as date,
             count(person.id) filter (where person.is_active) as active,
             count(person.id) filter (where not person.is_active) as inactive
      from generate_series(${today}::date - ${days - 1}::int, ${today}::date, '1 day') day
      left join faces_v_person person
        on person.created_at < day + interval '1 day' and ${ownPerson(scope)}
      group by day order by day
    `.execute(this.#db.read());
    return rows;
  }

  async unknownByDay(scope: Scope, from: Date): Promise<{ date: string; unknown: number }[]> {
    const { rows } = await sql<{ date: string; unknown: number }>`
      select (visit.started_at at time zone 'utc')::date as date, count(*) as unknown
      from sightings_v_visit visit
      join cameras_v_camera camera on camera.id = visit.camera_id
      where visit.person_id is null and visit.started_at >= ${from} and ${visibleCamera(scope)}
      group by 1
    `.execute(this.#db.read());
    return rows;
  }
}

function visibleCamera(scope: Scope) {
  if (scope.seesAll) return sql`true`;
  const columns = { owner: 'camera.created_by', id: 'camera.id' };
  return ownOrListed(scope.userId, granted(scope, 'live'), columns);
}

function ownPerson(scope: Scope) {
  return scope.seesAll ? sql`true` : sql`person.created_by = ${scope.userId}`;
}
