/** How often something may be asked for in a stretch of time, whatever came of it: counted before it is done. */
import type { AccountParts } from '../parts.ts';

export interface Allowance {
  readonly windowMs: number;
  readonly times: number;
}

/** Counts this time too, so that many at once are no more than few; milliseconds to wait, 0 when it is allowed. */
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
