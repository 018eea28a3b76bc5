/**
 * Recovery for a user who lost the second factor. Authenticator app, passkeys and
 * recovery codes are all removed at once, because a person who found the phone may hold any of them; all sessions end,
 * too. The password stays: with it the user gets back into the account, or to the set-up that the policy requires
 * first. The caller decides who may do this to whom.
 */
import { consoleActor, type Actor } from '#activity/activity.ts';
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import type { AccountParts } from '../parts.ts';
import type { PasskeyStore } from '../passkeys/store.ts';
import { aboutUser } from '../log-entry.ts';
import { factorSubject } from './second-factors.ts';
import type { TwoFactorStore } from './store.ts';

export class LostFactor {
  readonly #parts: AccountParts;
  readonly #store: TwoFactorStore;
  readonly #passkeys: PasskeyStore;

  constructor(parts: AccountParts, store: TwoFactorStore, passkeys: PasskeyStore) {
    this.#parts = parts;
    this.#store = store;
    this.#passkeys = passkeys;
  }

  /** Returns the sessions it ended, for `settle` after the commit. Throws two_factor_off: nothing to remove. */
  async remove(tx: Tx, userId: string, actor: Actor): Promise<string[]> {
    const { activity, sessions } = this.#parts;
    const totp = await this.#store.hasTotp(tx, userId);
    const passkeys = await this.#passkeys.count(tx, userId);
    if (!totp && passkeys === 0) throw new Problem('two_factor_off');
    await this.#store.deleteTotp(tx, userId);
    await this.#passkeys.removeAll(tx, userId);
    await this.#store.replaceRecoveryCodes(tx, userId, []);
    const entry = aboutUser('account.two_factor_removed', actor, userId);
    await activity.record(tx, { ...entry, details: { has_app: totp, passkeys } });
    return sessions.endAll(tx, userId, 'revoked');
  }

  /** The steps after a removal. Guesses at removed codes must not keep the user from setting up new ones. */
  async settle(userId: string, ended: readonly string[]): Promise<void> {
    this.#parts.ended(ended);
    await this.#parts.throttle.forgive(factorSubject(userId));
  }

  /** Throws user_not_found and two_factor_off. */
  async removeFromConsole(email: string): Promise<void> {
    const { store, users } = this.#parts;
    const user = await store.userByEmail(email.toLowerCase());
    if (!user) throw new Problem('user_not_found', { email });
    const ended = await store.transaction(async (tx) => {
      await users.userForUpdate(tx, user.id);
      return this.remove(tx, user.id, consoleActor);
    });
    await this.settle(user.id, ended);
  }
}
