/**
 * When a face of a sub-stream track is detected in the main stream again: each main-stream detection costs the
 * decoding of every picture since the last key frame. Pure.
 */
/** The main-stream detections of a track so far. */
export interface MainStreamDetections {
  /** Detections that gave a better picture, and detections that gave none since the last that did. */
  readonly successes: number;
  readonly failures: number;
  /** When the last of them was, in milliseconds of media time. */
  readonly lastAt: number;
}

export const noMainStreamDetections: MainStreamDetections = {
  successes: 0,
  failures: 0,
  lastAt: -Infinity,
};

/**
 * Two detections decide most tracks. While no person is recognised, two more follow shortly after each other, then
 * some now and then.
 */
const immediateSuccesses = 2;
const frequentSuccesses = 4;
const frequentEveryMs = 2_000;
const laterEveryMs = 10_000;
/**
 * A face that the main stream does not show, or shows too poorly, may come nearer: each next detection waits twice as
 * long.
 */
const firstRetryMs = 1_000;

/** Counts one more detection, which helped or did not. */
export const counted = (
  { successes, failures }: MainStreamDetections,
  lastAt: number,
  helped: boolean,
): MainStreamDetections =>
  helped
    ? { successes: successes + 1, failures: 0, lastAt }
    : { successes, failures: failures + 1, lastAt };

/** How long after the last detection the next one may be. */
export function mainStreamDelayMs(
  { successes, failures }: MainStreamDetections,
  isKnown: boolean,
  doubt: boolean,
): number {
  if (successes + failures < 1) return 0;
  if (isKnown && !doubt) return successes + failures < immediateSuccesses ? 0 : Infinity;
  if (failures > 0) return Math.min(laterEveryMs, firstRetryMs * 2 ** (failures - 1));
  if (successes < immediateSuccesses) return 0;
  return doubt || successes < frequentSuccesses ? frequentEveryMs : laterEveryMs;
}
