/** Users as administrators see them, and their names as other users may see them. */
import type {
  ListedUser,
  UserDetail,
  UserName,
  UserOrder,
  UserQuery,
} from '@nazar/contract/users.ts';
import { Problem } from '#lib/problem.ts';
import type { Scope } from '#http/scope.ts';
import type { DirectoryRow, DirectoryStore } from './directory-store.ts';
import type { AccountParts } from '../parts.ts';
import { asUser } from '../users/users.ts';

export type HasMadeVisible = (scope: Scope, userId: string) => Promise<boolean>;

export class Directory {
  readonly #parts: AccountParts;
  readonly #store: DirectoryStore;

  constructor(parts: AccountParts, store: DirectoryStore) {
    this.#parts = parts;
    this.#store = store;
  }

  /** All users for administrators, a list of one for other callers. */
  async list(scope: Scope, query: UserQuery): Promise<{ count: number; results: ListedUser[] }> {
    const { count, rows } = await this.#store.list({
      onlyId: scope.seesAll ? null : scope.userId,
      search: query.search ?? '',
      role: query.role ?? null,
      isActive: query.is_active ?? null,
      twoFactor: query.two_factor ?? null,
      order: query.ordering.replace(/^-/, '') as UserOrder,
      isBackwards: query.ordering.startsWith('-'),
      page: query.page,
      pageSize: query.page_size,
    });
    return { count, results: rows.map(asListed) };
  }

  /**
   * `hasMadeVisible`: whether that user made something that the caller may see. Throws user_not_found
   * for users whose existence the caller may not know.
   */
  async name(
    scope: Scope,
    id: string,
    hasMadeVisible: HasMadeVisible = async () => false,
  ): Promise<UserName> {
    const isKnown = scope.seesAll || id === scope.userId || (await hasMadeVisible(scope, id));
    const user = isKnown ? await this.#parts.store.userById(id) : undefined;
    if (!user) throw new Problem('user_not_found');
    const full_name = `${user.first_name} ${user.last_name}`.trim();
    return { id, full_name, username: user.email, email: user.email };
  }

  /** Throws user_not_found. */
  async read(id: string): Promise<UserDetail> {
    const row = await this.#store.find(id);
    if (!row) throw new Problem('user_not_found');
    const lockedForMs = await this.#parts.throttle.accountWaitMs(row.email);
    const lockedUntilMs = this.#parts.clock.now() + lockedForMs;
    const locked_until = lockedForMs > 0 ? new Date(lockedUntilMs).toISOString() : null;
    return { ...asListed(row), locked_until };
  }
}

export function asListed(row: DirectoryRow): ListedUser {
  return {
    ...asUser(row),
    is_active: row.is_active,
    has_password: row.password_hash !== '',
    two_factor: row.two_factor,
    last_login_at: row.last_login_at?.toISOString() ?? null,
  };
}
