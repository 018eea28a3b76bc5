/**
 * Computes decode times. RTP says only when pictures are shown, and a picture that others refer to comes before those
 * that are shown earlier. With a depth of n, a picture is decoded at the time of the one that is shown n before it.
 */

/** No camera reorders more pictures (ITU-T H.264, A.3.1: 16). */
const maxDepth = 16;

/** A pyramid of pictures that refer to later ones is complete after so many. */
const learnedFrom = 6;
/** Pictures that are further apart are not waited for: 90 kHz. */
const slowTicks = 45_000;

/**
 * Returns the depth by the presentation times of a stream's first pictures, the first of which is a key picture; null
 * while more of them are needed. A picture that is shown earlier comes right after the one that it refers to.
 */
export function depthOf(shown: readonly number[]): number | null {
  const [first = 0, second = 0, third = 0] = shown;
  if (shown.length < 2) return null;
  if (second - first >= slowTicks) return 0;
  if (shown.length === 3 && third > second) return 0;
  if (shown.length < learnedFrom) return null;
  const later = shown.map((at, index) => shown.slice(0, index).filter((one) => one > at).length);
  return Math.max(...later);
}

export class DecodeTimes {
  #depth: number;
  /** Presentation times of the newest pictures, in order; one more than the depth. */
  #shown: number[] = [];
  /** The latest decode time so far. */
  #passed = -Infinity;

  /** `depth` as the stream says; null when it does not: then it is learned from pictures that come too late. */
  constructor(depth: number | null) {
    this.#depth = Math.min(depth ?? 0, maxDepth);
  }

  /** Returns the decode time, in the unit of `pts`. */
  next(pts: number, step: number): number {
    // A clock that was set must not count as reordering.
    if (Math.abs(pts - (this.#shown.at(-1) ?? this.#passed)) > step * 2 * maxDepth) {
      this.#shown = [];
      this.#passed = -Infinity;
    }
    if (pts < this.#passed && this.#depth < maxDepth) this.#depth += 1;
    const at = this.#shown.findLastIndex((time) => time <= pts) + 1;
    this.#shown.splice(at, 0, pts);
    const missing = this.#depth + 1 - this.#shown.length;
    const dts =
      missing > 0 ? (this.#shown[0] ?? pts) - missing * step : (this.#shown.shift() ?? pts);
    this.#passed = Math.max(this.#passed, dts);
    return dts;
  }
}
