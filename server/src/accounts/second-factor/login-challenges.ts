/**
 * The step between the password and the second factor: an opaque token for one account, of which only the hash is
 * stored. It lives five minutes, opens only the second step, once, and not after another password was set.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import type { Tx } from '#db/database.ts';
import type { UserRow } from '../store.ts';
import { newToken, tokenHash } from '../tokens.ts';
import type { LoginChallengeRow, TwoFactorStore } from './store.ts';

const lifetimeMs = 5 * 60_000;

export class LoginChallenges {
  readonly #store: TwoFactorStore;
  readonly #clock: Clock;

  constructor(store: TwoFactorStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async issue(user: UserRow, remember: boolean): Promise<string> {
    const token = newToken('challenge');
    await this.#store.addChallenge({
      hash: tokenHash(token, 'challenge')!,
      user_id: user.id,
      is_remembered: remember,
      password_mark: markOf(user),
      expires_at: new Date(this.#clock.now() + lifetimeMs),
    });
    return token;
  }

  async find(token: string): Promise<LoginChallengeRow | null> {
    const hash = tokenHash(token, 'challenge');
    return (hash && (await this.#store.challenge(hash, new Date(this.#clock.now())))) ?? null;
  }

  /** Whether it was issued for this account as it is now. */
  isFor(challenge: LoginChallengeRow, user: UserRow): boolean {
    return user.is_active && challenge.password_mark.equals(markOf(user));
  }

  /** True exactly once. */
  use(tx: Tx, { hash }: LoginChallengeRow): Promise<boolean> {
    return this.#store.useChallenge(tx, hash);
  }

  deleteExpired(): Promise<void> {
    return this.#store.deleteExpired(new Date(this.#clock.now()));
  }
}

const markOf = (user: UserRow): Buffer => createHash('sha256').update(user.password_hash).digest();
