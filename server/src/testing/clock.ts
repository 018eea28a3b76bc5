/** A clock that stands still until a test advances it. */
import type { Clock } from '#lib/clock.ts';

export interface StoppedClock extends Clock {
  /** Moves wall and monotonic time and ends the waits that are over by then. */
  advance(ms: number): void;
  /** How many wait for it to go on. */
  readonly waiting: number;
}

export function aClock(startMs = Date.UTC(2026, 0, 15, 12)): StoppedClock {
  let elapsedMs = 0;
  const waits = new Set<{ readonly untilMs: number; readonly end: () => void }>();
  return {
    now: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    get waiting() {
      return waits.size;
    },
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        const wait = { untilMs: elapsedMs + ms, end: resolve };
        waits.add(wait);
        signal?.addEventListener('abort', () => {
          waits.delete(wait);
          reject(signal.reason as Error);
        });
      }),
    advance(ms) {
      elapsedMs += ms;
      for (const wait of waits) {
        if (wait.untilMs > elapsedMs) continue;
        waits.delete(wait);
        wait.end();
      }
    },
  };
}
