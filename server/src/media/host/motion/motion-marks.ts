/**
 * Notes when something moved in what is recorded. The frame analyzer and, for cameras that are recorded on motion,
 * the motion monitor report what they compare anyway. Where no frames were compared motion is not known, which is
 * kept apart from no motion.
 */
import type { MotionSpan } from '../../protocol/segments.ts';

/** Frames are compared up to five times a second. Motion that begins again within this time never stopped. */
const maxPauseMs = 1_000;
/** Motion counts from the frame before, but from no longer ago than this. */
const longestStepMs = 1_000;

export class MotionMarks {
  #spans: MotionSpan[] = [];
  #comparedAtMs = -Infinity;
  #isKnown = false;

  /** Two frames were compared now. `nowMs`: monotonic milliseconds. */
  compared(moves: boolean, nowMs: number): void {
    const sinceMs = Math.max(this.#comparedAtMs, nowMs - longestStepMs);
    this.#comparedAtMs = nowMs;
    this.#isKnown = true;
    if (!moves) return;
    const last = this.#spans.at(-1);
    if (last && sinceMs - last.untilMs <= maxPauseMs) {
      this.#spans[this.#spans.length - 1] = { ...last, untilMs: nowMs };
    } else this.#spans.push({ fromMs: sinceMs, untilMs: nowMs });
  }

  /** Returns the motion in the segment that ends now; null: no frames were compared. */
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

  /** Forgets all motion, while nothing is recorded. */
  forget(): void {
    this.#spans = [];
    this.#isKnown = false;
  }
}
