import type { Database, Tx } from '#db/database.ts';
import { userColumns, type UserRow } from '../store.ts';

interface Tables {
  app_user: UserRow;
  see_as: { session_id: string; user_id: string; started_at: Date };
}

/** SQL of seeing as another user; the only writer of its table. */
export class SeeAsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  user(id: string): Promise<UserRow | undefined> {
    return this.#db
      .read<Tables>()
      .selectFrom('app_user')
      .select(userColumns)
      .where('id', '=', id)
      .where('is_active', '=', true)
      .executeTakeFirst();
  }

  async begin(tx: Tx, session_id: string, user_id: string, started_at: Date): Promise<void> {
    await tx
      .as<Tables>()
      .insertInto('see_as')
      .values({ session_id, user_id, started_at })
      .onConflict((conflict) =>
        conflict.columns(['session_id', 'user_id']).doUpdateSet({ started_at }),
      )
      .execute();
  }

  /** False when it had already ended. */
  async end(tx: Tx, sessionId: string, userId: string): Promise<boolean> {
    const ended = await tx
      .as<Tables>()
      .deleteFrom('see_as')
      .where('session_id', '=', sessionId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return ended.numDeletedRows > 0n;
  }

  async isSeeing(sessionId: string, userId: string, since: Date): Promise<boolean> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('see_as')
      .select('user_id')
      .where('session_id', '=', sessionId)
      .where('user_id', '=', userId)
      .where('started_at', '>', since)
      .executeTakeFirst();
    return row !== undefined;
  }
}
