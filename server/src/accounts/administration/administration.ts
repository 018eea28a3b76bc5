/**
 * Users as administrators change them. The matrix in short: a superadmin may grant and withdraw
 * anything, an admin deals with users and operators only, and no user changes their own rights. No
 * administrator sets another user's password: an invited or helped user gets a link and chooses one.
 */
import type { Language, Role } from '@nazar/contract/accounts.ts';
import type { OneTimeLink } from '@nazar/contract/recovery.ts';
import type { Standing } from '@nazar/contract/route.ts';
import type {
  ChangeUser,
  CreatedUser,
  CreateUser,
  ListedUser,
  UserSession,
} from '@nazar/contract/users.ts';
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import type { Action, Details } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import { asListed, type Directory } from './directory.ts';
import type { LostFactor } from '../second-factor/lost-factor.ts';
import type { AccountParts } from '../parts.ts';
import { aboutUser } from '../log-entry.ts';
import type { Recovery } from '../recovery/recovery.ts';
import type { UserRow } from '../store.ts';
import type { SessionRow } from '../sessions/store.ts';
import type { UserChange } from '../users/store.ts';
import { flagsOf, invitedUserRow, standingOf } from '../users/users.ts';

/** The roles that an admin may assign, and whose users an admin may change. */
const ordinary: readonly Role[] = ['user', 'operator'];
const privileged: readonly Role[] = ['admin', 'superadmin'];

export class Administration {
  readonly #parts: AccountParts;
  readonly #directory: Directory;
  readonly #recovery: Recovery;
  readonly #lostFactor: LostFactor;

  constructor(
    parts: AccountParts,
    directory: Directory,
    help: { readonly recovery: Recovery; readonly lostFactor: LostFactor },
  ) {
    this.#parts = parts;
    this.#directory = directory;
    this.#recovery = help.recovery;
    this.#lostFactor = help.lostFactor;
  }

  /** Throws forbidden and email_taken. `language`: the language of the email, when one is sent. */
  async create(scope: Scope, form: CreateUser, language: Language): Promise<CreatedUser> {
    const { store, links, users, clock } = this.#parts;
    const row = invitedUserRow(form, clock.now());
    const link = await store.transaction(async (tx) => {
      const actor = await users.userForUpdate(tx, scope.userId);
      if (standingNow(actor) !== 'superadmin' && !ordinary.includes(form.role)) {
        throw new Problem('forbidden');
      }
      if (!(await store.addUser(tx, row))) throw new Problem('email_taken', { field: 'email' });
      await this.#record(tx, 'account.created', scope, row.id, { role: row.role });
      return links.issue(tx, row, 'invitation', language, clock.now());
    });
    return { ...asListed({ ...row, last_login_at: null, two_factor: false }), link };
  }

  /** Throws forbidden, own_role, user_not_found and last_superadmin. A disabled user is signed out at once. */
  async change(scope: Scope, id: string, wanted: ChangeUser): Promise<ListedUser> {
    const { store, users } = this.#parts;
    const ended = await store.transaction(async (tx) => {
      const { user: before, standing } = await this.#target(tx, scope, id);
      if (standing !== 'superadmin') refuseBeyondAdmin(wanted);
      const change = changeOf(before, wanted);
      const after = { ...before, ...change };
      await this.#keepSuperadmin(tx, id, after.role === 'superadmin' && after.is_active);
      await users.changeUser(tx, id, change);
      return this.#follow(tx, scope, before, after);
    });
    this.#parts.ended(ended);
    return this.#directory.read(id);
  }

  /** Throws forbidden, own_role, user_not_found and last_superadmin. */
  async remove(scope: Scope, id: string): Promise<void> {
    const { store, users, sessions, clock } = this.#parts;
    const ended = await store.transaction(async (tx) => {
      const { user } = await this.#target(tx, scope, id);
      await this.#keepSuperadmin(tx, id, false);
      const all = await sessions.endAll(tx, id, 'disabled');
      await this.#record(tx, 'account.deleted', scope, id, { role: user.role });
      await users.deleteUser(tx, id, new Date(clock.now()));
      return all;
    });
    this.#parts.ended(ended);
  }

