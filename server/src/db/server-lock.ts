/**
 * One server at a time for a database (docs/guide/install.md). A second one would take every camera, repair files
 * that the first one writes, and begin its exports again; it is refused before it changes anything, with a sentence
 * that names the first.
 *
 * The lock is lost with its connection. From then on no statement is sent until the lock is held again; a server ends
 * when another one took the lock meanwhile. Recording goes on, as always without the database: it does not need one.
 */
import { hostname } from 'node:os';
import { backoffMs } from '#lib/backoff.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { Refusal } from '#lib/refusal.ts';
import {
  endSession,
  holderOf,
  LockLost,
  tryLock,
  type HeldLock,
  type LockHolder,
} from './advisory-lock.ts';
import type { Target } from './connection.ts';

const lockName = 'nazar.server';
/** A killed server holds the lock until the database sees its connections end: some ms. */
const patienceMs = 3_000;
const retryMs = 100;
/** How often the connection is checked, and how long an answer may take. */
const proveEveryMs = 5_000;
const answerMs = 5_000;
/** A process that was suspended for this long (a machine that slept) cannot know whether it still holds the lock. */
const staleMs = 15_000;

export interface ServerLockOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** How long to wait for a server that is ending. */
  readonly patienceMs?: number;
  /** The sentence for the case that another process holds it; `who`: that process. A server's own by default. */
  readonly refused?: (who: string) => string;
}

export class ServerLock implements AsyncDisposable {
  readonly #target: Target;
  readonly #options: ServerLockOptions;
  readonly #name: string;
  readonly #stop = new AbortController();
  readonly #taken = Promise.withResolvers<Refusal>();
  #lock: HeldLock;
  #provenAtMs: number;
  #isTaken = false;
  #keeping: Promise<void> = Promise.resolve();

  private constructor(target: Target, options: ServerLockOptions, name: string, lock: HeldLock) {
    this.#target = target;
    this.#options = options;
    this.#name = name;
    this.#lock = lock;
    this.#provenAtMs = options.clock.monotonicMs();
  }

  /** Throws a Refusal that names the server that holds it. */
  static async take(target: Target, options: ServerLockOptions): Promise<ServerLock> {
    const { clock, refused = anotherServer } = options;
    const name = sessionName(clock.now());
    const deadlineMs = clock.monotonicMs() + (options.patienceMs ?? patienceMs);
    for (;;) {
      const lock = await tryLock(target, lockName, clock, name);
      if (lock) {
        const taken = new ServerLock(target, options, name, lock);
        taken.#keeping = taken.#keep();
        return taken;
      }
      if (clock.monotonicMs() >= deadlineMs) {
        const holder = await holderOf(target, lockName);
        // The lock is free by now.
        if (holder) throw new Refusal(refused(whoIs(holder)));
      }
      await clock.wait(retryMs);
    }
  }

  /** Resolves when another server took the database over: this one must end. */
  get takenOver(): Promise<Refusal> {
    return this.#taken.promise;
  }

  /** Before a connection is used. Throws LockLost while the lock is lost, `unavailable` once another server has it. */
  mustHold(): void {
    if (this.#isTaken) throw new Problem('unavailable');
    const sinceMs = this.#options.clock.monotonicMs() - this.#provenAtMs;
    if (this.#lock.lost.aborted || sinceMs > staleMs) throw new LockLost('no lock of the database');
  }

  /** Before a new connection is used: what broke the last one may have broken the lock's. Throws LockLost. */
  async prove(): Promise<void> {
    await this.#lock.prove(answerMs);
    this.#provenAtMs = this.#options.clock.monotonicMs();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#keeping;
    await this.#lock[Symbol.asyncDispose]();
  }

  async #keep(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted && !this.#isTaken) {
      const over = AbortSignal.any([signal, this.#lock.lost]);
      await clock.wait(proveEveryMs, over).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.prove();
      } catch {
        log.warn('the connection that keeps other servers from this database was lost');
        await this.#regain();
      }
    }
  }

  /** Returns when the lock is held again, another server has it, or this one ends. */
  async #regain(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        const lock = await tryLock(this.#target, lockName, clock, this.#name);
        if (lock) return this.#gotBack(lock);
        const holder = await holderOf(this.#target, lockName);
        if (holder?.name === this.#name) await endSession(this.#target, holder);
        else if (holder) return this.#lostTo(holder);
      } catch (error) {
        log.debug({ err: error }, 'the lock of the database could not be asked for');
      }
      const delayMs = backoffMs({ firstMs: 20, maxMs: 500 }, failures, Math.random);
      await clock.wait(delayMs, signal).catch(() => undefined);
    }
  }

  #gotBack(lock: HeldLock): void {
    this.#lock = lock;
    this.#provenAtMs = this.#options.clock.monotonicMs();
    this.#options.log.info('this server holds the database again');
  }

  #lostTo(holder: LockHolder): void {
    this.#isTaken = true;
    this.#taken.resolve(
      new Refusal(
        `Another Nazar took this database over while it was out of reach: ${whoIs(holder)}. This one ended; start it again when the other one has stopped.`,
      ),
    );
  }
}

const anotherServer = (who: string): string =>
  `Another Nazar uses this database: ${who}. Stop it first, or name a database of its own for this one in DATABASE_URL.`;

/** PostgreSQL keeps only 63 bytes of the name, so the host comes last. */
const prefix = 'nazar server';
function sessionName(startedAtMs: number): string {
  const seconds = Math.floor(startedAtMs / 1000).toString(36);
  return `${prefix} ${process.pid} ${seconds} ${hostname()}`.slice(0, 63);
}

/** `process 123 on gate-1 (192.0.2.7), since 2026-01-15 12:00 UTC`. */
function whoIs({ name, address }: LockHolder): string {
  const [, pid, seconds, host] = /^nazar server (\d+) ([\da-z]+) (.+)$/.exec(name) ?? [];
  const from = address === null ? '' : ` (${address})`;
  if (pid === undefined) return `a process that the database does not name${from}`;
  const since = new Date(Number.parseInt(seconds!, 36) * 1000).toISOString();
  return `process ${pid} on ${host}${from}, since ${since.slice(0, 16).replace('T', ' ')} UTC`;
}
