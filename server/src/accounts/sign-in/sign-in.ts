/**
 * Signing in: what a user shows (a password, and a second factor if there is one) becomes a session. All
 * ways end in `begin`, so that no session exists without its entry in the activity log.
 */
import type { Login, SecondFactor, User } from '@nazar/contract/accounts.ts';
import type { LoginPasskey } from '@nazar/contract/passkeys.ts';
import type { LoginTwoFactor } from '@nazar/contract/two-factor.ts';
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import type { Action } from '#activity/activity.ts';
import type { LoginChallenges } from '../second-factor/login-challenges.ts';
import { earlierSessions } from '../security-emails/store.ts';
import { isUnfamiliar } from './familiar.ts';
import type { AccountParts } from '../parts.ts';
import { fitsRole } from '../passwords/rules.ts';
import { aboutUser, actorOf } from '../log-entry.ts';
import { forSecondFactor, forSignIn, type Passkeys } from '../passkeys/passkeys.ts';
import { proofRefused, type SecondFactors } from '../second-factor/second-factors.ts';
import type { Client, Issued } from '../sessions/sessions.ts';
import { mustHaveName } from '../site.ts';
import type { UserRow } from '../store.ts';
import type { LoginChallengeRow } from '../second-factor/store.ts';
import { asUser } from '../users/users.ts';
import type { How } from '../identity.ts';

export type Opened = Issued & { readonly user: User };

/** The password was right, and a second factor is required. */
export interface Challenged {
  readonly challenge: string;
  readonly methods: SecondFactor[];
}

export interface Entrance {
  readonly client: Client;
  /** Whether the session outlives the browser. */
  readonly remember: boolean;
  readonly how: How;
}

export class SignIn {
  readonly #parts: AccountParts;
  readonly #factors: SecondFactors;
  readonly #challenges: LoginChallenges;
  readonly #passkeys: Passkeys;

  constructor(
    parts: AccountParts,
    factors: SecondFactors,
    challenges: LoginChallenges,
    passkeys: Passkeys,
  ) {
    this.#parts = parts;
    this.#passkeys = passkeys;
    this.#factors = factors;
    this.#challenges = challenges;
  }

