/** Verifies the whole chain and every anchor. It reports the first fault, from which all later ones follow. */
import type { SecretKey } from '#lib/secrets.ts';
import type { Anchor, Anchors } from './anchors.ts';
import { isDate, link, origin, type Link } from './chain.ts';
import { beginning } from './checkpoints.ts';
import type { ActivityStore, SealedEntry } from './store.ts';

export type Fault =
  /** A number is missing, or occurs twice; `found` is the number in its place. */
  | {
      readonly kind: 'missing';
      readonly sequence: number;
      readonly found: number;
      readonly recordedAt: Date | null;
    }
  | WrongEntry<'duplicate'>
  /** The entry, or the one before it, differs from what was sealed. */
  | WrongEntry<'changed'>
  | { readonly kind: 'cut'; readonly sequence: number; readonly anchor: Anchor }
  | { readonly kind: 'rewritten'; readonly sequence: number; readonly anchor: Anchor }
  /** The entry is older than the checkpoint, and was put back. */
  | WrongEntry<'returned'>
  /** We did not sign the beginning of the chain. */
  | { readonly kind: 'checkpoint'; readonly sequence: number }
  | { readonly kind: 'anchor'; readonly line: number };

interface WrongEntry<Kind extends string> {
  readonly kind: Kind;
  readonly sequence: number;
  readonly id: string;
  /** The time in the entry itself; null: it contains no time. */
  readonly recordedAt: Date | null;
}

/** A correct entry, and when it was recorded. */
export interface Place extends Link {
  readonly recordedAt: Date;
}

export interface Verdict {
  /** The number of correct entries, from the first on. */
  readonly entries: number;
  readonly first: Place | null;
  readonly last: Place | null;
  /** Entries before them that were removed for their age. */
  readonly pruned: number;
  readonly anchors: number;
  /** The anchor that is furthest along the chain. */
  readonly lastAnchor: Anchor | null;
  /** Recorded, but not yet in the chain. */
  readonly unsealed: number;
  readonly fault: Fault | null;
}

export interface VerifyParts {
  readonly store: ActivityStore;
  readonly anchors: Anchors;
  readonly key: SecretKey;
}

export interface Pace {
  /** Called every few entries with their milliseconds and how many are verified; throwing ends the verification. */
  readonly rest: (workedMs: number, entries: number) => Promise<void>;
  /** Entries that are read at once: the rows of a page become objects in one go. */
  readonly entriesPerPage?: number;
}

const entriesPerRest = 500;
/** For a process that does nothing else. */
const usualPage = 10_000;

export async function verify(parts: VerifyParts, pace: Pace | null = null): Promise<Verdict> {
  // Read before the chain, which may grow meanwhile.
  const lines = await parts.anchors.read();
  const anchors = lines.filter((anchor) => anchor !== null);
  const walk = new Walk(parts, anchors);
  const fault = (await walk.begin()) ?? (await walk.go(pace)) ?? walk.end();
  const bad = lines.indexOf(null);
  return {
    ...walk.verified,
    anchors: lines.length,
    lastAnchor: furthest(anchors),
    unsealed: await parts.store.countUnsealed(),
    fault: fault ?? (bad < 0 ? null : { kind: 'anchor', line: bad + 1 }),
  };
}

/** One pass along the chain, from where it begins to its end or the first fault. */
class Walk {
  readonly #parts: VerifyParts;
  readonly #anchors: readonly Anchor[];
  readonly #anchorsAt: ReadonlyMap<number, readonly Anchor[]>;
  #start: Link = origin;
  #head: Link = origin;
  #first: Place | null = null;
  #last: Place | null = null;

  constructor(parts: VerifyParts, anchors: readonly Anchor[]) {
    this.#parts = parts;
    this.#anchors = anchors;
    this.#anchorsAt = Map.groupBy(anchors, ({ sequence }) => sequence);
  }

