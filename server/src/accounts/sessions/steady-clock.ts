/**
 * Time that only goes forward. A session that has ended stays ended when the machine's clock is set back, before or
 * after a restart: the latest moment is stored in the database, and while the wall clock is behind it,
 * time runs on from there.
 */
import type { Clock } from '#lib/clock.ts';
import type { SessionStore } from './store.ts';

/** A restart may lose this much. */
const keepEveryMs = 10_000;

export class SteadyClock {
  readonly #store: Pick<SessionStore, 'raiseTimeMark'>;
  readonly #clock: Clock;
  #latestMs = 0;
  #monotonicMs = 0;
  #keptMs: number | null = null;

  constructor(store: Pick<SessionStore, 'raiseTimeMark'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Milliseconds since 1970; never less than any node returned before, except for the last ten seconds. */
  async now(): Promise<number> {
    const nowMs = this.#advance(this.#clock.now());
    if (this.#keptMs !== null && nowMs - this.#keptMs < keepEveryMs) return nowMs;
    const markMs = await this.#store.raiseTimeMark(nowMs);
    this.#keptMs = markMs;
    return this.#advance(markMs);
  }

  #advance(wallMs: number): number {
    const monotonicMs = this.#clock.monotonicMs();
    const passedMs = monotonicMs - this.#monotonicMs;
    this.#latestMs = Math.max(wallMs, this.#latestMs + passedMs);
    this.#monotonicMs = monotonicMs;
    return this.#latestMs;
  }
}
