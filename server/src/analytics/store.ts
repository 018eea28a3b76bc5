import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { granted, type Scope } from '#http/scope.ts';

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
}

function visibleCamera(scope: Scope) {
  if (scope.seesAll) return sql`true`;
  const columns = { owner: 'camera.created_by', id: 'camera.id' };
  return ownOrListed(scope.userId, granted(scope, 'live'), columns);
}

function ownPerson(scope: Scope) {
  return scope.seesAll ? sql`true` : sql`person.created_by = ${scope.userId}`;
}
