/** Verifies the whole chain and every anchor. It reports the first fault, from which all later ones follow. */
import type { SecretKey } from '#lib/secrets.ts';
import type { Anchor, Anchors } from './anchors.ts';
import { isDate, link, type Link } from './chain.ts';
import { beginning } from './checkpoints.ts';
import type { ActivityStore, SealedEntry } from './store.ts';

const entriesPerPage = 10_000;

export type Fault =
  /** A number is not there, or is there twice; `found` is what stands in its place. */
  | { readonly kind: 'missing'; readonly sequence: number; readonly found: number }
  | { readonly kind: 'duplicate'; readonly sequence: number; readonly id: string }
  /** The entry, or the one before it, is not as it was sealed. */
  | { readonly kind: 'changed'; readonly sequence: number; readonly id: string }
  | { readonly kind: 'cut'; readonly sequence: number; readonly anchor: Anchor }
  | { readonly kind: 'rewritten'; readonly sequence: number; readonly anchor: Anchor }
  /** Older than the checkpoint, and put back. */
  | { readonly kind: 'returned'; readonly sequence: number; readonly id: string }
  /** Where the chain begins was not signed by us. */
  | { readonly kind: 'checkpoint'; readonly sequence: number }
  | { readonly kind: 'anchor'; readonly line: number };

export interface Verdict {
  /** Entries that are right, from the first on. */
  readonly entries: number;
  /** Entries before them that were removed for their age. */
  readonly pruned: number;
  readonly anchors: number;
  /** Recorded, and not in the chain yet. */
  readonly unsealed: number;
  readonly fault: Fault | null;
}

export interface VerifyParts {
  readonly store: ActivityStore;
  readonly anchors: Anchors;
  readonly key: SecretKey;
}

export interface Pace {
  /** Called each few entries with the milliseconds that they took. */
  readonly rest: (workedMs: number) => Promise<void>;
}

const entriesPerRest = 500;

export async function verify(
  { store, anchors, key }: VerifyParts,
  pace: Pace | null = null,
): Promise<Verdict> {
  // Read before the chain, which may grow meanwhile.
  const lines = await anchors.read();
  const known = new Map<number, Anchor[]>();
  for (const anchor of lines) {
    if (anchor) known.set(anchor.sequence, [...(known.get(anchor.sequence) ?? []), anchor]);
  }
  const { start, forged } = beginning(key, await store.checkpoints());
  let head = start;
  const verdict = async (fault: Fault | null): Promise<Verdict> => ({
    entries: head.sequence - start.sequence,
    pruned: start.sequence,
    anchors: lines.length,
    unsealed: await store.countUnsealed(),
    fault,
  });
  if (forged) return verdict({ kind: 'checkpoint', sequence: forged.sequence });
  const atStart = faultOfAnchors(known.get(start.sequence), start);
  if (atStart) return verdict(atStart);
  let sinceMs = performance.now();
  for await (const entry of sealedEntries(store)) {
    const fault = faultOf(key, head, entry) ?? faultOfAnchors(known.get(entry.sequence), entry);
    if (fault) return verdict(before(start, entry, fault));
    head = entry;
    if (!pace || entry.sequence % entriesPerRest > 0) continue;
    await pace.rest(performance.now() - sinceMs);
    sinceMs = performance.now();
  }
  const beyond = lines.find((anchor) => anchor && anchor.sequence > head.sequence);
  if (beyond) return verdict({ kind: 'cut', sequence: head.sequence + 1, anchor: beyond });
  const bad = lines.indexOf(null);
  return verdict(bad < 0 ? null : { kind: 'anchor', line: bad + 1 });
}

/** An entry that should be gone is not one that is missing. */
function before(start: Link, { sequence, id }: SealedEntry, fault: Fault): Fault {
  return sequence <= start.sequence ? { kind: 'returned', sequence, id } : fault;
}

async function* sealedEntries(store: ActivityStore): AsyncGenerator<SealedEntry> {
  let page = store.sealedAfter(null, entriesPerPage);
  for (;;) {
    const entries = await page;
    const last = entries.at(-1);
    if (!last) return;
    // The database reads on while we compute.
    page = store.sealedAfter(last, entriesPerPage);
    page.catch(() => undefined); // whoever awaits it hears of it
    yield* entries;
  }
}

export function faultOf(key: SecretKey, before: Link, entry: SealedEntry): Fault | null {
  const { id, sequence, mac } = entry;
  if (sequence === before.sequence) return { kind: 'duplicate', sequence, id };
  if (sequence !== before.sequence + 1) {
    return { kind: 'missing', sequence: before.sequence + 1, found: sequence };
  }
  const isRight = isDate(entry.recorded_at) && link(key, before, entry).mac.equals(mac);
  return isRight ? null : { kind: 'changed', sequence, id };
}

function faultOfAnchors(
  anchors: readonly Anchor[] | undefined,
  { sequence, mac }: Link,
): Fault | null {
  const other = anchors?.find((anchor) => anchor.mac !== mac.toString('hex'));
  return other ? { kind: 'rewritten', sequence, anchor: other } : null;
}
