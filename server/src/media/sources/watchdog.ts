/**
 * Notices by the monotonic clock that nothing happens any more, whatever the sockets say: first it
 * ends the source; when even that does not end the read, the process is beyond help and says so.
 */
import type { Clock } from '#lib/clock.ts';

/** A camera that says nothing for this long hangs, or is no longer there. */
export const silenceTimeoutMs = 5_000;
/** How long a native read may take to end after it was told to. */
const hungAfterMs = 10_000;
const lookEveryMs = 500;

export interface WatchdogOptions {
  readonly clock: Clock;
  /** No sign of life for 5 s. */
  readonly silent: () => void;
  /** Told to end, and still there 10 s later. */
  readonly hung: () => void;
}

export class Watchdog implements Disposable {
  readonly #options: WatchdogOptions;
  readonly #stop = new AbortController();
  #aliveAtMs: number;
  #toldAtMs: number | null = null;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#aliveAtMs = options.clock.monotonicMs();
    void this.#watch();
  }

  alive(): void {
    this.#aliveAtMs = this.#options.clock.monotonicMs();
  }

  async #watch(): Promise<void> {
    const { clock, silent, hung } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await clock.wait(lookEveryMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      const nowMs = clock.monotonicMs();
      if (this.#toldAtMs === null && nowMs - this.#aliveAtMs >= silenceTimeoutMs) {
        this.#toldAtMs = nowMs;
        silent();
      } else if (this.#toldAtMs !== null && nowMs - this.#toldAtMs >= hungAfterMs) {
        hung();
        return;
      }
    }
  }

  /** Ends the source now; `hung` follows when that does not help. */
  tell(): void {
    this.#toldAtMs ??= this.#options.clock.monotonicMs();
    this.#options.silent();
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }
}
