/**
 * When something moved in what is recorded. The frame analyzer and the motion monitor compare frames anyway and tell
 * it. Where frames were not compared nothing is known, and the marks say that too.
 */
import type { MotionSpan } from '../../protocol/segments.ts';

/** Pictures are compared up to five times a second. What moves again within this time never stopped. */
const joinedMs = 1_000;
/** What moved moved since the picture before; of a longer pause nothing is said. */
const longestStepMs = 1_000;

export class MotionMarks {
  #spans: MotionSpan[] = [];
  #comparedAtMs = -Infinity;
  #isKnown = false;

  /** Two pictures were compared, now. Monotonic milliseconds. */
  compared(moves: boolean, nowMs: number): void {
    const sinceMs = Math.max(this.#comparedAtMs, nowMs - longestStepMs);
    this.#comparedAtMs = nowMs;
    this.#isKnown = true;
    if (!moves) return;
    const last = this.#spans.at(-1);
    if (last && sinceMs - last.untilMs <= joinedMs) {
      this.#spans[this.#spans.length - 1] = { ...last, untilMs: nowMs };
    } else this.#spans.push({ fromMs: sinceMs, untilMs: nowMs });
  }

  /** The motion spans of the segment from then until then, which ends here; null: its pictures were not compared. */
  take(beganAtMs: number, endedAtMs: number): MotionSpan[] | null {
    const spans = this.#spans
      .filter(({ untilMs }) => untilMs > beganAtMs)
      .map(({ fromMs, untilMs }) => ({
        fromMs: Math.round(Math.max(0, fromMs - beganAtMs)),
        untilMs: Math.round(Math.min(untilMs, endedAtMs) - beganAtMs),
      }));
    const isKnown = this.#isKnown;
    this.forget();
    return isKnown ? spans : null;
  }

  /** Nothing is recorded at the moment. */
  forget(): void {
    this.#spans = [];
    this.#isKnown = false;
  }
}
