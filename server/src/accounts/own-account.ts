/** What people do with their own account. Whoever changes what opens it proves that they hold it (C-111, C-114, C-115). */
import type { User } from '@nazar/contract/accounts.ts';
import type { ChangePassword, OwnSession, UpdateMe } from '@nazar/contract/own-account.ts';
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import type { Identity } from './accounts.ts';
import { checkPassword } from './password-rules.ts';
import type { AccountParts } from './parts.ts';
import type { EndedReason, SessionRow, UserRow } from './store.ts';
import { asUser } from './users.ts';

/** The one who asks, and from where. */
export type Owner = Pick<Identity, 'userId' | 'sessionId'> & { readonly ip: string };

export class OwnAccount {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /** Throws password_wrong when the e-mail address changes without proof, and email_taken. */
  async update(owner: Owner, { password, ...change }: UpdateMe): Promise<User> {
    const { store, users } = this.#parts;
    const before = await this.#user(owner.userId);
    if (change.email !== undefined && change.email !== before.email) {
      await this.#prove(before, password ?? '', owner.ip, 'password');
    }
    const after = await store.transaction(async (tx) => {
      await users.changeUser(tx, before.id, given(change));
      return users.userForUpdate(tx, before.id);
    });
    if (!after) throw new Problem('not_signed_in');
    return asUser(after);
  }

  /** All other sessions end; this one goes on. Throws password_wrong and the password problems. */
  async changePassword(
    owner: Owner,
    { old_password, new_password }: ChangePassword,
  ): Promise<void> {
    const { store, passwords } = this.#parts;
    const user = await this.#user(owner.userId);
    await this.#prove(user, old_password, owner.ip, 'old_password');
    checkPassword(new_password, user, 'new_password');
    const hash = await passwords.hash(new_password);
    const ended = await store.transaction(async (tx) => {
      await store.setPassword(tx, user.id, hash);
      return this.#endOthers(tx, owner, 'password');
    });
    this.#parts.ended(ended);
  }

  /** Throws password_wrong, and last_superadmin when nobody else could administer this installation. */
  async delete(owner: Owner, password: string): Promise<void> {
    const { store, users, sessions } = this.#parts;
    const user = await this.#user(owner.userId);
    await this.#prove(user, password, owner.ip, 'password');
    const ended = await store.transaction(async (tx) => {
      const superadmins = await users.superadminsForUpdate(tx);
      if (superadmins.length === 1 && superadmins[0] === user.id) {
        throw new Problem('last_superadmin');
      }
      const all = await sessions.endAll(tx, user.id, 'disabled');
      await users.deleteUser(tx, user.id);
      return all;
    });
    this.#parts.ended(ended);
  }

  async sessions({ userId, sessionId }: Owner): Promise<OwnSession[]> {
    const { users, clock } = this.#parts;
    const rows = await users.livingSessions(userId, new Date(clock.now()));
    return rows.map((row) => asOwnSession(row, sessionId));
  }

  /** Throws session_not_found, for somebody else's as for none (C-308). */
  async endSession({ userId }: Owner, id: string): Promise<void> {
    const { store, users, sessions } = this.#parts;
    await store.transaction(async (tx) => {
      const living = await users.livingSessionIds(tx, userId);
      if (!living.includes(id)) throw new Problem('session_not_found');
      await sessions.end(tx, id, 'revoked');
    });
    this.#parts.ended([id]);
  }

  async #endOthers(tx: Tx, owner: Owner, reason: EndedReason): Promise<string[]> {
    const living = await this.#parts.users.livingSessionIds(tx, owner.userId);
    const others = living.filter((id) => id !== owner.sessionId);
    for (const id of others) await this.#parts.sessions.end(tx, id, reason);
    return others;
  }

  /** Counted together with the guesses at the login (C-105): a stolen session buys no more of them. */
  async #prove(user: UserRow, password: string, ip: string, field: string): Promise<void> {
    const { throttle, passwords } = this.#parts;
    const proven = await throttle.attempt(user.email, ip, async () =>
      (await passwords.verify(password, user.password_hash)) ? true : null,
    );
    if (!proven) throw new Problem('password_wrong', { field });
  }

  async #user(id: string): Promise<UserRow> {
    const user = await this.#parts.store.userById(id);
    if (!user) throw new Problem('not_signed_in');
    return user;
  }
}

function asOwnSession(row: SessionRow, currentId: string): OwnSession {
  const { id, is_browser, user_agent, ip, created_at, expires_at } = row;
  return {
    id,
    is_current: id === currentId,
    is_browser,
    user_agent,
    ip,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}

function given<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]: Exclude<T[K], undefined> };
}
