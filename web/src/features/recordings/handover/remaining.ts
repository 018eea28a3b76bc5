/** How long an export still takes, from how far it came since this page first saw it being made. */

export interface ProgressSeen {
  readonly atMs: number;
  /** 0 to 1. */
  readonly progress: number;
}

/** Before that much was made the pace is chance. */
const leastShare = 0.02;
const leastMs = 2000;

/** Null: too early to say. */
export function remainingMs(first: ProgressSeen, now: ProgressSeen): number | null {
  const madeShare = now.progress - first.progress;
  const tookMs = now.atMs - first.atMs;
  if (madeShare < leastShare || tookMs < leastMs) return null;
  return (tookMs / madeShare) * (1 - now.progress);
}