  get verified(): Pick<Verdict, 'entries' | 'first' | 'last' | 'pruned'> {
    const pruned = this.#start.sequence;
    const entries = this.#head.sequence - pruned;
    return { entries, first: this.#first, last: this.#last, pruned };
  }

  /** Finds where the chain begins. */
  async begin(): Promise<Fault | null> {
    const { store, key } = this.#parts;
    const { start, forged } = beginning(key, await store.checkpoints());
    this.#start = start;
    this.#head = start;
    this.#first = null;
    this.#last = null;
    if (forged) return { kind: 'checkpoint', sequence: forged.sequence };
    return this.#faultOfAnchors(start);
  }

  async go(pace: Pace | null): Promise<Fault | null> {
    let sinceMs = performance.now();
    for await (const page of pages(this.#parts.store, pace?.entriesPerPage ?? usualPage)) {
      for (const entry of page) {
        const fault = this.#faultOf(entry);
        if (fault && !(await this.#beganAnew(fault, entry))) return fault;
        this.#pass(entry);
        if (!pace || entry.sequence % entriesPerRest > 0) continue;
        await pace.rest(performance.now() - sinceMs, this.verified.entries);
        sinceMs = performance.now();
      }
    }
    return null;
  }

  /** Whether an anchor refers to entries beyond the last one. */
  end(): Fault | null {
    const head = this.#head.sequence;
    const beyond = this.#anchors.find(({ sequence }) => sequence > head);
    return beyond ? { kind: 'cut', sequence: head + 1, anchor: beyond } : null;
  }

  #pass({ sequence, mac, recorded_at: recordedAt }: SealedEntry): void {
    this.#head = { sequence, mac };
    this.#last = { sequence, mac, recordedAt };
    this.#first ??= this.#last;
  }

  #faultOf(entry: SealedEntry): Fault | null {
    const fault = faultOf(this.#parts.key, this.#head, entry) ?? this.#faultOfAnchors(entry);
    const isOld = entry.sequence <= this.#start.sequence;
    // An entry that should have been removed is not a missing one.
    return fault && isOld ? wrong('returned', entry) : fault;
  }

  /** Entries that were removed for their age during the pass are not missing: the chain now begins later. */
  async #beganAnew(fault: Fault, entry: SealedEntry): Promise<boolean> {
    if (fault.kind !== 'missing') return false;
    const before = this.#start.sequence;
    const { start } = beginning(this.#parts.key, await this.#parts.store.checkpoints());
    if (start.sequence <= before) return false;
    return (await this.begin()) === null && this.#faultOf(entry) === null;
  }

  #faultOfAnchors({ sequence, mac }: Link): Fault | null {
    const other = this.#anchorsAt
      .get(sequence)
      ?.find((anchor) => anchor.mac !== mac.toString('hex'));
    return other ? { kind: 'rewritten', sequence, anchor: other } : null;
  }
}

async function* pages(store: ActivityStore, perPage: number): AsyncGenerator<SealedEntry[]> {
  let page = store.sealedAfter(null, perPage);
  for (;;) {
    const entries = await page;
    const last = entries.at(-1);
    if (!last) return;
    // The database reads the next page while we compute.
    page = store.sealedAfter(last, perPage);
    page.catch(() => undefined); // its reader gets the error
    yield entries;
  }
}

export function faultOf(key: SecretKey, before: Link, entry: SealedEntry): Fault | null {
  const { sequence, mac, recorded_at: recordedAt } = entry;
  if (sequence === before.sequence) return wrong('duplicate', entry);
  if (sequence !== before.sequence + 1) {
    const at = isDate(recordedAt) ? recordedAt : null;
    return { kind: 'missing', sequence: before.sequence + 1, found: sequence, recordedAt: at };
  }
  const isRight = isDate(recordedAt) && link(key, before, entry).mac.equals(mac);
  return isRight ? null : wrong('changed', entry);
}

function wrong<Kind extends string>(kind: Kind, entry: SealedEntry): WrongEntry<Kind> {
  const { sequence, id, recorded_at } = entry;
  return { kind, sequence, id, recordedAt: isDate(recorded_at) ? recorded_at : null };
}

const furthest = (anchors: readonly Anchor[]): Anchor | null =>
  anchors.reduce<Anchor | null>(
    (last, anchor) => (last !== null && last.sequence >= anchor.sequence ? last : anchor),
    null,
  );
