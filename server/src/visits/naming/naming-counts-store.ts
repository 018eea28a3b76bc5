import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import type { Reader } from '#db/listener.ts';

interface Tables {
  visit_naming: { identity_id: string };
}

/** The channel on which the trigger notifies. */
const namedChannel = 'visits_named';

/** SQL of moving the counts of visits whose identity was named, or lost its name. */
export class NamingCountsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  onNamed(read: Reader): Disposable {
    return this.#db.listen(namedChannel, read);
  }

  /** An identity whose counts are not moved yet; null: there is none. */
  async first(): Promise<string | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('visit_naming')
      .select('identity_id')
      .orderBy('identity_id')
      .limit(1)
      .executeTakeFirst();
    return row?.identity_id ?? null;
  }

  /** Whole days with as many visits, or one day with more. */
  async move(identityId: string, maxVisits: number): Promise<void> {
    await this.#db.transaction((tx) =>
      sql`select visit_move_named(${identityId}, ${maxVisits})`.execute(tx.as<Tables>()),
    );
  }
}
