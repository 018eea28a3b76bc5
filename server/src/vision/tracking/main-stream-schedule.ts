/**
 * When a track of a sub-stream is looked at in the main stream again: each look costs the decoding of every picture
 * since its last key frame. Pure.
 */
/** Looks at the main stream's picture of a track. */
export interface MainStreamDetections {
  /** Of which something came, and of which nothing did since. */
  readonly successes: number;
  readonly failures: number;
  /** When the last of them was. */
  readonly lastAt: number;
}

export const noMainStreamDetections: MainStreamDetections = {
  successes: 0,
  failures: 0,
  lastAt: -Infinity,
};

/** Two looks decide most tracks. While nobody is known two more follow each other closely, then some now and then. */
const immediateSuccesses = 2;
const frequentSuccesses = 4;
const frequentEveryMs = 2_000;
const laterEveryMs = 10_000;
/** A face that is not found there, or too poor there too, may come nearer: each next look waits twice as long. */
const firstRetryMs = 1_000;

/** One more, that helped or did not. */
export const counted = (
  { successes, failures }: MainStreamDetections,
  lastAt: number,
  helped: boolean,
): MainStreamDetections =>
  helped
    ? { successes: successes + 1, failures: 0, lastAt }
    : { successes, failures: failures + 1, lastAt };

/** How long after the last look the next one may be. */
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
