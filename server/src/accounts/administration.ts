/**
 * Users as administrators see and change them (NSH-047). The matrix in short: a superadmin may give and take
 * anything, an admin deals with users and operators only, and nobody touches their own rights (C-116).
 */
import type { Role } from '@nazar/contract/accounts.ts';
import type {
  ChangeUser,
  CreateUser,
  ListedUser,
  UserName,
  UserQuery,
} from '@nazar/contract/users.ts';
import { Problem } from '#lib/problem.ts';
import type { Scope } from '#http/scope.ts';
import type { AccountParts } from './parts.ts';
import type { UserRow } from './store.ts';
import type { UserChange } from './user-store.ts';
import { asUser, flagsOf, newUserRow, standingOf } from './users.ts';

/** What an admin may make of somebody, and whom they may change. */
const ordinary: readonly Role[] = ['user', 'operator'];

export class Administration {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /** APA-011: everybody for administrators, a list of one for the rest. */
  async list(scope: Scope, query: UserQuery): Promise<{ count: number; results: ListedUser[] }> {
    const { count, rows } = await this.#parts.users.users({
      onlyId: scope.seesAll ? null : scope.userId,
      search: query.search ?? '',
      offset: (query.page - 1) * query.page_size,
      limit: query.page_size,
    });
    return { count, results: rows.map(asListed) };
  }

  /** APA-016. Throws user_not_found for whom the caller may not know of (C-308). */
  async name(scope: Scope, id: string): Promise<UserName> {
    const isKnown = scope.seesAll || id === scope.userId;
    const user = isKnown ? await this.#parts.store.userById(id) : undefined;
    if (!user) throw new Problem('user_not_found');
    const full_name = `${user.first_name} ${user.last_name}`.trim();
    return { id, full_name, username: user.email, email: user.email };
  }

  /** Throws forbidden, email_taken and the password problems. */
  async create(scope: Scope, form: CreateUser): Promise<ListedUser> {
    const { store, passwords, clock } = this.#parts;
    const { email, password, role, first_name, last_name } = form;
    if (scope.standing !== 'superadmin' && !ordinary.includes(role)) throw new Problem('forbidden');
    const user = { email, password, role, firstName: first_name, lastName: last_name };
    const row = await newUserRow(user, passwords, clock.now());
    const added = await store.transaction((tx) => store.addUser(tx, row));
    if (!added) throw new Problem('email_taken', { field: 'email' });
    return asListed(row);
  }

  /** Throws forbidden, own_role, user_not_found and last_superadmin. Who is disabled is out at once (C-117). */
  async change(scope: Scope, id: string, wanted: ChangeUser): Promise<ListedUser> {
    const { store, users, sessions } = this.#parts;
    if (id === scope.userId) throw new Problem('own_role');
    const { row, ended } = await store.transaction(async (tx) => {
      // Locked before the row itself: everybody takes these locks in one order.
      const superadmins = await users.superadminsForUpdate(tx);
      const before = await users.userForUpdate(tx, id);
      if (!before) throw new Problem('user_not_found');
      if (scope.standing !== 'superadmin') refuseBeyondAdmin(before, wanted);
      const change = changeOf(before, wanted);
      const after = { ...before, ...change };
      const isSuperadmin = after.role === 'superadmin' && after.is_active;
      if (!isSuperadmin && superadmins.length === 1 && superadmins[0] === id) {
        throw new Problem('last_superadmin');
      }
      await users.changeUser(tx, id, change);
      const out = after.is_active ? [] : await sessions.endAll(tx, id, 'disabled');
      return { row: after, ended: out };
    });
    this.#parts.ended(ended);
    return asListed(row);
  }
}

/** An admin changes users and operators into each other, and lets them in or out; no more. */
function refuseBeyondAdmin(before: UserRow, { role, is_staff }: ChangeUser): void {
  const target = standingOf(before);
  const isOrdinary = target === 'user' || target === 'operator';
  const staysOrdinary = (role === undefined || ordinary.includes(role)) && is_staff !== true;
  if (!isOrdinary || !staysOrdinary) throw new Problem('forbidden');
}

/** A lesser role keeps the staff flag only when it had it by itself, not from the role that is gone. */
function changeOf(before: UserRow, { role, is_staff, is_active }: ChangeUser): UserChange {
  const wasStaffByItself = standingOf(before) === 'staff';
  const after = role ?? before.role;
  return {
    role: after,
    ...flagsOf(after, is_staff ?? wasStaffByItself),
    is_active: is_active ?? before.is_active,
  };
}

function asListed(row: UserRow): ListedUser {
  return { ...asUser(row), is_active: row.is_active };
}