  /**
   * Returns a session, or a challenge if the password is not enough. Throws too_many_requests before any
   * hashing, invalid_credentials and password_too_short_for_role after it.
   */
  async withPassword(
    { email, password, remember }: Login,
    client: Client,
  ): Promise<Opened | Challenged> {
    await this.#parts.admission.mustBeInside(client.ip);
    const checked = await this.#checkPassword(email, password, client);
    await this.#refuseShort(checked, password, client);
    const user = await this.#renewHash(checked, password);
    const { isOn, methods } = await this.#factors.of(user.id, client.site);
    if (!isOn) return this.complete(user, { client, remember, how: 'password' });
    return { challenge: await this.#challenges.issue(user, remember), methods };
  }

  /** The same for a user whom a provider vouches for; strong: it required a second factor that counts here. */
  async withProvider(
    user: UserRow,
    { remember, is_strong }: { readonly remember: boolean; readonly is_strong: boolean },
    client: Client,
  ): Promise<Opened | Challenged> {
    const { isOn, methods } = await this.#factors.of(user.id, client.site);
    if (is_strong || !isOn) return this.complete(user, { client, remember, how: 'oidc' });
    return { challenge: await this.#challenges.issue(user, remember), methods };
  }

  /** The second step. Throws challenge_invalid, too_many_requests, code_wrong and passkey_refused. */
  async withSecondFactor({ challenge, ...proof }: LoginTwoFactor, client: Client): Promise<Opened> {
    const { store } = this.#parts;
    const { row, user } = await this.#mustFind(challenge, client);
    const { ip, site = null } = client;
    const how = await this.#factors.prove(user.id, proof, { ip, site });
    if (how === null) {
      await this.recordFailure(client, user.id, proof.passkey ? 'passkey' : 'totp');
      throw proofRefused(proof);
    }
    return store.transaction(async (tx) => {
      if (!(await this.#challenges.use(tx, row))) throw new Problem('challenge_invalid');
      return this.begin(tx, user, { client, remember: row.is_remembered, how });
    });
  }

  /** The options for a passkey as the second step. Throws challenge_invalid. */
  async secondStepOptions(challenge: string, client: Client) {
    const { user } = await this.#mustFind(challenge, client);
    return this.#passkeys.proofOptions(forSecondFactor(user.id), mustHaveName(client.site));
  }

  /** Instead of password and second factor: a passkey is both. Throws passkey_refused. */
  async withPasskey({ passkey, remember }: LoginPasskey, client: Client): Promise<Opened> {
    const { throttle, store } = this.#parts;
    const site = mustHaveName(client.site);
    const found = await throttle.attempt(`passkey:${passkey.id}`, client.ip, () =>
      this.#passkeys.proven(forSignIn, site, passkey),
    );
    const user = found && (await store.userById(found.user_id));
    if (!user?.is_active) {
      await this.recordFailure(client, found?.user_id ?? null, 'passkey');
      throw new Problem('passkey_refused');
    }
    return this.complete(user, { client, remember, how: 'passkey' });
  }

  /** A session for a user who has given every proof that is required. */
  complete(user: UserRow, entrance: Entrance): Promise<Opened> {
    return this.#parts.store.transaction((tx) => this.begin(tx, user, entrance));
  }

  /** The same as part of a transaction, e.g. the one that uses up the shown code. */
  async begin(
    tx: Tx,
    user: UserRow,
    { client, remember, how }: Entrance,
    action: Action = 'account.login',
  ): Promise<Opened> {
    const { users, sessions, activity } = this.#parts;
    const now = await users.userForUpdate(tx, user.id);
    // The account was disabled, or its password changed, since it was checked.
    if (!now?.is_active || now.password_hash !== user.password_hash) {
      throw new Problem('invalid_credentials');
    }
    const isNew = isUnfamiliar(await earlierSessions(tx, user.id), client);
    const issued = await sessions.begin(tx, user.id, client, remember);
    const actor = actorOf(client, user.id, issued.sessionId);
    await activity.record(tx, {
      ...aboutUser(action, actor, user.id),
      details: { how, ...(isNew && { unfamiliar: true }) },
    });
    return { ...issued, user: asUser(user) };
  }

  /** A sign-in was refused. `userId` null: there is no such account. */
  recordFailure(client: Client, userId: string | null, how: How): Promise<void> {
    const entry = aboutUser('account.login_failed', actorOf(client, null, null), userId);
    return this.#parts.activity.recordAlone({ ...entry, details: { how } });
  }

  /** Counts as a guess like any other, so that no network can try tokens without limit. */
  async #mustFind(challenge: string, client: Client) {
    const found = await this.#parts.throttle.attempt(`challenge:${challenge}`, client.ip, () =>
      this.#find(challenge),
    );
    if (!found) throw new Problem('challenge_invalid');
    return found;
  }

  async #find(challenge: string): Promise<{ row: LoginChallengeRow; user: UserRow } | null> {
    const row = await this.#challenges.find(challenge);
    const user = row && (await this.#parts.store.userById(row.user_id));
    return user && this.#challenges.isFor(row, user) ? { row, user } : null;
  }

  async #checkPassword(email: string, password: string, client: Client): Promise<UserRow> {
    const { store, passwords, throttle } = this.#parts;
    let found: UserRow | undefined;
    const user = await throttle.attempt(email, client.ip, async (guesser) => {
      found = await store.userByEmail(email);
      const matches = await passwords.verify(password, found?.password_hash ?? null, guesser);
      return found?.is_active && matches ? found : null;
    });
    if (user) return user;
    await this.recordFailure(client, found?.id ?? null, 'password');
    throw new Problem('invalid_credentials');
  }

  /**
   * An account may have become an administrator's since its password was chosen, and the password's
   * length is known only now. Throws password_too_short_for_role.
   */
  async #refuseShort({ id, role }: UserRow, password: string, client: Client): Promise<void> {
    if (fitsRole(password, role)) return;
    await this.recordFailure(client, id, 'password');
    throw new Problem('password_too_short_for_role');
  }

  /** A stronger hash can be made only now, while the password is known. */
  async #renewHash(user: UserRow, password: string): Promise<UserRow> {
    const { store, passwords } = this.#parts;
    if (!passwords.isOutdated(user.password_hash)) return user;
    const password_hash = await passwords.hash(password);
    await store.transaction((tx) => store.setPassword(tx, user.id, password_hash));
    return { ...user, password_hash };
  }
}
