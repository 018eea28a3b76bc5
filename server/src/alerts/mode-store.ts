import { sql, type RawBuilder } from 'kysely';
import type { HouseMode } from '@nazar/contract/house-mode.ts';
import type { Database, Tx } from '#db/database.ts';

export interface ModeRow {
  readonly since: Date;
  readonly mode: HouseMode;
}

interface Tables {
  house_mode: ModeRow;
}

/** The mode that held at that moment. */
export const modeAt = (at: RawBuilder<Date>): RawBuilder<HouseMode> => sql<HouseMode>`coalesce((
  select mode from house_mode where since <= ${at} order by since desc limit 1), 'home')`;

/** SQL of the modes of the house; the only writer of their table, but for their age. */
export class ModeStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** Null: it was never changed. */
  async newest(): Promise<ModeRow | null> {
    const { rows } = await sql<ModeRow>`
      select since, mode from house_mode order by since desc limit 1`.execute(
      this.#db.read<Tables>(),
    );
    return rows[0] ?? null;
  }

  /** The same, and of two who change it at once the second waits for the first. */
  async locked(tx: Tx): Promise<ModeRow | null> {
    await sql`lock table house_mode in share row exclusive mode`.execute(tx.as<Tables>());
    const { rows } = await sql<ModeRow>`
      select since, mode from house_mode order by since desc limit 1`.execute(tx.as<Tables>());
    return rows[0] ?? null;
  }

  async add(tx: Tx, row: ModeRow): Promise<void> {
    await tx.as<Tables>().insertInto('house_mode').values(row).execute();
  }
}
