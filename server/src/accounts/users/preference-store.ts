import type { Generated, Kysely } from 'kysely';
import type { Database } from '#db/database.ts';

export interface PreferenceRow {
  readonly user_id: string;
  readonly language: 'en' | 'az' | 'ru' | 'tr' | null;
  readonly theme: 'light' | 'dark' | null;
  readonly avatar_color: string | null;
  readonly sidebar_collapsed: boolean;
  readonly cameras_view: 'grid' | 'list';
  readonly faces_view: 'grid' | 'list';
  readonly timezone: string | null;
}

interface Tables {
  user_preference: Pick<PreferenceRow, 'user_id'> & {
    [Column in keyof Omit<PreferenceRow, 'user_id'>]: Generated<PreferenceRow[Column]>;
  };
}

/** SQL of users' preferences for the pages. */
export class PreferenceStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }

  get #write(): Kysely<Tables> {
    return this.#db.write<Tables>();
  }

  of(userId: string): Promise<PreferenceRow | undefined> {
    return this.#read
      .selectFrom('user_preference')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirst();
  }

  /** Saves only the changed fields: another tab may be changing others. */
  async save(userId: string, change: Partial<PreferenceRow>): Promise<void> {
    const row = { ...change, user_id: userId };
    await this.#write
      .insertInto('user_preference')
      .values(row)
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
      .execute();
  }
}
