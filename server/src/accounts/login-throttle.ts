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

export class LoginThrottle {
  readonly #store: AccountStore;
  readonly #clock: Clock;

  constructor(store: AccountStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Throws too_many_requests with the seconds to wait. Called before anything is hashed. */
  async check(subject: string, ip: string): Promise<void> {
    const nowMs = this.#clock.now();
    const waitMs = Math.max(
      accountWaitMs(await this.#store.failures(accountKey(subject)), nowMs),
      networkWaitMs(await this.#store.failures(networkKey(ip)), ip, nowMs),
    );
    if (waitMs > 0) {
      throw new Problem('too_many_requests', { retry_after_s: Math.ceil(waitMs / 1000) });
    }
  }

  async failed(subject: string, ip: string): Promise<void> {
    const nowMs = this.#clock.now();
    const account = accountKey(subject);
    await this.#store.saveFailures(
      account,
      afterFailure(await this.#store.failures(account), nowMs),
    );
    const network = networkKey(ip);
    const before = await this.#store.failures(network);
    const isSameWindow = before !== null && nowMs - before.lastAtMs < networkWindowMs;
    // `lastAtMs` of a network is the start of its minute.
    await this.#store.saveFailures(
      network,
      isSameWindow ? { ...before, count: before.count + 1 } : { count: 1, lastAtMs: nowMs },
    );
  }

  async succeeded(subject: string): Promise<void> {
    await this.#store.forgetFailures(accountKey(subject));
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
