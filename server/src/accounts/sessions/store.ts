import { sql, type Kysely } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import type { AccountStore, UserRow } from '../store.ts';

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

interface Tables {
  session: SessionRow;
  session_token: { readonly session_id: string };
  time_mark: { single: true; at: Date };
}

/** SQL of sessions and how long they live. Methods with `tx` belong to their caller. */
export class SessionStore {
  readonly #db: Database;
  readonly #users: Pick<AccountStore, 'usersById'>;

  constructor(db: Database, users: Pick<AccountStore, 'usersById'>) {
    this.#db = db;
    this.#users = users;
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

  async add(tx: Tx, session: SessionRow): Promise<void> {
    await tx.as<Tables>().insertInto('session').values(session).execute();
  }

  /** The session while it lives and its user is enabled. */
  async byId(id: string, at: Date): Promise<LivingSession | undefined> {
    return (await this.byIds([id], at)).get(id);
  }

  /** The same for several; sessions that are absent do not live. */
  async byIds(ids: readonly string[], at: Date): Promise<Map<string, LivingSession>> {
    const sessions = await this.#read
      .selectFrom('session')
      .selectAll()
      .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
      .where('ended_at', 'is', null)
      .where('expires_at', '>', at)
      .execute();
    const living = new Map<string, LivingSession>();
    if (sessions.length === 0) return living;
    const users = await this.#users.usersById(sessions.map(({ user_id }) => user_id));
    for (const session of sessions) {
      const user = users.get(session.user_id);
      if (user?.is_active) living.set(session.id, { ...session, user });
    }
    return living;
  }

  async advance(tx: Tx, id: string, generation: number, expiresAt: Date): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('session')
      .set({ generation, expires_at: expiresAt })
      .where('id', '=', id)
      .execute();
  }

  /** Ends a session and forgets its tokens. */
  async end(tx: Tx, id: string, at: Date, reason: EndedReason): Promise<void> {
    const db = tx.as<Tables>();
    await db
      .updateTable('session')
      .set({ ended_at: at, ended_reason: reason })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .execute();
    await db.deleteFrom('session_token').where('session_id', '=', id).execute();
  }

  /** The ids of the sessions it ended. */
  async endAllOf(tx: Tx, userId: string, at: Date, reason: EndedReason): Promise<string[]> {
    const living = await tx
      .as<Tables>()
      .selectFrom('session')
      .select('id')
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .execute();
    for (const { id } of living) await this.end(tx, id, at, reason);
    return living.map(({ id }) => id);
  }

  /** The oldest living sessions beyond `keep`. */
  async surplus(tx: Tx, userId: string, keep: number): Promise<string[]> {
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

  /** Never moves back: after two simultaneous requests the later activity stays. */
  async touch(id: string, at: Date): Promise<void> {
    await this.#write
      .updateTable('session')
      .set({ last_active_at: at })
      .where('id', '=', id)
      .where('last_active_at', '<', at)
      .execute();
  }

  /** Sessions that have not been ended although their time may be over; null: of all users. */
  overdue(userId: string | null, expiredAt: Date, idleSince: Date): Promise<SessionRow[]> {
    const sessions = this.#read.selectFrom('session').selectAll();
    return (userId === null ? sessions : sessions.where('user_id', '=', userId))
      .where('ended_at', 'is', null)
      .where((eb) =>
        eb.or([eb('expires_at', '<=', expiredAt), eb('last_active_at', '<=', idleSince)]),
      )
      .orderBy('last_active_at')
      .limit(1000)
      .execute();
  }

  /** The latest moment that any node used, this one included. */
  async raiseTimeMark(nowMs: number): Promise<number> {
    const at = new Date(nowMs);
    const { at: latest } = await this.#write
      .insertInto('time_mark')
      .values({ single: true, at })
      .onConflict((conflict) =>
        conflict
          .column('single')
          .doUpdateSet({ at: sql<Date>`greatest(time_mark.at, excluded.at)` }),
      )
      .returning('at')
      .executeTakeFirstOrThrow();
    return latest.getTime();
  }
}
