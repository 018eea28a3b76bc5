import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';

export interface PendingAddress {
  readonly address: string;
  readonly code_hash: Buffer;
  readonly code_expires_at: Date;
  readonly tries_left: number;
}

/** SQL of other email addresses than those of the accounts. */
export class AddressStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** Locked; null: none waits to be confirmed. */
  async pending(tx: Tx, userId: string): Promise<PendingAddress | null> {
    const { rows } = await sql<PendingAddress>`
      select address, code_hash, code_expires_at, tries_left from notification_address
       where user_id = ${userId} and code_hash is not null for update`.execute(tx.as());
    return rows[0] ?? null;
  }

  /** In place of what was there, confirmed or not: only the newest code counts. */
  async put(tx: Tx, userId: string, pending: PendingAddress): Promise<void> {
    const { address, code_hash: hash, code_expires_at: expiresAt, tries_left: tries } = pending;
    await sql`
      insert into notification_address (user_id, address, code_hash, code_expires_at, tries_left)
      values (${userId}, ${address}, ${hash}, ${expiresAt}, ${tries})
      on conflict (user_id) do update set address = excluded.address, code_hash = excluded.code_hash,
        code_expires_at = excluded.code_expires_at, tries_left = excluded.tries_left`.execute(
      tx.as(),
    );
  }

  async countWrong(tx: Tx, userId: string): Promise<void> {
    await sql`update notification_address set tries_left = tries_left - 1 where user_id = ${userId}`.execute(
      tx.as(),
    );
  }

  async confirm(tx: Tx, userId: string): Promise<void> {
    await sql`update notification_address set code_hash = null where user_id = ${userId}`.execute(
      tx.as(),
    );
  }

  async remove(tx: Tx, userId: string): Promise<void> {
    await sql`delete from notification_address where user_id = ${userId}`.execute(tx.as());
  }
}
