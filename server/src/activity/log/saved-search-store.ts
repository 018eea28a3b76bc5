import type { SavedSearchForm } from '@nazar/contract/saved-searches.ts';
import { sql, type Kysely } from 'kysely';
import type { Database, Tx } from '#db/database.ts';

export interface SavedSearchRow {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly term: string;
  readonly action: SavedSearchForm['action'];
  readonly date_from: string | null;
  readonly date_to: string | null;
  readonly content_type: string;
  readonly target_id: string;
  readonly ip: string;
  readonly saved_at: Date;
}

interface Tables {
  activity_saved_search: SavedSearchRow;
}

/** SQL of saved searches. */
export class SavedSearchStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  of(userId: string): Promise<SavedSearchRow[]> {
    return this.#read
      .selectFrom('activity_saved_search')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('name')
      .execute();
  }

  /** Counts the searches of other names; no other transaction saves for this user until this one ends. */
  async countOthers(tx: Tx, userId: string, name: string): Promise<number> {
    await sql`select pg_advisory_xact_lock(802, hashtext(${userId}))`.execute(tx.as<Tables>());
    const { count } = await tx
      .as<Tables>()
      .selectFrom('activity_saved_search')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where('name', '!=', name)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** A search of the same name keeps its id. */
  async save(tx: Tx, row: SavedSearchRow): Promise<SavedSearchRow> {
    const { id: _id, user_id: _user, ...change } = row;
    return tx
      .as<Tables>()
      .insertInto('activity_saved_search')
      .values(row)
      .onConflict((same) => same.columns(['user_id', 'name']).doUpdateSet(change))
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /** False: this user has no search of that id. */
  async remove(userId: string, id: string): Promise<boolean> {
    const removed = await this.#db
      .write<Tables>()
      .deleteFrom('activity_saved_search')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .executeTakeFirst();
    return removed.numDeletedRows > 0n;
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }
}
