/**
 * Joins times in which something moved to spans, and ends an answer where there are enough of them. What is left out is
 * found by asking again from where the answer says. Pure.
 */
import type { Period } from './timeline-store.ts';

export interface FoundSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Frames are compared up to five times a second, and segments end in the middle of motion. */
const joinedMs = 1_500;

export class MotionSpans {
  readonly #period: Period;
  readonly #limit: number;
  readonly #apartMs: number;
  readonly #spans: FoundSpan[] = [];
  #isEnded = false;

  /** `limit`: so many spans at most. */
  constructor(period: Period, limit: number) {
    this.#period = period;
    this.#limit = limit;
    this.#apartMs = Math.max(joinedMs, period.resolutionMs);
  }

  /** No more times change what `take` returns. */
  get isFull(): boolean {
    return this.#spans.length > this.#limit;
  }

  /** In the order of their beginnings. */
  add(fromMs: number, untilMs: number): void {
    const begin = Math.max(fromMs, this.#period.from.getTime());
    const end = Math.min(untilMs, this.#period.until.getTime());
    if (begin >= end || this.isFull) return;
    const last = this.#spans.at(-1);
    if (last && begin - last.untilMs <= this.#apartMs) {
      const longer = { fromMs: last.fromMs, untilMs: Math.max(last.untilMs, end) };
      this.#spans[this.#spans.length - 1] = longer;
    } else this.#spans.push({ fromMs: begin, untilMs: end });
  }

  /** There are no more times. */
  end(): void {
    this.#isEnded = true;
  }

  /** `nextMs`: from when to ask for the rest; null: this is all. */
  take(): { readonly found: readonly FoundSpan[]; readonly nextMs: number | null } {
    const found = this.#spans.slice(0, this.#limit);
    const rest = this.#spans[this.#limit];
    if (rest) return { found, nextMs: rest.fromMs };
    const last = found.at(-1);
    if (this.#isEnded || !last) return { found, nextMs: null };
    // The last one may go on. One that began before all others is cut, so that asking again leads further.
    return found.length > 1
      ? { found: found.slice(0, -1), nextMs: last.fromMs }
      : { found, nextMs: last.untilMs };
  }
}
