import { sql, type Generated, type Kysely } from 'kysely';
import type { Role } from '@nazar/contract/accounts.ts';
import type { Database, Tx } from '#db/database.ts';
import { forgetAfterMs, type Failures } from './throttle/throttle.ts';

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly role: Role;
  readonly is_staff: boolean;
  readonly is_superuser: boolean;
  readonly is_active: boolean;
  readonly password_hash: string;
  readonly created_at: Date;
  readonly phone: string;
  readonly department: string;
  readonly position: string;
  readonly address: string;
  /** YYYY-MM-DD */
  readonly birthdate: string | null;
  readonly bio: string;
}

export interface PreferenceRow {
  readonly user_id: string;
  readonly language: 'en' | 'az' | 'ru' | 'tr' | null;
  readonly theme: 'light' | 'dark' | null;
  readonly avatar_color: string | null;
  readonly sidebar_collapsed: boolean;
  readonly cameras_view: 'grid' | 'list';
  readonly faces_view: 'grid' | 'list';
}

export type EndedReason =
  | 'logout'
  | 'replay'
  | 'stolen'
  | 'password'
  | 'disabled'
  | 'limit'
  | 'revoked'
  | 'idle'
  | 'expired';

export interface SessionRow {
  readonly id: string;
  readonly user_id: string;
  readonly is_browser: boolean;
  readonly is_remembered: boolean;
  readonly cookie_hash: Buffer | null;
  readonly generation: number;
  readonly ip: string;
  readonly user_agent: string;
  readonly created_at: Date;
  readonly last_active_at: Date;
  readonly expires_at: Date;
  readonly absolute_expires_at: Date;
  readonly ended_at: Date | null;
  readonly ended_reason: EndedReason | null;
}

export type LivingSession = SessionRow & { readonly user: UserRow };

export interface TokenRow {
  readonly hash: Buffer;
  readonly session_id: string;
  readonly kind: 'access' | 'refresh';
  readonly generation: number;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly successor: Buffer | null;
}

export type Registration = 'open' | 'approval' | 'closed';

interface Tables {
  app_user: UserRow;
  user_preference: Pick<PreferenceRow, 'user_id'> & {
    [Column in keyof Omit<PreferenceRow, 'user_id'>]: Generated<PreferenceRow[Column]>;
  };
  session: SessionRow;
  session_token: TokenRow;
  throttle: { key: string; failures: number; last_at: Date };
  setup_code: { hash: Buffer; expires_at: Date; used_at: Date | null };
  account_policy: { single: true; registration: Registration };
}

export const userColumns = [
  'id',
  'email',
  'first_name',
  'last_name',
  'role',
  'is_staff',
  'is_superuser',
  'is_active',
  'password_hash',
  'created_at',
  'phone',
  'department',
  'position',
  'address',
  'birthdate',
  'bio',
] as const;

/** SQL of accounts; the only writer of its tables. Methods with `tx` belong to their caller's transaction. */
export class AccountStore {
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

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  userByEmail(email: string): Promise<UserRow | undefined> {
    return this.#read
      .selectFrom('app_user')
      .select(userColumns)
      .where('email', '=', email)
      .executeTakeFirst();
  }

  userById(id: string): Promise<UserRow | undefined> {
    return this.#read
      .selectFrom('app_user')
      .select(userColumns)
      .where('id', '=', id)
      .executeTakeFirst();
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

  /** False when the e-mail address is taken. */
  async addUser(tx: Tx, user: UserRow): Promise<boolean> {
    const added = await tx
      .as<Tables>()
      .insertInto('app_user')
      .values(user)
      .onConflict((conflict) => conflict.column('email').doNothing())
      .executeTakeFirst();
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  async setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('app_user')
      .set({ password_hash: passwordHash })
      .where('id', '=', userId)
      .execute();
  }

  preferences(userId: string): Promise<PreferenceRow | undefined> {
    return this.#read
      .selectFrom('user_preference')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirst();
  }

  /** Only what changed: another tab may be changing something else. */
  async savePreferences(userId: string, change: Partial<PreferenceRow>): Promise<void> {
    const row = { ...change, user_id: userId };
    await this.#write
      .insertInto('user_preference')
      .values(row)
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
      .execute();
  }

  async addSession(tx: Tx, session: SessionRow): Promise<void> {
    await tx.as<Tables>().insertInto('session').values(session).execute();
  }

  async addTokens(tx: Tx, tokens: readonly TokenRow[]): Promise<void> {
    await tx
      .as<Tables>()
      .insertInto('session_token')
      .values([...tokens])
      .execute();
  }

  /** A living session and its user by the hash of an access token. */
  async sessionByAccessToken(hash: Buffer, at: Date): Promise<LivingSession | undefined> {
    const token = await this.#read
      .selectFrom('session_token')
      .select('session_id')
      .where('hash', '=', hash)
      .where('kind', '=', 'access')
      .where('expires_at', '>', at)
      .executeTakeFirst();
    return token && this.sessionById(token.session_id, at);
  }

  async sessionById(id: string, at: Date): Promise<LivingSession | undefined> {
    const session = await this.#read
      .selectFrom('session')
      .selectAll()
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', at)
      .executeTakeFirst();
    const user = session && (await this.userById(session.user_id));
    return session && user?.is_active ? { ...session, user } : undefined;
  }

  /** The refresh token and its session, locked until the transaction ends, so that two tabs take turns. */
  async refreshTokenForUpdate(
    tx: Tx,
    hash: Buffer,
  ): Promise<{ token: TokenRow; session: SessionRow } | undefined> {
    const db = tx.as<Tables>();
    const token = await db
      .selectFrom('session_token')
      .selectAll()
      .where('hash', '=', hash)
      .where('kind', '=', 'refresh')
      .executeTakeFirst();
    if (!token) return undefined;
    const session = await db
      .selectFrom('session')
      .selectAll()
      .where('id', '=', token.session_id)
      .forUpdate()
      .executeTakeFirst();
    // Read again behind the lock: another tab may have used it while we waited.
    const current = await db
      .selectFrom('session_token')
      .selectAll()
      .where('hash', '=', hash)
      .executeTakeFirst();
    const user = session && (await this.userById(session.user_id));
    return session && current && user?.is_active ? { token: current, session } : undefined;
  }

  async useRefreshToken(tx: Tx, hash: Buffer, at: Date, successor: Buffer): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('session_token')
      .set({ used_at: at, successor })
      .where('hash', '=', hash)
      .execute();
  }

