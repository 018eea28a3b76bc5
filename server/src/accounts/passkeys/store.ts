import type { Kysely } from 'kysely';
import type { Database, Tx } from '#db/database.ts';

export interface PasskeyRow {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly host: string;
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly counter: number;
  readonly transports: string[];
  readonly is_synced: boolean;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

interface Tables {
  passkey: PasskeyRow;
  used_passkey_challenge: { readonly hash: Buffer; readonly expires_at: Date };
}

/** SQL of passkeys. Methods with `tx` belong to their caller's transaction. */
export class PasskeyStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }

  /** Oldest first. */
  of(userId: string): Promise<PasskeyRow[]> {
    return this.#read
      .selectFrom('passkey')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
  }

  /** The ids of those of these users who have a passkey. */
  async heldBy(userIds: readonly string[]): Promise<string[]> {
    const rows = await this.#read
      .selectFrom('passkey')
      .select('user_id')
      .distinct()
      .where((eb) => eb('user_id', '=', eb.fn.any(eb.val(userIds))))
      .execute();
    return rows.map(({ user_id }) => user_id);
  }

  byCredential(credentialId: Buffer): Promise<PasskeyRow | undefined> {
    return this.#read
      .selectFrom('passkey')
      .selectAll()
      .where('credential_id', '=', credentialId)
      .executeTakeFirst();
  }

  async count(tx: Tx, userId: string): Promise<number> {
    const { count } = await tx
      .as<Tables>()
      .selectFrom('passkey')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** False when a user already has this credential. */
  async add(tx: Tx, row: PasskeyRow): Promise<boolean> {
    const added = await tx
      .as<Tables>()
      .insertInto('passkey')
      .values(row)
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .executeTakeFirst();
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  rename(tx: Tx, userId: string, id: string, name: string): Promise<PasskeyRow | undefined> {
    return tx
      .as<Tables>()
      .updateTable('passkey')
      .set({ name })
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
  }

  async remove(tx: Tx, userId: string, id: string): Promise<boolean> {
    const removed = await tx
      .as<Tables>()
      .deleteFrom('passkey')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .executeTakeFirst();
    return removed.numDeletedRows > 0n;
  }

  async removeAll(tx: Tx, userId: string): Promise<void> {
    await tx.as<Tables>().deleteFrom('passkey').where('user_id', '=', userId).execute();
  }

  /** False when the counter did not grow: then the passkey was copied. */
  async used(
    tx: Tx,
    { id, counter: seen }: PasskeyRow,
    counter: number,
    at: Date,
  ): Promise<boolean> {
    const used = await tx
      .as<Tables>()
      .updateTable('passkey')
      .set({ counter, last_used_at: at })
      .where('id', '=', id)
      .where((eb) =>
        counter === 0 && seen === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter),
      )
      .executeTakeFirst();
    return used.numUpdatedRows > 0n;
  }

  /** True exactly once for a challenge. */
  async useChallenge(tx: Tx, hash: Buffer, expiresAt: Date): Promise<boolean> {
    const used = await tx
      .as<Tables>()
      .insertInto('used_passkey_challenge')
      .values({ hash, expires_at: expiresAt })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .executeTakeFirst();
    return (used.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  async deleteExpired(at: Date): Promise<void> {
    await this.#db
      .write<Tables>()
      .deleteFrom('used_passkey_challenge')
      .where('expires_at', '<', at)
      .execute();
  }
}
