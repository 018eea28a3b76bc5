import type { Kysely } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import type { AccountStore } from '../store.ts';
import type { SessionRow } from './store.ts';

export interface TokenRow {
  readonly hash: Buffer;
  readonly session_id: string;
  readonly kind: 'access' | 'refresh';
  readonly generation: number;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly successor: Buffer | null;
}

interface Tables {
  session: SessionRow;
  session_token: TokenRow;
}

/** SQL of the tokens of sessions. Methods with `tx` belong to their caller. */
export class TokenStore {
  readonly #db: Database;
  readonly #users: Pick<AccountStore, 'userById'>;

  constructor(db: Database, users: Pick<AccountStore, 'userById'>) {
    this.#db = db;
    this.#users = users;
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }

  async add(tx: Tx, tokens: readonly TokenRow[]): Promise<void> {
    await tx
      .as<Tables>()
      .insertInto('session_token')
      .values([...tokens])
      .execute();
  }

  /** The session that an access token opens. */
  async sessionOf(hash: Buffer, at: Date): Promise<string | null> {
    const token = await this.#read
      .selectFrom('session_token')
      .select('session_id')
      .where('hash', '=', hash)
      .where('kind', '=', 'access')
      .where('expires_at', '>', at)
      .executeTakeFirst();
    return token?.session_id ?? null;
  }

  /** The refresh token and its session, locked until the transaction ends, so that two tabs take turns. */
  async refreshForUpdate(
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
    const user = session && (await this.#users.userById(session.user_id));
    return session && current && user?.is_active ? { token: current, session } : undefined;
  }

  async use(tx: Tx, hash: Buffer, at: Date, successor: Buffer): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('session_token')
      .set({ used_at: at, successor })
      .where('hash', '=', hash)
      .execute();
  }

  async deleteExpired(at: Date): Promise<void> {
    await this.#db
      .write<Tables>()
      .deleteFrom('session_token')
      .where('expires_at', '<', at)
      .execute();
  }
}
