import { sql, type Kysely } from 'kysely';
import type { Database, Tx } from '#db/database.ts';

export interface SignOnRow {
  readonly hash: Buffer;
  readonly purpose: 'sign in' | 'connect' | 'prove';
  readonly step: 'begun' | 'proven';
  readonly user_id: string | null;
  readonly session_id: string | null;
  readonly remember: boolean;
  readonly is_strong: boolean;
  readonly expires_at: Date;
}

export interface ProviderIdentityRow {
  readonly issuer: string;
  readonly subject: string;
  readonly user_id: string;
  readonly connected_at: Date;
}

interface Tables {
  sign_on: SignOnRow;
  provider_identity: ProviderIdentityRow;
  fresh_sign_on: { readonly session_id: string; readonly signed_on_at: Date };
}

/** SQL of signing in at a provider. Methods with `tx` belong to their caller. */
export class SignOnStore {
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

  async add(row: SignOnRow): Promise<void> {
    await this.#write.insertInto('sign_on').values(row).execute();
  }

  /** Removes and returns the row: only one caller gets it. */
  async take(hash: Buffer, step: SignOnRow['step'], at: Date): Promise<SignOnRow | null> {
    const row = await this.#write
      .deleteFrom('sign_on')
      .where('hash', '=', hash)
      .where('step', '=', step)
      .returningAll()
      .executeTakeFirst();
    return row && row.expires_at > at ? row : null;
  }

  async deleteExpired(at: Date): Promise<void> {
    await this.#write.deleteFrom('sign_on').where('expires_at', '<', at).execute();
  }

  /** Marks that this session came back from the provider with proof. */
  async keepFresh(sessionId: string, at: Date): Promise<void> {
    await this.#write
      .insertInto('fresh_sign_on')
      .values({ session_id: sessionId, signed_on_at: at })
      .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ signed_on_at: at }))
      .execute();
  }

  async freshSince(sessionId: string, since: Date): Promise<Date | null> {
    const row = await this.#read
      .selectFrom('fresh_sign_on')
      .select('signed_on_at')
      .where('session_id', '=', sessionId)
      .where('signed_on_at', '>', since)
      .executeTakeFirst();
    return row?.signed_on_at ?? null;
  }

  async deleteFresh(before: Date): Promise<void> {
    await this.#write.deleteFrom('fresh_sign_on').where('signed_on_at', '<', before).execute();
  }

  identity(issuer: string, subject: string): Promise<ProviderIdentityRow | undefined> {
    return this.#read
      .selectFrom('provider_identity')
      .selectAll()
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
  }

  /** The identity of this account at this provider, which writes its name with or without a slash at the end. */
  identityOf(userId: string, issuer: string): Promise<ProviderIdentityRow | undefined> {
    return this.#read
      .selectFrom('provider_identity')
      .selectAll()
      .where('user_id', '=', userId)
      .where(sql`rtrim(issuer, '/')`, '=', issuer.replace(/\/+$/, ''))
      .executeTakeFirst();
  }

  /** Replaces the identity that this account had at the same provider; false when another account has it. */
  async connect(tx: Tx, row: ProviderIdentityRow): Promise<boolean> {
    const db = tx.as<Tables>();
    await db
      .deleteFrom('provider_identity')
      .where('user_id', '=', row.user_id)
      .where('issuer', '=', row.issuer)
      .execute();
    const added = await db
      .insertInto('provider_identity')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  async disconnect(tx: Tx, userId: string): Promise<void> {
    await tx.as<Tables>().deleteFrom('provider_identity').where('user_id', '=', userId).execute();
  }
}