  /** Throws forbidden, own_role and user_not_found. */
  resetLink(scope: Scope, id: string, language: Language): Promise<OneTimeLink> {
    return this.#parts.store.transaction(async (tx) => {
      const { user } = await this.#target(tx, scope, id);
      return this.#recovery.help(tx, user, scope, language);
    });
  }

  /** Removes the second factor of a user who lost it. Throws forbidden, own_role, user_not_found and two_factor_off. */
  async removeSecondFactor(scope: Scope, id: string): Promise<void> {
    const ended = await this.#parts.store.transaction(async (tx) => {
      await this.#target(tx, scope, id);
      return this.#lostFactor.remove(tx, id, scope);
    });
    await this.#lostFactor.settle(id, ended);
  }

  /** Throws forbidden, own_role and user_not_found. */
  async unlock(scope: Scope, id: string): Promise<void> {
    const { store, throttle } = this.#parts;
    const { email } = await store.transaction(async (tx) => {
      const { user } = await this.#target(tx, scope, id);
      await this.#record(tx, 'account.unlocked', scope, id);
      return user;
    });
    await throttle.forgive(email);
  }

  /** Throws forbidden, own_role and user_not_found. */
  async sessions(scope: Scope, id: string): Promise<UserSession[]> {
    const { store, users, clock } = this.#parts;
    refuseBeyond(scope.userId, scope.standing, id, await store.userById(id));
    return (await users.livingSessions(id, new Date(clock.now()))).map(asSession);
  }

  /** Ends one of them, or all. Throws session_not_found and the above. */
  async endSessions(scope: Scope, id: string, only: string | null): Promise<void> {
    const { store, users, sessions } = this.#parts;
    const ended = await store.transaction(async (tx) => {
      await this.#target(tx, scope, id);
      const living = await users.livingSessionIds(tx, id);
      if (only !== null && !living.includes(only)) throw new Problem('session_not_found');
      const out = only === null ? living : [only];
      for (const session of out) await sessions.end(tx, session, 'revoked');
      await this.#record(tx, 'account.sessions_ended', scope, id, { count: out.length });
      return out;
    });
    this.#parts.ended(ended);
  }

  /**
   * The user, if the caller may deal with them, and the caller's standing: both rows are locked, because a caller whose
   * rights were withdrawn since the request began has none.
   */
  async #target(
    tx: Tx,
    { userId }: Scope,
    id: string,
  ): Promise<{ readonly user: UserRow; readonly standing: Standing | null }> {
    const { users } = this.#parts;
    // This lock comes before those of the rows themselves, which go by id: all transactions take them in one order.
    await users.superadminsForUpdate(tx);
    const rows = new Map<string, UserRow | undefined>();
    for (const each of [userId, id].toSorted()) rows.set(each, await users.userForUpdate(tx, each));
    const standing = standingNow(rows.get(userId));
    return { user: refuseBeyond(userId, standing, id, rows.get(id)), standing };
  }

  async #keepSuperadmin(tx: Tx, id: string, stays: boolean): Promise<void> {
    const superadmins = await this.#parts.users.superadminsForUpdate(tx);
    if (!stays && superadmins.length === 1 && superadmins[0] === id) {
      throw new Problem('last_superadmin');
    }
  }

  /** Carries out the consequences of changed rights; returns the sessions that it ended. */
  async #follow(tx: Tx, scope: Scope, before: UserRow, after: UserRow): Promise<string[]> {
    const { links, sessions } = this.#parts;
    const { id } = before;
    if (standingOf(before) !== standingOf(after) || before.role !== after.role) {
      // A link that was issued to a user must not open the account of the administrator they became.
      await links.revoke(tx, id);
      await this.#record(tx, 'account.role_changed', scope, id, {
        from: standingOf(before),
        to: standingOf(after),
      });
    }
    if (before.is_active !== after.is_active) {
      await this.#record(tx, after.is_active ? 'account.enabled' : 'account.disabled', scope, id);
    }
    if (!after.is_active) {
      await links.revoke(tx, id);
      return sessions.endAll(tx, id, 'disabled');
    }
    // They sign in again, which requires a password long enough for the new role.
    const isRaised = privileged.includes(after.role) && !privileged.includes(before.role);
    return isRaised ? sessions.endAll(tx, id, 'revoked') : [];
  }

  #record(tx: Tx, action: Action, scope: Scope, id: string, details: Details = {}): Promise<void> {
    return this.#parts.activity.record(tx, { ...aboutUser(action, scope, id), details });
  }
}

/** Null: the account is deleted or disabled. */
const standingNow = (user: UserRow | undefined): Standing | null =>
  user?.is_active === true ? standingOf(user) : null;

/** The user, if a caller of this standing may deal with them. */
function refuseBeyond(
  callerId: string,
  standing: Standing | null,
  id: string,
  user: UserRow | undefined,
): UserRow {
  if (id === callerId) throw new Problem('own_role');
  if (standing !== 'admin' && standing !== 'superadmin') throw new Problem('forbidden');
  if (!user) throw new Problem('user_not_found');
  const theirs = standingOf(user);
  const isOrdinary = theirs === 'user' || theirs === 'operator';
  if (standing !== 'superadmin' && !isOrdinary) throw new Problem('forbidden');
  return user;
}

/** An admin may turn users into operators and back, and enable or disable them; no more. */
function refuseBeyondAdmin({ role, is_staff }: ChangeUser): void {
  const staysOrdinary = (role === undefined || ordinary.includes(role)) && is_staff !== true;
  if (!staysOrdinary) throw new Problem('forbidden');
}

/** A lesser role keeps the staff flag only where the flag did not come from the former role. */
function changeOf(before: UserRow, { role, is_staff, is_active }: ChangeUser): UserChange {
  const wasStaffByItself = standingOf(before) === 'staff';
  const after = role ?? before.role;
  return {
    role: after,
    ...flagsOf(after, is_staff ?? wasStaffByItself),
    is_active: is_active ?? before.is_active,
  };
}

function asSession(row: SessionRow): UserSession {
  const { id, is_browser, user_agent, ip, created_at, expires_at } = row;
  return {
    id,
    is_browser,
    user_agent,
    ip,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}
