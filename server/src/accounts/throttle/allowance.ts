/** How many requests of a kind are allowed in a time, whatever their outcome: each is counted before it is served. */
import type { AccountParts } from '../parts.ts';

export interface Allowance {
  readonly windowMs: number;
  readonly times: number;
}

/** Counts this request too, so that simultaneous ones gain nothing; returns the ms to wait, 0 if it is allowed. */
export async function takeAllowance(
  { counts, clock }: Pick<AccountParts, 'counts' | 'clock'>,
  key: string,
  { windowMs, times }: Allowance,
): Promise<number> {
  const nowMs = clock.now();
  await counts.countInWindow(key, new Date(nowMs), windowMs);
  const asked = await counts.failures(key);
  if (!asked || asked.count <= times) return 0;
  return Math.max(1, asked.lastAtMs + windowMs - nowMs);
}
