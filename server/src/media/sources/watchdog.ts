/**
 * Notices by the monotonic clock that no more packets come, whatever the sockets say: first it ends the source;
 * when even that does not end the read, it reports that the process hangs.
 */
import type { Clock } from '#lib/clock.ts';

/** A camera that is silent for so long hangs, or is gone. */
export const silenceTimeoutMs = 5_000;
/** How long a native read may take to end after its source was ended. */
const hungAfterMs = 10_000;
const checkEveryMs = 500;

export interface WatchdogOptions {
  readonly clock: Clock;
  /** No packet came for 5 s. */
  readonly silent: () => void;
  /** The read has not ended 10 s after its source was ended. */
  readonly hung: () => void;
}

export class Watchdog implements Disposable {
  readonly #options: WatchdogOptions;
  readonly #stop = new AbortController();
  #aliveAtMs: number;
  #endedAtMs: number | null = null;

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
      await clock.wait(checkEveryMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      const nowMs = clock.monotonicMs();
      if (this.#endedAtMs === null && nowMs - this.#aliveAtMs >= silenceTimeoutMs) {
        this.#endedAtMs = nowMs;
        silent();
      } else if (this.#endedAtMs !== null && nowMs - this.#endedAtMs >= hungAfterMs) {
        hung();
        return;
      }
    }
  }

  /** Ends the source now; `hung` follows when the read does not end. */
  endSource(): void {
    this.#endedAtMs ??= this.#options.clock.monotonicMs();
    this.#options.silent();
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }
}
