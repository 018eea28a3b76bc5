/**
 * Shares a limited number of places among accounts. A single account may have all of them; once they are taken, the one
 * that has the most gives up its oldest for a newcomer, and an account that has its share gives up its own. So nobody
 * is turned away because of one account, and a newcomer is refused only where there are as many accounts as places.
 */
export type Admission<T> =
  | { readonly kind: 'admitted' }
  /** The newcomer has the place that this one had, which is not held any more. */
  | { readonly kind: 'replaced'; readonly left: T }
  | { readonly kind: 'full' };

export class FairShare<T> {
  readonly #max: number;
  readonly #maxPerAccount: number;
  /** Held places by account, the oldest first; accounts in the order in which they are next. */
  readonly #held = new Map<string, Set<T>>();
  #size = 0;

  constructor(max: number, maxPerAccount = max) {
    this.#max = max;
    this.#maxPerAccount = maxPerAccount;
  }

  get size(): number {
    return this.#size;
  }

  /** `max`: another one than usual, for now. */
  admit(account: string, item: T, max = this.#max): Admission<T> {
    const { isFull, giver } = this.#giver(account, max);
    if (isFull) return { kind: 'full' };
    const left = giver === null ? null : this.#takeOldest(giver);
    const own = this.#held.get(account) ?? new Set<T>();
    this.#held.set(account, own.add(item));
    this.#size += 1;
    return left === null ? { kind: 'admitted' } : { kind: 'replaced', left: left.item };
  }

  /** Whether a newcomer of that account would be admitted, in whoever's place. */
  admits(account: string, max = this.#max): boolean {
    return !this.#giver(account, max).isFull;
  }

  /** False: it was not held. */
  release(account: string, item: T): boolean {
    const own = this.#held.get(account);
    if (!own?.delete(item)) return false;
    this.#size -= 1;
    if (own.size === 0) this.#held.delete(account);
    return true;
  }

  /** Takes out the oldest of the account that waited longest for its turn; undefined: nothing is held. */
  next(): T | undefined {
    const [account] = this.#held.keys();
    if (account === undefined) return undefined;
    const { item, rest } = this.#takeOldest(account);
    if (rest === null) return item;
    // Behind the others.
    this.#held.delete(account);
    this.#held.set(account, rest);
    return item;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const own of this.#held.values()) yield* own;
  }

  /** The account that gives up a place; null where none has to. */
  #giver(
    account: string,
    max: number,
  ): { readonly isFull: boolean; readonly giver: string | null } {
    const own = this.#held.get(account)?.size ?? 0;
    if (own >= this.#maxPerAccount) return { isFull: false, giver: account };
    if (this.#size < max) return { isFull: false, giver: null };
    let [largest, most] = [account, own];
    for (const [other, { size }] of this.#held) if (size > most) [largest, most] = [other, size];
    // With one place more than the newcomer's account it would only be the other way round afterwards.
    if (most >= own + 2) return { isFull: false, giver: largest };
    return { isFull: own === 0, giver: account };
  }

  #takeOldest(account: string): { readonly item: T; readonly rest: Set<T> | null } {
    const own = this.#held.get(account)!;
    const [item] = own as Set<T> & Iterable<T>;
    own.delete(item!);
    this.#size -= 1;
    if (own.size > 0) return { item: item!, rest: own };
    this.#held.delete(account);
    return { item: item!, rest: null };
  }
}
