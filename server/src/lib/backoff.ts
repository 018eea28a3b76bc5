/**
 * How long to wait before the next try: doubling, capped, with full jitter, so that 64 cameras that lose
 * their switch at the same moment do not all come back at the same moment ("full jitter" after Brooker, AWS 2015).
 */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** `failures` counts from 1; `random` gives 0 <= r < 1. The result is never below a quarter of the step. */
export function backoffMs(
  { firstMs, maxMs }: Backoff,
  failures: number,
  random: () => number,
): number {
  const stepMs = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(stepMs * (0.25 + 0.75 * random()));
}
