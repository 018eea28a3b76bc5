/** What users do with their own account. A change of the means to sign in requires fresh proof. */
import type { User } from '@nazar/contract/accounts.ts';
import type { ChangePassword, OwnSession, UpdateMe } from '@nazar/contract/own-account.ts';
import type { FreshProof } from '@nazar/contract/proof.ts';
import { Problem } from '#lib/problem.ts';
import { checkPassword } from '../passwords/rules.ts';
import type { AccountParts } from '../parts.ts';
import type { Proofs } from '../proof/proofs.ts';
import { aboutUser } from '../log-entry.ts';
import type { Site } from '../site.ts';
import type { SessionRow } from '../sessions/store.ts';
import type { UserRow } from '../store.ts';
import { endOthers, ownerRow, type Owner } from './ownership.ts';
import { asUser } from './users.ts';

export class OwnAccount {
  readonly #parts: AccountParts;
  readonly #proofs: Proofs;

  constructor(parts: AccountParts, proofs: Proofs) {
    this.#parts = parts;
    this.#proofs = proofs;
  }

  /** Throws email_taken, and the problems of a refused proof when the e-mail address changes. */
  async update(
    owner: Owner,
    { password, passkey, ...change }: UpdateMe,
    site: Site | null,
  ): Promise<User> {
    const { store, users, links, activity } = this.#parts;
    const before = await ownerRow(this.#parts, owner.userId);
    const isMoving = change.email !== undefined && change.email !== before.email;
    if (isMoving) await this.#proofs.prove(owner, { password, passkey }, site);
    const after = await store.transaction(async (tx) => {
      // Recorded before the change, so that the email is sent to the old address.
      if (isMoving) {
        await activity.record(tx, aboutUser('account.email_changed', owner, before.id));
      }
      const fields = changedFields(before, change);
      if (fields.length > 0) {
        const entry = aboutUser('account.profile_changed', owner, before.id);
        await activity.record(tx, { ...entry, details: { fields } });
      }
      await users.changeUser(tx, before.id, given(change));
      if (isMoving) await links.revoke(tx, before.id);
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
    const { store, passwords, links, activity } = this.#parts;
    const user = await ownerRow(this.#parts, owner.userId);
    await this.#proofs.provePassword(owner, user, old_password, 'old_password');
    checkPassword(new_password, user, 'new_password');
    const hash = await passwords.hash(new_password);
    const ended = await store.transaction(async (tx) => {
      await store.setPassword(tx, user.id, hash);
      await links.revoke(tx, user.id);
      await activity.record(tx, aboutUser('account.password_changed', owner, user.id));
      return endOthers(this.#parts, tx, owner, 'password');
    });
    this.#parts.ended(ended);
  }

  /** Throws the problems of a refused proof, and last_superadmin if no other user can administer the installation. */
  async delete(owner: Owner, proof: FreshProof, site: Site | null): Promise<void> {
    const { store, users, sessions, activity, clock } = this.#parts;
    const { user } = await this.#proofs.prove(owner, proof, site);
    const ended = await store.transaction(async (tx) => {
      const superadmins = await users.superadminsForUpdate(tx);
      if (superadmins.length === 1 && superadmins[0] === user.id) {
        throw new Problem('last_superadmin');
      }
      const all = await sessions.endAll(tx, user.id, 'disabled');
      await activity.record(tx, aboutUser('account.deleted', owner, user.id));
      await users.deleteUser(tx, user.id, new Date(clock.now()));
      return all;
    });
    this.#parts.ended(ended);
  }

  async sessions({ userId, sessionId }: Owner): Promise<OwnSession[]> {
    const { users, sessions, time } = this.#parts;
    this.#parts.ended(await sessions.endOverdue(userId));
    const rows = await users.livingSessions(userId, new Date(await time.now()));
    return rows.map((row) => asOwnSession(row, sessionId));
  }

  /** Throws session_not_found, also for another user's session. */
  async endSession(owner: Owner, id: string): Promise<void> {
    const { store, users, sessions, activity } = this.#parts;
    const { userId } = owner;
    await store.transaction(async (tx) => {
      const living = await users.livingSessionIds(tx, userId);
      if (!living.includes(id)) throw new Problem('session_not_found');
      await sessions.end(tx, id, 'revoked');
      const ended = aboutUser('account.sessions_ended', owner, userId);
      await activity.record(tx, { ...ended, details: { count: 1 } });
    });
    this.#parts.ended([id]);
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

/** Names of fields only: a profile is private, and the log cannot forget. The e-mail address has its own entry. */
function changedFields(before: UserRow, change: Omit<UpdateMe, keyof FreshProof>): string[] {
  const was: Readonly<Record<string, unknown>> = { ...before };
  return Object.entries(given(change))
    .filter(([name, value]) => name !== 'email' && was[name] !== value)
    .map(([name]) => name)
    .toSorted();
}
