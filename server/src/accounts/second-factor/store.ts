import type { Kysely } from 'kysely';
import type { Database, Tx } from '#db/database.ts';

export interface TotpRow {
  readonly user_id: string;
  readonly secret: Buffer;
  readonly created_at: Date;
  readonly confirmed_at: Date | null;
  readonly last_step: number;
}

export interface LoginChallengeRow {
  readonly hash: Buffer;
  readonly user_id: string;
  readonly is_remembered: boolean;
  readonly password_mark: Buffer;
  readonly expires_at: Date;
}

interface Tables {
  user_totp: TotpRow;
  recovery_code: { readonly user_id: string; readonly hash: Buffer };
  login_challenge: LoginChallengeRow;
}

/** SQL of second factors and of the challenges between a password and a code. Methods with `tx` belong to their caller. */
export class TwoFactorStore {
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

  totp(userId: string): Promise<TotpRow | undefined> {
    return this.#read
      .selectFrom('user_totp')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirst();
  }

  /** The ids of those of these users who have a confirmed secret. */
  async confirmedBy(userIds: readonly string[]): Promise<string[]> {
    const rows = await this.#read
      .selectFrom('user_totp')
      .select('user_id')
      .where((eb) => eb('user_id', '=', eb.fn.any(eb.val(userIds))))
      .where('confirmed_at', 'is not', null)
      .execute();
    return rows.map(({ user_id }) => user_id);
  }

  /** Replaces a secret that is not confirmed; false if there is a confirmed one. */
  async replaceTotp(tx: Tx, userId: string, secret: Buffer, at: Date): Promise<boolean> {
    const fresh = { secret, created_at: at, confirmed_at: null, last_step: 0 };
    const replaced = await tx
      .as<Tables>()
      .insertInto('user_totp')
      .values({ user_id: userId, ...fresh })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet(fresh).where('user_totp.confirmed_at', 'is', null),
      )
      .executeTakeFirst();
    return (replaced.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** True exactly once for a secret, and not if another one replaced it. */
  async confirmTotp(tx: Tx, { user_id, secret }: TotpRow, at: Date): Promise<boolean> {
    const confirmed = await tx
      .as<Tables>()
      .updateTable('user_totp')
      .set({ confirmed_at: at })
      .where('user_id', '=', user_id)
      .where('secret', '=', secret)
      .where('confirmed_at', 'is', null)
      .executeTakeFirst();
    return confirmed.numUpdatedRows > 0n;
  }

  /** True exactly once for a step of that secret, and for none before it. */
  async useStep({ user_id, secret }: TotpRow, step: number): Promise<boolean> {
    const used = await this.#write
      .updateTable('user_totp')
      .set({ last_step: step })
      .where('user_id', '=', user_id)
      .where('secret', '=', secret)
      .where('last_step', '<', step)
      .executeTakeFirst();
    return used.numUpdatedRows > 0n;
  }

  async deleteTotp(tx: Tx, userId: string): Promise<void> {
    await tx.as<Tables>().deleteFrom('user_totp').where('user_id', '=', userId).execute();
  }

  async hasTotp(tx: Tx, userId: string): Promise<boolean> {
    const found = await tx
      .as<Tables>()
      .selectFrom('user_totp')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst();
    return found !== undefined;
  }

  async hasRecoveryCodes(tx: Tx, userId: string): Promise<boolean> {
    const found = await tx
      .as<Tables>()
      .selectFrom('recovery_code')
      .select('user_id')
      .where('user_id', '=', userId)
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  }

  async recoveryCodesLeft(userId: string): Promise<number> {
    const { count } = await this.#read
      .selectFrom('recovery_code')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** An empty list deletes them. */
  async replaceRecoveryCodes(tx: Tx, userId: string, hashes: readonly Buffer[]): Promise<void> {
    const db = tx.as<Tables>();
    await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
    if (hashes.length === 0) return;
    await db
      .insertInto('recovery_code')
      .values(hashes.map((hash) => ({ user_id: userId, hash })))
      .execute();
  }

  /** True exactly once for a code. */
  async useRecoveryCode(userId: string, hash: Buffer): Promise<boolean> {
    const used = await this.#write
      .deleteFrom('recovery_code')
      .where('user_id', '=', userId)
      .where('hash', '=', hash)
      .executeTakeFirst();
    return used.numDeletedRows > 0n;
  }

  async addChallenge(row: LoginChallengeRow): Promise<void> {
    await this.#write.insertInto('login_challenge').values(row).execute();
  }

  challenge(hash: Buffer, at: Date): Promise<LoginChallengeRow | undefined> {
    return this.#read
      .selectFrom('login_challenge')
      .selectAll()
      .where('hash', '=', hash)
      .where('expires_at', '>', at)
      .executeTakeFirst();
  }

  /** True exactly once for a challenge. */
  async useChallenge(tx: Tx, hash: Buffer): Promise<boolean> {
    const used = await tx
      .as<Tables>()
      .deleteFrom('login_challenge')
      .where('hash', '=', hash)
      .executeTakeFirst();
    return used.numDeletedRows > 0n;
  }

  async deleteExpired(at: Date): Promise<void> {
    await this.#write.deleteFrom('login_challenge').where('expires_at', '<', at).execute();
  }
}
