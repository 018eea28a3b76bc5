/**
 * Gives recorded entries their place in the chain, soon after they were committed. Where several
 * servers share a database, one seals at a time: it holds a lock for as long as its transaction lasts, so that a
 * server that dies blocks nothing. The sealer assigns the places, not the writers, because rows become visible in
 * another order than they are written: a row that is not visible yet gets a later place, and none is skipped.
 */
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { Tx } from '#db/database.ts';
import type { Anchors } from './anchors.ts';
import { link, origin, type Link } from './chain.ts';
import type { ActivityStore } from './store.ts';

/** Entries wait for their place at most this long plus the time of a pass. */
const everyMs = 500;
const entriesPerPass = 1_000;
const anchorEveryEntries = 1_000;
const anchorEveryMs = 5 * 60_000;

export interface SealerParts {
  readonly store: ActivityStore;
  readonly anchors: Anchors;
  readonly key: SecretKey;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the end of the chain is no longer the one that was sealed. */
  readonly onBroken?: (sequence: number) => void;
}

export class Sealer implements AsyncDisposable {
  readonly #parts: SealerParts;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #sealing: Promise<unknown> = Promise.resolve();
  /** The end of the chain at the last check. */
  #head: Link = origin;
  #anchored: Link = origin;
  #anchoredAtMs: number;

  constructor(parts: SealerParts) {
    this.#parts = parts;
    this.#anchoredAtMs = parts.clock.monotonicMs();
    this.#running = this.#keepSealing();
  }

  /** Seals the visible entries and returns their number; does nothing while another process seals. */
  seal(): Promise<number> {
    const mine = this.#sealing.then(() => this.#sealAll());
    this.#sealing = mine.catch(() => undefined);
    return mine;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    try {
      await this.seal();
      await this.#anchor();
    } catch (err) {
      this.#parts.log.warn(
        { err },
        'the chain could not be sealed at the end; the next start does',
      );
    }
  }

  async #keepSealing(): Promise<void> {
    const { clock, log } = this.#parts;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.seal().catch((err: unknown) => log.warn({ err }, 'the chain could not be sealed'));
      await clock.wait(everyMs, signal).catch(() => undefined);
    }
  }

  async #sealAll(): Promise<number> {
    const { store } = this.#parts;
    let sealed = 0;
    for (;;) {
      const pass = await store.transaction((tx) => this.#pass(tx));
      if (!pass) return sealed;
      // Only committed entries are remembered and anchored: an anchor beyond them would be a false alarm for ever.
      this.#head = pass.head;
      sealed += pass.count;
      await this.#anchorWhenDue();
      if (pass.count < entriesPerPass) return sealed;
    }
  }

  /** Null: another process seals. */
  async #pass(tx: Tx): Promise<{ readonly count: number; readonly head: Link } | null> {
    const { store, key } = this.#parts;
    if (!(await store.maySeal(tx))) return null;
    const before = (await store.head(tx)) ?? origin;
    if (before.sequence !== this.#head.sequence) await this.#checkPast(tx);
    const entries = await store.lockUnsealed(tx, entriesPerPass);
    let last = before;
    const links = entries.map((entry) => {
      last = link(key, last, entry);
      return { ...last, id: entry.id };
    });
    if (links.length > 0) await store.seal(tx, links);
    return { count: links.length, head: last };
  }

  /** The chain only grows: at the place where it ended at the last check it still has the same entry. */
  async #checkPast(tx: Tx): Promise<void> {
    const { store, anchors, clock, log } = this.#parts;
    const remembered = this.#head;
    if (remembered.sequence === 0) return;
    const mac = await store.macAt(tx, remembered.sequence);
    if (mac?.equals(remembered.mac)) return;
    log.error({ sequence: remembered.sequence }, 'the chain was changed from outside');
    this.#parts.onBroken?.(remembered.sequence);
    // Kept for `audit verify`, which detects by it what was cut off.
    await anchors.append(remembered, clock.now());
  }

  async #anchorWhenDue(): Promise<void> {
    const grownBy = this.#head.sequence - this.#anchored.sequence;
    const isLongAgo = this.#parts.clock.monotonicMs() - this.#anchoredAtMs >= anchorEveryMs;
    if (grownBy >= anchorEveryEntries || isLongAgo) await this.#anchor();
  }

  async #anchor(): Promise<void> {
    const { anchors, clock, log } = this.#parts;
    this.#anchoredAtMs = clock.monotonicMs();
    if (this.#head.sequence === this.#anchored.sequence) return;
    const head = this.#head;
    await anchors.append(head, clock.now());
    this.#anchored = head;
    log.info(
      { sequence: this.#head.sequence, mac: this.#head.mac.toString('hex') },
      'audit anchor',
    );
  }
}
