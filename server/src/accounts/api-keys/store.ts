import type { Kysely } from 'kysely';
import type { KeyScope } from '@nazar/contract/route.ts';
import type { Database, Tx } from '#db/database.ts';

export interface ApiKeyRow {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly hash: Buffer;
  readonly scopes: readonly KeyScope[];
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
  readonly last_used_ip: string | null;
}

interface Tables {
  api_key: ApiKeyRow;
  api_key_address: { key_id: string; ip: string; first_used_at: Date };
}

/** SQL of API keys. Methods with `tx` belong to their caller's transaction. */
export class ApiKeyStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  byHash(hash: Buffer, at: Date): Promise<ApiKeyRow | undefined> {
    return living(this.#db.read<Tables>(), at).where('hash', '=', hash).executeTakeFirst();
  }

  byId(id: string, at: Date): Promise<ApiKeyRow | undefined> {
    return living(this.#db.read<Tables>(), at).where('id', '=', id).executeTakeFirst();
  }

  /** Newest first. */
  ofUser(userId: string, at: Date): Promise<ApiKeyRow[]> {
    return living(this.#db.read<Tables>(), at)
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
  }

  async add(tx: Tx, row: ApiKeyRow): Promise<void> {
    await tx.as<Tables>().insertInto('api_key').values(row).execute();
  }

  /** How many keys a user has; counted behind the lock of their policy, so that two simultaneous additions both count. */
  async count(tx: Tx, userId: string, at: Date): Promise<number> {
    const rows = await living(tx.as<Tables>(), at).where('user_id', '=', userId).execute();
    return rows.length;
  }

  /** The owner; undefined when there is no such living key, or another user owns it (`userId` null: any owner). */
  async revoke(tx: Tx, id: string, userId: string | null, at: Date): Promise<string | undefined> {
    const living = tx
      .as<Tables>()
      .updateTable('api_key')
      .set({ revoked_at: at })
      .where('id', '=', id)
      .where('revoked_at', 'is', null);
    const mine = userId === null ? living : living.where('user_id', '=', userId);
    const row = await mine.returning('user_id').executeTakeFirst();
    return row?.user_id;
  }

  /** Ids of the keys that it revoked. */
  async revokeAll(tx: Tx, userId: string, at: Date): Promise<string[]> {
    const rows = await tx
      .as<Tables>()
      .updateTable('api_key')
      .set({ revoked_at: at })
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** True when the key was never used from that address before. */
  async use(tx: Tx, id: string, ip: string, at: Date): Promise<boolean> {
    const db = tx.as<Tables>();
    await db
      .updateTable('api_key')
      .set({ last_used_at: at, last_used_ip: ip })
      .where('id', '=', id)
      .execute();
    const added = await db
      .insertInto('api_key_address')
      .values({ key_id: id, ip, first_used_at: at })
      .onConflict((conflict) => conflict.columns(['key_id', 'ip']).doNothing())
      .executeTakeFirst();
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }
}

function living(db: Kysely<Tables>, at: Date) {
  return db
    .selectFrom('api_key')
    .selectAll()
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at);
}
