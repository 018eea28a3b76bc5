import type { Database, Tx } from '#db/database.ts';

export interface RetentionTimes {
  /** When what was too old was last removed; null: never. */
  readonly ran_at: Date | null;
  readonly believed_at: Date;
}

interface Tables {
  retention_run: RetentionTimes & { only_row?: true };
}

/** SQL of the times of retention; the only writer of its one row. */
export class RetentionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  async times(): Promise<RetentionTimes | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('retention_run')
      .select(['ran_at', 'believed_at'])
      .executeTakeFirst();
    return row ?? null;
  }

  async believed(at: Date): Promise<void> {
    await this.#db
      .write<Tables>()
      .insertInto('retention_run')
      .values({ ran_at: null, believed_at: at })
      .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ believed_at: at }))
      .execute();
  }

  async ran(tx: Tx, at: Date): Promise<void> {
    await tx.as<Tables>().updateTable('retention_run').set({ ran_at: at }).execute();
  }
}
