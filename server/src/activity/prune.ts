/** Removes entries that are older than the policy, once it has verified that they are unchanged. */
import type { Clock } from '#lib/clock.ts';
import { beginning, checkpoint } from './checkpoints.ts';
import type { ActivityStore, SealedEntry } from './store.ts';
import { faultOf, type Fault, type VerifyParts } from './verify.ts';

const dayMs = 24 * 60 * 60_000;
const entriesPerPass = 2_000;
/** The database refuses to remove younger ones, whatever the policy says. */
export const shortestPolicyDays = 90;

export interface Pruned {
  readonly removed: number;
  /** Where it stopped because the log was changed: evidence is not removed. */
  readonly fault: Fault | null;
}

export async function prune(
  { store, key }: Pick<VerifyParts, 'store' | 'key'>,
  { clock, days }: { readonly clock: Clock; readonly days: number },
): Promise<Pruned> {
  if (days < shortestPolicyDays)
    throw new RangeError(`the activity log is kept ${shortestPolicyDays} days`);
  const now = new Date(clock.now());
  const before = new Date(clock.now() - days * dayMs);
  let { start, forged } = beginning(key, await store.checkpoints());
  if (forged) return { removed: 0, fault: { kind: 'checkpoint', sequence: forged.sequence } };
  let removed = 0;
  for (;;) {
    const entries = await olderThan(store, before);
    let last = start;
    for (const entry of entries) {
      const fault = faultOf(key, last, entry);
      if (fault) return { removed, fault };
      last = entry;
    }
    if (last === start) return { removed, fault: null };
    await store.prune(checkpoint(key, last, now));
    removed += entries.length;
    start = last;
  }
}

/** The oldest entries, up to the first younger one. The very last entry stays, because the chain grows from it. */
async function olderThan(store: ActivityStore, before: Date): Promise<SealedEntry[]> {
  const page = await store.sealedAfter(null, entriesPerPass + 1);
  const young = page.findIndex(({ recorded_at }) => !(recorded_at < before));
  const end = Math.min(young < 0 ? page.length : young, page.length - 1);
  return page.slice(0, Math.max(0, end));
}