  async advanceSession(tx: Tx, id: string, generation: number, expiresAt: Date): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('session')
      .set({ generation, expires_at: expiresAt })
      .where('id', '=', id)
      .execute();
  }

  /** Ends a session and forgets its tokens. */
  async endSession(tx: Tx, id: string, at: Date, reason: EndedReason): Promise<void> {
    const db = tx.as<Tables>();
    await db
      .updateTable('session')
      .set({ ended_at: at, ended_reason: reason })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .execute();
    await db.deleteFrom('session_token').where('session_id', '=', id).execute();
  }

  /** Ids of the sessions it ended. */
  async endSessionsOf(tx: Tx, userId: string, at: Date, reason: EndedReason): Promise<string[]> {
    const living = await tx
      .as<Tables>()
      .selectFrom('session')
      .select('id')
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .execute();
    for (const { id } of living) await this.endSession(tx, id, at, reason);
    return living.map(({ id }) => id);
  }

  /** The oldest living sessions beyond `keep` (C-206). */
  async surplusSessions(tx: Tx, userId: string, keep: number): Promise<string[]> {
    const rows = await tx
      .as<Tables>()
      .selectFrom('session')
      .select('id')
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .offset(keep)
      .execute();
    return rows.map(({ id }) => id);
  }

  async deleteExpiredTokens(at: Date): Promise<void> {
    await this.#write.deleteFrom('session_token').where('expires_at', '<', at).execute();
    // What the limiter forgets anyway.
    const dayBefore = new Date(at.getTime() - forgetAfterMs);
    await this.#write.deleteFrom('throttle').where('last_at', '<', dayBefore).execute();
  }

  async failures(key: string): Promise<Failures | null> {
    const row = await this.#write
      .selectFrom('throttle')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirst();
    return row ? { count: row.failures, lastAtMs: row.last_at.getTime() } : null;
  }

  async saveFailures(key: string, failures: Failures): Promise<void> {
    const row = { failures: failures.count, last_at: new Date(failures.lastAtMs) };
    await this.#write
      .insertInto('throttle')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
  }

  /** One more in the stretch of time that began at `last_at`, or the first of a new one. Atomic. */
  async countInWindow(key: string, at: Date, windowMs: number): Promise<void> {
    const began = new Date(at.getTime() - windowMs);
    await this.#write
      .insertInto('throttle')
      .values({ key, failures: 1, last_at: at })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          failures: sql<number>`case when throttle.last_at > ${began} then throttle.failures + 1 else 1 end`,
          last_at: sql<Date>`case when throttle.last_at > ${began} then throttle.last_at else ${at} end`,
        }),
      )
      .execute();
  }

  async forgetFailures(key: string): Promise<void> {
    await this.#write.deleteFrom('throttle').where('key', '=', key).execute();
  }

  async replaceSetupCode(hash: Buffer, expiresAt: Date): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const db = tx.as<Tables>();
      await db.deleteFrom('setup_code').execute();
      await db
        .insertInto('setup_code')
        .values({ hash, expires_at: expiresAt, used_at: null })
        .execute();
    });
  }

  /** Whether a code would be taken at that moment: asked before anything dear is done for it. */
  async isSetupCode(hash: Buffer, at: Date): Promise<boolean> {
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
  async useSetupCode(tx: Tx, hash: Buffer, at: Date): Promise<boolean> {
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

  async setRegistration(tx: Tx, registration: Registration): Promise<void> {
    await tx.as<Tables>().updateTable('account_policy').set({ registration }).execute();
  }
}
