/**
 * Remembers what was recorded a moment ago: screens request the same thing every few seconds, which would fill
 * the log. Each process keeps its own memory: another process, or a restart,
 * records once more, never once less.
 */
import type { Clock } from '#lib/clock.ts';

/** Beyond it the oldest are forgotten. About 3 MB. */
const maxKnown = 10_000;

export class Recent {
  readonly #clock: Clock;
  readonly #known = new Map<
    string,
    { readonly untilMs: number; readonly written: Promise<void> }
  >();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Writes unless it was written within that time; a second caller waits for a write under way. */
  once(key: string, forMs: number, write: () => Promise<void>): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    const before = this.#known.get(key);
    if (before && before.untilMs > nowMs) return before.written;
    const written = write();
    const mine = { untilMs: nowMs + forMs, written };
    this.#known.delete(key); // to the end of the order
    this.#known.set(key, mine);
    written.catch(() => {
      if (this.#known.get(key) === mine) this.#known.delete(key);
    });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= maxKnown) break;
      this.#known.delete(oldest);
    }
    return written;
  }
}
