/** Looks at the whole chain and at every anchor. The first fault is the one that is told: all after it follow from it. */
import type { SecretKey } from '#lib/secrets.ts';
import type { Anchor, Anchors } from './anchors.ts';
import { link, origin, type Link } from './chain.ts';
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
  | { readonly kind: 'anchor'; readonly line: number };

export interface Verdict {
  /** Entries that are right, from the first on. */
  readonly entries: number;
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

export async function verify({ store, anchors, key }: VerifyParts): Promise<Verdict> {
  // Read before the chain, which may grow meanwhile.
  const lines = anchors.read();
  const known = new Map<number, Anchor[]>();
  for (const anchor of lines) {
    if (anchor) known.set(anchor.sequence, [...(known.get(anchor.sequence) ?? []), anchor]);
  }
  let head: Link & { readonly id: string } = { ...origin, id: '' };
  const verdict = async (fault: Fault | null): Promise<Verdict> => ({
    entries: head.sequence,
    anchors: lines.length,
    unsealed: await store.countUnsealed(),
    fault,
  });
  for await (const entry of sealedEntries(store)) {
    const fault = faultOf(key, head, entry) ?? faultOfAnchors(known.get(entry.sequence), entry);
    if (fault) return verdict(fault);
    head = entry;
  }
  const beyond = lines.find((anchor) => anchor && anchor.sequence > head.sequence);
  if (beyond) return verdict({ kind: 'cut', sequence: head.sequence + 1, anchor: beyond });
  const bad = lines.indexOf(null);
  return verdict(bad < 0 ? null : { kind: 'anchor', line: bad + 1 });
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

function faultOf(key: SecretKey, before: Link, entry: SealedEntry): Fault | null {
  const { id, sequence, mac } = entry;
  if (sequence === before.sequence) return { kind: 'duplicate', sequence, id };
  if (sequence !== before.sequence + 1) {
    return { kind: 'missing', sequence: before.sequence + 1, found: sequence };
  }
  const isRight = isDate(entry.recorded_at) && link(key, before, entry).mac.equals(mac);
  return isRight ? null : { kind: 'changed', sequence, id };
}

/** `infinity` is a time to PostgreSQL, and none that was ever recorded. */
const isDate = (value: unknown): boolean => value instanceof Date && !Number.isNaN(value.getTime());

function faultOfAnchors(
  anchors: readonly Anchor[] | undefined,
  { sequence, mac }: Link,
): Fault | null {
  const other = anchors?.find((anchor) => anchor.mac !== mac.toString('hex'));
  return other ? { kind: 'rewritten', sequence, anchor: other } : null;
}
