/** The counts behind `throttle.ts`, kept in the database: a restart gives nobody new guesses (C-106). */
import { createHash } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { addressGroup, isLoopback } from '#http/address.ts';
import type { AccountStore } from './store.ts';
import {
  accountWaitMs,
  afterFailure,
  networkFailuresPerMinute,
  networkWindowMs,
  type Failures,
} from './throttle.ts';

/** Somebody's scripts may all sign in at once. */
const maxInTurn = 32;
const nothing = (): void => undefined;

export class LoginThrottle {
  readonly #store: AccountStore;
  readonly #clock: Clock;
  /** Guesses under way and waiting, by account. */
  readonly #turns = new Map<string, { readonly waiting: number; readonly last: Promise<void> }>();

  constructor(store: AccountStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * The one way to compare a secret with what somebody sent (C-105). `guess` resolves with null when it was
   * wrong; guesses about one subject are taken one after another, so that many at once are no more than few.
   * Throws too_many_requests with the seconds to wait, before `guess` hashes anything.
   */
  async attempt<R>(subject: string, ip: string, guess: () => Promise<R | null>): Promise<R | null> {
    const key = accountKey(subject);
    const before = this.#turns.get(key) ?? { waiting: 0, last: Promise.resolve() };
    if (before.waiting >= maxInTurn) throw new Problem('too_many_requests', { retry_after_s: 2 });
    const result = before.last.then(() => this.#guess(key, ip, guess));
    const turn = { waiting: before.waiting + 1, last: result.then(nothing, nothing) };
    this.#turns.set(key, turn);
    try {
      return await result;
    } finally {
      const now = this.#turns.get(key)!;
      if (now.waiting === 1) this.#turns.delete(key);
      else this.#turns.set(key, { ...now, waiting: now.waiting - 1 });
    }
  }

  /** Somebody proved who they are in another way. */
  async forgive(subject: string): Promise<void> {
    await this.#store.forgetFailures(accountKey(subject));
  }

  async #guess<R>(key: string, ip: string, guess: () => Promise<R | null>): Promise<R | null> {
    await this.#check(key, ip);
    const result = await guess();
    if (result === null) await this.#failed(key, ip);
    // Of the network nothing is forgotten: an account of one's own buys no guesses at others'.
    else await this.#store.forgetFailures(key);
    return result;
  }

  async #check(account: string, ip: string): Promise<void> {
    const nowMs = this.#clock.now();
    const waitMs = Math.max(
      accountWaitMs(await this.#store.failures(account), nowMs),
      networkWaitMs(await this.#store.failures(networkKey(ip)), ip, nowMs),
    );
    if (waitMs > 0) {
      throw new Problem('too_many_requests', { retry_after_s: Math.ceil(waitMs / 1000) });
    }
  }

  async #failed(account: string, ip: string): Promise<void> {
    const nowMs = this.#clock.now();
    const failures = afterFailure(await this.#store.failures(account), nowMs);
    await this.#store.saveFailures(account, failures);
    await this.#store.countInWindow(networkKey(ip), new Date(nowMs), networkWindowMs);
  }
}

function networkWaitMs(failures: Failures | null, ip: string, nowMs: number): number {
  const allowed = networkFailuresPerMinute[isLoopback(ip) ? 'loopback' : 'network'];
  if (!failures || failures.count < allowed) return 0;
  return Math.max(0, failures.lastAtMs + networkWindowMs - nowMs);
}

/** Hashed: the table of failures is no list of who has an account here. */
const accountKey = (subject: string): string =>
  `account:${createHash('sha256').update(subject).digest('hex')}`;
const networkKey = (ip: string): string => `network:${addressGroup(ip)}`;
