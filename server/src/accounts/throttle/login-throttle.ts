/** The counts behind `throttle.ts`, kept in the database: a restart gives no new guesses. */
import { createHash } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { addressGroup, isLoopback } from '#http/address.ts';
import type { Activity } from '#activity/activity.ts';
import type { AccountStore } from '../store.ts';
import type { ThrottleStore } from './store.ts';
import type { KnownNetworkStore } from './known-network-store.ts';
import {
  accountWaitMs,
  afterFailure,
  allFailuresPerMinute,
  knownNetworkMs,
  lookUpsPerMinute,
  networkFailuresPerMinute,
  networkWindowMs,
  type Failures,
} from './throttle.ts';

/** A user's scripts may all sign in at once. */
const maxInTurn = 32;
const nothing = (): void => undefined;
/** Networks whose wait is remembered here; beyond it the oldest is read from the database again. */
const maxRemembered = 10_000;
/** The key for failures of all networks together. */
const everywhere = 'everywhere';

export interface Guesser {
  /** Whether this account signed in from the same network before: such a guess is not part of the flood. */
  readonly isKnown: boolean;
}

type Guess<R> = (guesser: Guesser) => Promise<R | null>;

export interface LoginThrottleParts {
  readonly store: ThrottleStore;
  readonly users: Pick<AccountStore, 'userByEmail'>;
  readonly known: KnownNetworkStore;
  readonly clock: Clock;
  readonly activity: Pick<Activity, 'recordOnce'>;
}

export class LoginThrottle {
  readonly #store: ThrottleStore;
  readonly #users: LoginThrottleParts['users'];
  readonly #known: KnownNetworkStore;
  readonly #clock: Clock;
  readonly #activity: Pick<Activity, 'recordOnce'>;
  /** Guesses under way by network; they count as failed until they succeed. */
  readonly #underWay = new Map<string, number>();
  /** Guesses under way and waiting, by account. */
  readonly #turns = new Map<string, { readonly waiting: number; readonly last: Promise<void> }>();

  /**
   * Until when a network, or all unknown networks, must wait. Nothing ends such a wait before its time, on any node,
   * so a repeated request meanwhile costs no query: a flood must not become a flood of the database.
   */
  readonly #waits = new Map<string, number>();

  constructor({ store, users, known, clock, activity }: LoginThrottleParts) {
    this.#activity = activity;
    this.#store = store;
    this.#users = users;
    this.#known = known;
    this.#clock = clock;
  }

