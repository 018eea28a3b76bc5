/**
 * Notes when and where something moved in what is recorded. The frame analyzer and, for cameras that are recorded on
 * motion, the motion monitor report what they compare anyway. Where no frames were compared motion is not known, which
 * is kept apart from no motion.
 */
import {
  addCells,
  type Cells,
  type MotionGrid,
  type MovedCells,
} from '../../protocol/motion-grid.ts';
import type { MotionSpan } from '../../protocol/segments.ts';
import type { Rotation } from '../../protocol/rotation.ts';

/** Frames are compared up to five times a second. Motion that begins again within this time never stopped. */
const maxPauseMs = 1_000;
/** Motion counts from the frame before, but from no longer ago than this. */
const longestStepMs = 1_000;
/** Cells are kept apart by this time: a search for a place leads to the second. */
const gridStepMs = 1_000;

/**
 * Two frames were compared; `moved` null: nothing moved. `isOfMain`: the cells are those of the main picture, also where a
 * sub-stream was compared.
 */
export type Compared = (moved: Cells | null, isOfMain: boolean) => void;

/** Times are monotonic milliseconds until they are taken, then counted from the start of the segment. */
interface Marks {
  readonly motion: MotionSpan[];
  readonly grid: MotionGrid;
}

export class MotionMarks {
  readonly #rotation: Rotation;
  #spans: MotionSpan[] = [];
  #moved: MovedCells[] = [];
  #comparedAtMs = -Infinity;
  #isKnown = false;
  #isOfMain = true;

  constructor(rotation: Rotation) {
    this.#rotation = rotation;
  }

  /** Two frames were compared now. `nowMs`: monotonic milliseconds; the others as in `Compared`. */
  compared(moved: Cells | null, nowMs: number, isOfMain = true): void {
    const sinceMs = Math.max(this.#comparedAtMs, nowMs - longestStepMs);
    this.#comparedAtMs = nowMs;
    this.#isKnown = true;
    if (!moved) return;
    this.#isOfMain &&= isOfMain;
    const last = this.#spans.at(-1);
    if (last && sinceMs - last.untilMs <= maxPauseMs) {
      this.#spans[this.#spans.length - 1] = { ...last, untilMs: nowMs };
    } else this.#spans.push({ fromMs: sinceMs, untilMs: nowMs });
    this.#place(moved, sinceMs, nowMs);
  }

  /** Returns the motion in the segment that ends now; null: no frames were compared. */
  take(beganAtMs: number, endedAtMs: number): Marks | null {
    const within = <M extends MotionSpan>(marks: readonly M[]): M[] =>
      marks
        .filter(({ untilMs }) => untilMs > beganAtMs)
        .map((mark) => ({
          ...mark,
          fromMs: Math.round(Math.max(0, mark.fromMs - beganAtMs)),
          untilMs: Math.round(Math.min(mark.untilMs, endedAtMs) - beganAtMs),
        }));
    const motion = within(this.#spans);
    const moved = within(this.#moved);
    const [isKnown, isOfMain] = [this.#isKnown, this.#isOfMain];
    this.forget();
    return isKnown ? { motion, grid: { rotation: this.#rotation, isOfMain, moved } } : null;
  }

  /** Forgets all motion, while nothing is recorded. */
  forget(): void {
    this.#spans = [];
    this.#moved = [];
    this.#isKnown = false;
    this.#isOfMain = true;
  }

  #place(cells: Cells, fromMs: number, untilMs: number): void {
    const last = this.#moved.at(-1);
    if (!last || fromMs > last.untilMs || untilMs - last.fromMs > gridStepMs) {
      this.#moved.push({ fromMs, untilMs, cells: Uint8Array.from(cells) });
      return;
    }
    const both = Uint8Array.from(last.cells);
    addCells(both, cells);
    this.#moved[this.#moved.length - 1] = { ...last, untilMs, cells: both };
  }
}
