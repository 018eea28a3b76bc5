import type { Kysely } from 'kysely';
import type { Database } from '#db/database.ts';
import type { UserRow } from '../store.ts';
import type { SessionRow } from '../sessions/store.ts';

interface Tables {
  app_user: UserRow;
  session: SessionRow;
}

/** SQL of the networks that users signed in from before. Reads only. */
export class KnownNetworkStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }

  /** The addresses of a user's sessions since then, from the newest hundred. */
  async addressesOf(email: string, since: Date): Promise<string[]> {
    const rows = await this.#read
      .selectFrom('session')
      .innerJoin('app_user', 'app_user.id', 'session.user_id')
      .select('session.ip')
      .where('app_user.email', '=', email)
      .where('session.created_at', '>', since)
      .orderBy('session.created_at', 'desc')
      .limit(100)
      .execute();
    return rows.map(({ ip }) => ip);
  }
}
