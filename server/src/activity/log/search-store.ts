import { sql, type Kysely } from 'kysely';
import type { Database } from '#db/database.ts';
import { hasFolded, hasText } from '#db/like.ts';
import { uuidFloor } from '#lib/ids.ts';
import type { LogFilter, NoteRow, Search } from './rows.ts';

/** What matches the words: each list names entries by a column that has an index. */
export interface Found extends Search {
  readonly userIds: readonly string[];
  readonly noteIds: readonly string[];
}

interface Tables {
  activity_note: NoteRow;
  activity_user: { readonly id: string; readonly email: string; readonly name: string };
}

/** Whoever types one letter looks for nobody in particular. */
const maxUsers = 1_000;

/** SQL of the words of a search: whose names and which notes have them. */
export class SearchStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async find(search: Search, filter: LogFilter, maxNotes: number): Promise<Found> {
    const [userIds, noteIds] = await Promise.all([
      this.#users(search.words),
      this.#notes(search.words, filter, maxNotes),
    ]);
    return { ...search, userIds, noteIds };
  }

  async #users(words: string): Promise<string[]> {
    const rows = await this.#read
      .selectFrom('activity_user')
      .select('id')
      .where(hasText([sql.ref('name'), sql.ref('email')], words))
      .limit(maxUsers)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** The newest. */
  async #notes(
    words: string,
    { userId, from, until }: LogFilter,
    limit: number,
  ): Promise<string[]> {
    // Ids of entries have the time in them.
    const rows = await this.#read
      .selectFrom('activity_note')
      .select('entry_id')
      .where(hasFolded(sql.ref('words'), words))
      .$if(userId !== null, (notes) => notes.where('user_id', '=', userId))
      .$if(from !== null, (notes) => notes.where('entry_id', '>=', uuidFloor(from?.getTime() ?? 0)))
      .$if(until !== null, (notes) =>
        notes.where('entry_id', '<', uuidFloor(until?.getTime() ?? 0)),
      )
      .orderBy('entry_id', 'desc')
      .$if(limit !== Infinity, (notes) => notes.limit(limit))
      .execute();
    return rows.map(({ entry_id }) => entry_id);
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }
}
