import type { Kysely } from 'kysely';
import type { Standing } from '@nazar/contract/route.ts';
import type { Database, Tx } from '#db/database.ts';
import { Problem } from '#lib/problem.ts';
import { endAccount, type EndedRow } from './ended-store.ts';
import { noPassword, standingOf } from './users.ts';
import type { SessionRow } from '../sessions/store.ts';
import { userColumns, type UserRow } from '../store.ts';

export type Registration = 'open' | 'approval' | 'closed';

/** The fields of a user's row that may be changed; the others are fixed when it is made. */
export type UserChange = Partial<Omit<UserRow, 'id' | 'created_at' | 'password_hash'>>;

/** An account that may sign in. */
export interface ActiveAccount {
  readonly userId: string;
  readonly email: string;
  readonly standing: Standing;
}

interface Tables {
  app_user: UserRow;
  session: SessionRow;
  ended_account: EndedRow;
  account_policy: { single: true; registration: Registration };
}

/** SQL of the actions of users and administrators on existing accounts. Methods with `tx` belong to their caller. */
export class UserStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }

  async registration(): Promise<Registration> {
    const row = await this.#read
      .selectFrom('account_policy')
      .select('registration')
      .executeTakeFirstOrThrow();
    return row.registration;
  }

  async setRegistration(tx: Tx, registration: Registration): Promise<void> {
    await tx.as<Tables>().updateTable('account_policy').set({ registration }).execute();
  }

  /** The row as it is now, locked until the transaction ends. */
  userForUpdate(tx: Tx, id: string): Promise<UserRow | undefined> {
    return tx
      .as<Tables>()
      .selectFrom('app_user')
      .select(userColumns)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
  }

  /**
   * Active superadmins who have a password here, locked in one order: when two remove each other at once,
   * the second waits and then finds itself the last. A user who can only sign in at a provider does not count: one
   * must be able to sign in when the provider does not answer.
   */
  async superadminsForUpdate(tx: Tx): Promise<string[]> {
    const rows = await tx
      .as<Tables>()
      .selectFrom('app_user')
      .select('id')
      .where('role', '=', 'superadmin')
      .where('is_active', '=', true)
      .where('password_hash', 'not in', [noPassword, ''])
      .orderBy('id')
      .forUpdate()
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Throws email_taken. */
  async changeUser(tx: Tx, id: string, change: UserChange): Promise<void> {
    if (Object.keys(change).length === 0) return;
    try {
      await tx.as<Tables>().updateTable('app_user').set(change).where('id', '=', id).execute();
    } catch (error) {
      if (!isDouble(error)) throw error;
      throw new Problem('email_taken', { field: 'email' }, error);
    }
  }

  /**
   * Sessions and preferences are deleted with the row; cameras that the user added stay. The account's id is kept, so
   * that the people it added can be erased as the terms promise.
   */
  async deleteUser(tx: Tx, id: string, at: Date): Promise<void> {
    const user = await this.userForUpdate(tx, id);
    if (!user) return;
    await endAccount(tx, { userId: id, standing: standingOf(user) }, at);
    await tx.as<Tables>().deleteFrom('app_user').where('id', '=', id).execute();
  }

  /** The standings of these accounts, or their last ones if they ended; accounts that never existed are absent. */
  async standingsOf(ids: readonly string[]): Promise<Map<string, Standing>> {
    if (ids.length === 0) return new Map();
    const ended = await this.#read
      .selectFrom('ended_account')
      .select(['user_id', 'standing'])
      .where('user_id', 'in', ids)
      .execute();
    const living = await this.#read
      .selectFrom('app_user')
      .select(['id', 'role', 'is_staff'])
      .where('id', 'in', ids)
      .execute();
    return new Map([
      ...ended.map(({ user_id, standing }) => [user_id, standing] as const),
      ...living.map((user) => [user.id, standingOf(user)] as const),
    ]);
  }

  async active(): Promise<ActiveAccount[]> {
    const rows = await this.#read
      .selectFrom('app_user')
      .select(['id', 'email', 'role', 'is_staff'])
      .where('is_active', '=', true)
      .orderBy('id')
      .execute();
    return rows.map((row) => ({ userId: row.id, email: row.email, standing: standingOf(row) }));
  }

  /** Newest first. */
  livingSessions(userId: string, at: Date): Promise<SessionRow[]> {
    return this.#read
      .selectFrom('session')
      .selectAll()
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', at)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
  }

  async livingSessionIds(tx: Tx, userId: string): Promise<string[]> {
    const rows = await tx
      .as<Tables>()
      .selectFrom('session')
      .select('id')
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .forUpdate()
      .execute();
    return rows.map(({ id }) => id);
  }
}

/** PostgreSQL's unique_violation; in `app_user` only the e-mail address can be taken. */
const isDouble = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23505';
