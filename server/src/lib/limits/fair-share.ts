/**
 * Shares a limited number of places among accounts. A single account may have all of them. Once they are taken, the
 * account with the most places gives up its oldest for a newcomer, and an account that has its share gives up its own.
 * So no account is refused because of another one, and a newcomer is refused only if every place has its own account.
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

  /** `max`: for this call, instead of the usual limit. */
  admit(account: string, item: T, max = this.#max): Admission<T> {
    const { isFull, giver } = this.#giver(account, max);
    if (isFull) return { kind: 'full' };
    const left = giver === null ? null : this.#takeOldest(giver);
    const own = this.#held.get(account) ?? new Set<T>();
    this.#held.set(account, own.add(item));
    this.#size += 1;
    return left === null ? { kind: 'admitted' } : { kind: 'replaced', left: left.item };
  }

  /** Whether a newcomer of that account would be admitted, whichever place it takes. */
  admits(account: string, max = this.#max): boolean {
    return !this.#giver(account, max).isFull;
  }

  /** False: the item had no place. */
  release(account: string, item: T): boolean {
    const own = this.#held.get(account);
    if (!own?.delete(item)) return false;
    this.#size -= 1;
    if (own.size === 0) this.#held.delete(account);
    return true;
  }

  /** Removes the oldest item of the account that waited longest for its turn; undefined: there is none. */
  next(): T | undefined {
    const [account] = this.#held.keys();
    if (account === undefined) return undefined;
    const { item, rest } = this.#takeOldest(account);
    if (rest === null) return item;
    // Puts the account behind the others.
    this.#held.delete(account);
    this.#held.set(account, rest);
    return item;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const own of this.#held.values()) yield* own;
  }

  /** The account that gives up a place; null if none has to. */
  #giver(
    account: string,
    max: number,
  ): { readonly isFull: boolean; readonly giver: string | null } {
    const own = this.#held.get(account)?.size ?? 0;
    if (own >= this.#maxPerAccount) return { isFull: false, giver: account };
    if (this.#size < max) return { isFull: false, giver: null };
    let [largest, most] = [account, own];
    for (const [other, { size }] of this.#held) if (size > most) [largest, most] = [other, size];
    // With only one place more than the newcomer's account, the two would merely change sides.
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
