import { sql, type Kysely } from 'kysely';
import type { Database } from '#db/database.ts';
import { forgetAfterMs, type Failures } from './throttle.ts';

interface Tables {
  throttle: { key: string; failures: number; last_at: Date };
}

/** SQL of counts of failures and requests. It reads the primary: a replica that lags would enforce no limit. */
export class ThrottleStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get #write(): Kysely<Tables> {
    return this.#db.write<Tables>();
  }

  async failures(key: string): Promise<Failures | null> {
    const row = await this.#write
      .selectFrom('throttle')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirst();
    return row ? { count: row.failures, lastAtMs: row.last_at.getTime() } : null;
  }

  async save(key: string, failures: Failures): Promise<void> {
    const row = { failures: failures.count, last_at: new Date(failures.lastAtMs) };
    await this.#write
      .insertInto('throttle')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
  }

  /** Adds one in the period that began at `last_at`, or starts a new period. Atomic. */
  async countInWindow(key: string, at: Date, windowMs: number): Promise<void> {
    const began = new Date(at.getTime() - windowMs);
    await this.#write
      .insertInto('throttle')
      .values({ key, failures: 1, last_at: at })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          failures: sql<number>`case when throttle.last_at > ${began} then throttle.failures + 1 else 1 end`,
          last_at: sql<Date>`case when throttle.last_at > ${began} then throttle.last_at else ${at} end`,
        }),
      )
      .execute();
  }

  async forget(key: string): Promise<void> {
    await this.#write.deleteFrom('throttle').where('key', '=', key).execute();
  }

  /** Deletes counts that the limiter ignores anyway. */
  async deleteForgotten(at: Date): Promise<void> {
    const dayBefore = new Date(at.getTime() - forgetAfterMs);
    await this.#write.deleteFrom('throttle').where('last_at', '<', dayBefore).execute();
  }
}
