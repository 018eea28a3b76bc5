import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { LocalDay } from '#lib/local-days.ts';

export interface PeopleCount {
  readonly total: number;
  readonly active: number;
  /** Added in the 7 days before `now`, and in the 7 days before those. */
  readonly added: number;
  readonly added_before: number;
}

/** Reads what other modules publish as views; writes nothing. Every count is made inside the scope. */
export class AnalyticsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
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

  /** How many people there were at the end of each day. */
  async peopleByDay(
    scope: Scope,
    days: readonly LocalDay[],
  ): Promise<{ date: string; active: number; inactive: number }[]> {
    const { rows } = await sql<{ date: string; active: number; inactive: number }>`
      select day.date,
             count(person.id) filter (where person.is_active) as active,
             count(person.id) filter (where not person.is_active) as inactive
      from unnest(${days.map(({ date }) => date)}::date[],
                  ${days.map(({ until }) => until.toISOString())}::timestamptz[]) as day (date, until)
      left join faces_v_person person on person.created_at < day.until and ${ownPerson(scope)}
      group by day.date order by day.date
    `.execute(this.#db.scan());
    return rows;
  }
}

function ownPerson(scope: Scope) {
  return scope.seesAll ? sql`true` : sql`person.created_by = ${scope.userId}`;
}
