/**
 * Notices by the monotonic clock that no more packets come, whatever the sockets say: first it ends the source;
 * when even that does not end the read, it reports that the process hangs. Only time counts in which the camera was
 * waited for and this process had its turns: what a starved host leaves unread is no silence of the camera's.
 */
import type { Clock } from '#lib/clock.ts';

/** A camera that is silent for so long hangs, or is gone. */
export const silenceTimeoutMs = 5_000;
/** How long a native read may take to end after its source was ended. */
const hungAfterMs = 10_000;
const checkEveryMs = 500;
/** A check that comes later counts for so much: packets that came meanwhile are read after it. */
const longestTurnMs = 2 * checkEveryMs;

export interface WatchdogOptions {
  readonly clock: Clock;
  /** No packet came for 5 s. */
  readonly silent: () => void;
  /** The read has not ended 10 s after its source was ended, or work on a packet not after 15 s. */
  readonly hung: () => void;
}

export class Watchdog implements Disposable {
  readonly #options: WatchdogOptions;
  readonly #stop = new AbortController();
  #state: 'waiting' | 'working' | 'ended' = 'waiting';
  #enteredAtMs: number;
  /** How much of the time in this state counts. */
  #passedMs = 0;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#enteredAtMs = options.clock.monotonicMs();
    void this.#watch();
  }

  /** A packet came, and the next one is waited for. */
  alive(): void {
    if (this.#state !== 'ended') this.#enter('waiting');
  }

  /** A packet came and is worked on: until `alive` the camera is not waited for. */
  working(): void {
    if (this.#state !== 'ended') this.#enter('working');
  }

  #enter(state: 'waiting' | 'working' | 'ended'): void {
    this.#state = state;
    this.#passedMs = 0;
    this.#enteredAtMs = this.#options.clock.monotonicMs();
  }

  async #watch(): Promise<void> {
    const { clock, hung } = this.#options;
    const { signal } = this.#stop;
    let checkedAtMs = clock.monotonicMs();
    while (!signal.aborted) {
      await clock.wait(checkEveryMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      const nowMs = clock.monotonicMs();
      const sinceMs = Math.max(checkedAtMs, this.#enteredAtMs);
      this.#passedMs += Math.min(nowMs - sinceMs, longestTurnMs);
      checkedAtMs = nowMs;
      if (this.#isHung()) {
        hung();
        return;
      }
      if (this.#state === 'waiting' && this.#passedMs >= silenceTimeoutMs) this.endSource();
    }
  }

  #isHung(): boolean {
    const afterMs = {
      waiting: Infinity,
      working: silenceTimeoutMs + hungAfterMs,
      ended: hungAfterMs,
    };
    return this.#passedMs >= afterMs[this.#state];
  }

  /** Ends the source now; `hung` follows when the read does not end. */
  endSource(): void {
    if (this.#state !== 'ended') this.#enter('ended');
    this.#options.silent();
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }
}
