import { sql, type Kysely, type SelectQueryBuilder } from 'kysely';
import type { Role } from '@nazar/contract/accounts.ts';
import type { UserOrder } from '@nazar/contract/users.ts';
import type { Database } from '#db/database.ts';
import { folded, hasText } from '#db/like.ts';
import { pageOf, type Page, type Paged } from '#db/page.ts';
import { userColumns, type UserRow } from '../store.ts';
import type { SessionRow } from '../sessions/store.ts';

export interface DirectoryRow extends UserRow {
  readonly last_login_at: Date | null;
  readonly two_factor: boolean;
}

export interface UserFilter extends Page {
  /** Null: all users. */
  readonly onlyId: string | null;
  readonly search: string;
  readonly role: Role | null;
  readonly isActive: boolean | null;
  readonly twoFactor: boolean | null;
  readonly order: UserOrder;
  readonly isBackwards: boolean;
}

interface Tables {
  app_user: UserRow;
  session: SessionRow;
}

/** SQL of lists of users. */
export class DirectoryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(filter: UserFilter): Promise<Paged<DirectoryRow>> {
    const direction = filter.isBackwards ? 'desc' : 'asc';
    let query = filtered(this.#read.selectFrom('app_user'), filter)
      .select(userColumns)
      .select([lastLogin.as('last_login_at'), hasTwoFactor.as('two_factor')]);
    for (const part of orders[filter.order]) {
      query = query.orderBy(part, (by) => (direction === 'asc' ? by.asc() : by.desc()).nullsLast());
    }
    return pageOf(query.orderBy('id', direction), filter);
  }

  find(id: string): Promise<DirectoryRow | undefined> {
    return this.#read
      .selectFrom('app_user')
      .select(userColumns)
      .select([lastLogin.as('last_login_at'), hasTwoFactor.as('two_factor')])
      .where('id', '=', id)
      .executeTakeFirst();
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }
}

const lastLogin = sql<Date | null>`
  (select created_at from session where user_id = app_user.id order by created_at desc limit 1)`;

const hasTwoFactor = sql<boolean>`
  exists (select from user_totp where user_id = app_user.id and confirmed_at is not null)`;

/** Sorts by the text that users read, ignoring case. */
const orders = {
  name: [folded(sql`first_name`), folded(sql`last_name`)],
  email: [sql`email`],
  role: [sql`array_position(array['user', 'operator', 'admin', 'superadmin'], role)`],
  created: [sql`created_at`],
  last_login: [sql`last_login_at`],
} as const satisfies Record<UserOrder, readonly unknown[]>;

function filtered<O>(
  query: SelectQueryBuilder<Tables, 'app_user', O>,
  { onlyId, search, role, isActive, twoFactor }: UserFilter,
): SelectQueryBuilder<Tables, 'app_user', O> {
  let found = query;
  if (onlyId !== null) found = found.where('id', '=', onlyId);
  if (role !== null) found = found.where('role', '=', role);
  if (isActive !== null) found = found.where('is_active', '=', isActive);
  if (twoFactor !== null) found = found.where(hasTwoFactor, '=', twoFactor);
  if (search === '') return found;
  return found.where(hasText([sql`email`, sql`first_name || ' ' || last_name`], search));
}
