import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

interface Tables {
  alert: { readonly id: string; readonly created_at: Date; readonly ended_at: Date | null };
}

/** SQL of removing alerts by age, and what they keep of visits that are gone. */
export class RemovalStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns how many went, at most `limit`; those that still last stay. */
  async removeBefore(before: Date, limit: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from alert where id in (
        select id from alert where created_at < ${before} and ended_at is not null limit ${limit}
      )`.execute(this.#db.write<Tables>());
    return Number(numAffectedRows);
  }

  /** The one that holds stays. */
  async removeModesBefore(before: Date): Promise<void> {
    await sql`
      delete from house_mode where since < ${before} and since < (select max(since) from house_mode)`.execute(
      this.#db.write<Tables>(),
    );
  }

  /** Removes rows of visits that age, erasing or a user took; an alert's count stays what it was. */
  async forgetVisits(limit: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from alert_visit where (alert_id, visit_id) in (
        select counted.alert_id, counted.visit_id
        from alert_visit counted
        where not exists (
          select from visits_v_visit visit
          where visit.id = counted.visit_id and visit.started_at >= counted.started_at
            and visit.started_at < counted.started_at + interval '1 millisecond')
        limit ${limit}
      )`.execute(this.#db.write<Tables>());
    return Number(numAffectedRows);
  }
}
