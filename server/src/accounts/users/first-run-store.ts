import type { Kysely } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import type { UserRow } from '../store.ts';

interface Tables {
  app_user: UserRow;
  setup_code: { hash: Buffer; expires_at: Date; used_at: Date | null };
}

/** SQL of the first run. Methods with `tx` belong to their caller. */
export class FirstRunStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }

  async hasAdministrator(): Promise<boolean> {
    const found = await this.#read
      .selectFrom('app_user')
      .select('id')
      .where('role', 'in', ['admin', 'superadmin'])
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  }

  async replaceCode(hash: Buffer, expiresAt: Date): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const db = tx.as<Tables>();
      await db.deleteFrom('setup_code').execute();
      await db
        .insertInto('setup_code')
        .values({ hash, expires_at: expiresAt, used_at: null })
        .execute();
    });
  }

  /** Whether a code is valid at that moment; checked before any expensive work. */
  async isCode(hash: Buffer, at: Date): Promise<boolean> {
    const found = await this.#read
      .selectFrom('setup_code')
      .select('hash')
      .where('hash', '=', hash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', at)
      .executeTakeFirst();
    return found !== undefined;
  }

  /** True exactly once for a code that is valid at that moment. */
  async useCode(tx: Tx, hash: Buffer, at: Date): Promise<boolean> {
    const used = await tx
      .as<Tables>()
      .updateTable('setup_code')
      .set({ used_at: at })
      .where('hash', '=', hash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', at)
      .executeTakeFirst();
    return used.numUpdatedRows > 0n;
  }
}
