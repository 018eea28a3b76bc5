import type { Database, Tx } from '#db/database.ts';

export type LinkKind = 'reset' | 'help' | 'invitation';

export interface LinkRow {
  readonly hash: Buffer;
  readonly user_id: string;
  readonly kind: LinkKind;
  readonly created_at: Date;
  readonly expires_at: Date;
}

interface Tables {
  account_link: LinkRow;
}

/** SQL of the links that open an account once; the only writer of their table. */
export class LinkStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(tx: Tx, link: LinkRow): Promise<void> {
    await tx.as<Tables>().insertInto('account_link').values(link).execute();
  }

  /** The link if it is valid at that moment; checked before any expensive work. */
  find(hash: Buffer, userId: string, at: Date): Promise<LinkRow | undefined> {
    return this.#db
      .read<Tables>()
      .selectFrom('account_link')
      .selectAll()
      .where('hash', '=', hash)
      .where('user_id', '=', userId)
      .where('expires_at', '>', at)
      .executeTakeFirst();
  }

  /** True exactly once for a link that is valid at that moment. */
  async use(tx: Tx, hash: Buffer, at: Date): Promise<boolean> {
    const { numDeletedRows } = await tx
      .as<Tables>()
      .deleteFrom('account_link')
      .where('hash', '=', hash)
      .where('expires_at', '>', at)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Ends every link of this account. */
  async deleteOf(tx: Tx, userId: string): Promise<void> {
    await tx.as<Tables>().deleteFrom('account_link').where('user_id', '=', userId).execute();
  }

  async deleteExpired(at: Date): Promise<void> {
    await this.#db
      .write<Tables>()
      .deleteFrom('account_link')
      .where('expires_at', '<=', at)
      .execute();
  }
}
