import type { Kysely } from 'kysely';
import type { Role } from '@nazar/contract/accounts.ts';
import type { Database, Tx } from '#db/database.ts';

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

interface Tables {
  app_user: UserRow;
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

/** SQL of accounts. Each noun has a store of its own beside it. Methods with `tx` belong to their caller. */
export class AccountStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
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

  async usersById(ids: readonly string[]): Promise<Map<string, UserRow>> {
    const users = await this.#read
      .selectFrom('app_user')
      .select(userColumns)
      .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
      .execute();
    return new Map(users.map((user) => [user.id, user]));
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
}