  /**
   * The only way to compare a secret with what a caller sent. `guess` resolves with null when it was
   * wrong; guesses about one subject are checked one after another, so that simultaneous ones gain nothing.
   * `subject` is the e-mail address of an account, or the name of another secret.
   * Throws too_many_requests with the seconds to wait, before `guess` hashes anything.
   */
  async attempt<R>(subject: string, ip: string, guess: Guess<R>): Promise<R | null> {
    this.#mustNotStillWait(networkKey(ip));
    const key = accountKey(subject);
    const before = this.#turns.get(key) ?? { waiting: 0, last: Promise.resolve() };
    if (before.waiting >= maxInTurn) throw new Problem('too_many_requests', { retry_after_s: 2 });
    const result = before.last.then(() => this.#guess(subject, ip, guess));
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

  /**
   * The same for secrets that cannot be guessed (256 random bits), where only a flood is to be kept away: counted by
   * network and kind, so that the forgotten tokens of one office lock no user out of their account.
   */
  async lookUp<R>(
    kind: 'refresh' | 'key',
    ip: string,
    find: () => Promise<R | null>,
  ): Promise<R | null> {
    const key = `${kind}:${addressGroup(ip)}`;
    this.#mustNotStillWait(key);
    const nowMs = this.#clock.now();
    const allowed = lookUpsPerMinute[isLoopback(ip) ? 'loopback' : 'network'];
    const waitMs = windowWaitMs(await this.#store.failures(key), allowed, nowMs);
    await this.#mustNotWait(waitMs, { key, subject: '', ip });
    const found = await find();
    if (found === null) {
      await this.#store.countInWindow(key, new Date(nowMs), networkWindowMs);
    }
    return found;
  }

  /** Milliseconds until the next guess about this subject is checked; 0: now. */
  async accountWaitMs(subject: string): Promise<number> {
    return accountWaitMs(await this.#store.failures(accountKey(subject)), this.#clock.now());
  }

  /** The user proved their identity in another way. */
  async forgive(subject: string): Promise<void> {
    await this.#store.forget(accountKey(subject));
  }

  #guess<R>(subject: string, ip: string, guess: Guess<R>): Promise<R | null> {
    const ahead = this.#underWay.get(networkKey(ip)) ?? 0;
    return this.#counted(networkKey(ip), async () => {
      const key = accountKey(subject);
      const isKnown = await this.#isKnown(subject, ip);
      if (!isKnown && !isLoopback(ip)) this.#mustNotStillWait(everywhere);
      await this.#check(subject, ip, ahead);
      if (!isKnown) await this.#checkEverywhere(subject, ip);
      const result = await guess({ isKnown });
      if (result === null) await this.#failed(key, ip);
      // The network's failures still count: signing in to one's own account must not allow more guesses at others'.
      else await this.#store.forget(key);
      return result;
    });
  }

  async #counted<R>(network: string, work: () => Promise<R>): Promise<R> {
    this.#underWay.set(network, (this.#underWay.get(network) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = this.#underWay.get(network)! - 1;
      if (left > 0) this.#underWay.set(network, left);
      else this.#underWay.delete(network);
    }
  }

  /** `ahead`: guesses of the same network under way, so that simultaneous ones gain nothing. */
  async #check(subject: string, ip: string, ahead: number): Promise<void> {
    const nowMs = this.#clock.now();
    const account = accountKey(subject);
    const allowed = networkFailuresPerMinute[isLoopback(ip) ? 'loopback' : 'network'];
    const ofNetwork = await this.#store.failures(networkKey(ip));
    const ofAccountMs = accountWaitMs(await this.#store.failures(account), nowMs);
    const ofNetworkMs = windowWaitMs(ofNetwork, allowed, nowMs);
    const key = ofAccountMs >= ofNetworkMs ? account : networkKey(ip);
    await this.#mustNotWait(Math.max(ofAccountMs, ofNetworkMs), { key, subject, ip });
    const counted = windowWaitMs(ofNetwork, 1, nowMs) > 0 ? (ofNetwork?.count ?? 0) : 0;
    if (counted + ahead >= allowed) throw new Problem('too_many_requests', { retry_after_s: 2 });
  }

  async #checkEverywhere(subject: string, ip: string): Promise<void> {
    if (isLoopback(ip)) return;
    const failures = await this.#store.failures(everywhere);
    const waitMs = windowWaitMs(failures, allFailuresPerMinute, this.#clock.now());
    await this.#mustNotWait(waitMs, { key: everywhere, subject, ip });
  }

  /** One entry for each wait, however many guesses come meanwhile: guessing must not fill the activity log. */
  async #mustNotWait(
    waitMs: number,
    { key, subject, ip }: { readonly key: string; readonly subject: string; readonly ip: string },
  ): Promise<void> {
    if (waitMs <= 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    if (!key.startsWith('account:')) this.#remember(key, waitMs);
    const user = await this.#users.userByEmail(subject);
    await this.#activity.recordOnce(`throttled ${key}`, waitMs, {
      actor: { userId: null, sessionId: null, ip, userAgent: '' },
      action: 'account.login_throttled',
      object: user ? { type: 'user', id: user.id } : null,
      details: { wait_s: seconds },
    });
    throw new Problem('too_many_requests', { retry_after_s: seconds });
  }

  #mustNotStillWait(key: string): void {
    const leftMs = (this.#waits.get(key) ?? 0) - this.#clock.now();
    if (leftMs <= 0) return;
    throw new Problem('too_many_requests', { retry_after_s: Math.ceil(leftMs / 1000) });
  }

  #remember(key: string, waitMs: number): void {
    if (this.#waits.size >= maxRemembered) this.#waits.delete(this.#waits.keys().next().value!);
    this.#waits.set(key, this.#clock.now() + waitMs);
  }

  async #isKnown(email: string, ip: string): Promise<boolean> {
    const since = new Date(this.#clock.now() - knownNetworkMs);
    const addresses = await this.#known.addressesOf(email, since);
    return addresses.some((address) => addressGroup(address) === addressGroup(ip));
  }

  async #failed(account: string, ip: string): Promise<void> {
    const nowMs = this.#clock.now();
    const failures = afterFailure(await this.#store.failures(account), nowMs);
    await this.#store.save(account, failures);
    await this.#store.countInWindow(networkKey(ip), new Date(nowMs), networkWindowMs);
    if (isLoopback(ip)) return;
    await this.#store.countInWindow(everywhere, new Date(nowMs), networkWindowMs);
  }
}

function windowWaitMs(failures: Failures | null, allowed: number, nowMs: number): number {
  if (!failures || failures.count < allowed) return 0;
  return Math.max(0, failures.lastAtMs + networkWindowMs - nowMs);
}

/** The subject is hashed, so that the table of failures does not list accounts. */
const accountKey = (subject: string): string =>
  `account:${createHash('sha256').update(subject).digest('hex')}`;
const networkKey = (ip: string): string => `network:${addressGroup(ip)}`;
