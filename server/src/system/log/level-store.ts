import { sql } from 'kysely';
import type { SystemLogLevel } from '@nazar/contract/system-logs.ts';
import type { Database, Tx } from '#db/database.ts';

export interface ChosenLevel {
  readonly source: string;
  readonly level: SystemLogLevel;
  /** Null unless the level is debug. */
  readonly debug_until: Date | null;
}

interface Tables {
  system_log_level: ChosenLevel;
}

/** SQL of the levels that sources are kept from; the only writer of their table. */
export class LevelStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  all(): Promise<ChosenLevel[]> {
    return this.#db.read<Tables>().selectFrom('system_log_level').selectAll().execute();
  }

  /** Sources of the lines that are kept, of any day. */
  async sources(): Promise<string[]> {
    const { rows } = await sql<{ source: string }>`
      select distinct source from system_log_hour`.execute(this.#db.read<unknown>());
    return rows.map(({ source }) => source);
  }

  /** Locked until the transaction ends, so that two changes take turns. */
  async forUpdate(tx: Tx, usual: ChosenLevel): Promise<ChosenLevel> {
    const db = tx.as<Tables>();
    await db
      .insertInto('system_log_level')
      .values(usual)
      .onConflict((conflict) => conflict.column('source').doNothing())
      .execute();
    return db
      .selectFrom('system_log_level')
      .selectAll()
      .where('source', '=', usual.source)
      .forUpdate()
      .executeTakeFirstOrThrow();
  }

  async save(tx: Tx, { source, ...chosen }: ChosenLevel): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('system_log_level')
      .set(chosen)
      .where('source', '=', source)
      .execute();
  }
}
