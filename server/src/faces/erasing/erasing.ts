/**
 * Erasing people: the key of each of their identities is destroyed, which makes all that was sealed under it
 * unreadable, and their rows are removed. It works without vision or a gallery, so that a restored backup can be
 * brought up to date with later erasures before anyone uses it. Privacy cleans what is left on the disk after the
 * transaction.
 */
import type { Clock } from '#lib/clock.ts';
import type { Database, Tx } from '#db/database.ts';
import { ErasingStore, type ErasedPerson } from './erasing-store.ts';
import { NegativeStore } from '../negative-store.ts';
import { StrangerStore } from '../strangers/stranger-store.ts';

export type { ErasedPerson } from './erasing-store.ts';

export interface Removed {
  readonly identityIds: readonly string[];
  readonly images: number;
  readonly embeddings: number;
}

export class FaceErasing {
  readonly #store: ErasingStore;
  readonly #strangers = new StrangerStore();
  readonly #negatives: NegativeStore;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#store = new ErasingStore(db);
    this.#negatives = new NegativeStore(db);
    this.#clock = clock;
  }

  /**
   * Does nothing when the person is gone already. Every node forgets them when `tx` commits. `unknown`: identities of
   * unknown people whose face is the person's, as a user confirmed; they are erased with them.
   */
  async person(tx: Tx, personId: string, unknown: readonly string[] = []): Promise<Removed> {
    await this.#strangers.lock(tx);
    const known = await this.#store.lockIdentities(tx, personId);
    const identityIds = [...known, ...unknown];
    const counts = await this.#store.counts(tx, personId);
    const erased_at = new Date(this.#clock.now());
    for (const [i, identity_id] of identityIds.entries()) {
      await this.#store.destroyKey(tx, identity_id);
      const mine = i === 0 ? counts : { images: 0, embeddings: 0 };
      await this.#store.list(tx, { identity_id, person_id: personId, erased_at, ...mine });
      await this.#store.announce(tx, identity_id);
    }
    await this.#negatives.remove(tx, { sealedBy: identityIds });
    await this.#store.removePerson(tx, personId);
    return { identityIds, ...counts };
  }

  /**
   * Returns the identities that stand for these unknown people now, of merged ones all, and keeps them so until `tx`
   * ends: none that was named or erased meanwhile.
   */
  async unknownNow(tx: Tx, strangerIds: readonly string[]): Promise<string[]> {
    await this.#strangers.lock(tx);
    return this.#store.lockUnknown(tx, strangerIds);
  }

  /** Returns the identities of unknown people that were erased with this person. */
  unknownErasedWith(personId: string): Promise<string[]> {
    return this.#store.unknownErasedWith(personId);
  }

  /** Erases identities of unknown people: only their keys go. They are not listed: age removes them again. */
  async strangers(tx: Tx, identityIds: readonly string[]): Promise<void> {
    if (identityIds.length === 0) return;
    await this.#strangers.lock(tx);
    for (const id of identityIds) await this.#store.destroyKey(tx, id);
    await this.#negatives.remove(tx, { sealedBy: identityIds });
  }

  /** Removes pictures from before then from what faces are compared with strangers by. */
  async referencesBefore(tx: Tx, before: Date): Promise<void> {
    await this.#strangers.lock(tx);
    await this.#strangers.touch(tx, await this.#strangers.removeReferencesBefore(tx, before));
    await this.#negatives.remove(tx, { before });
  }

  /** Removes the pictures of these visits, which are gone. */
  async referencesOf(tx: Tx, visitIds: readonly string[]): Promise<void> {
    if (visitIds.length === 0) return;
    await this.#strangers.lock(tx);
    await this.#strangers.touch(tx, await this.#strangers.removeReferences(tx, visitIds));
    await this.#negatives.remove(tx, { visitIds });
  }

  /** Returns people whose erasure began at or after that moment, the oldest first. */
  erasedSince(since: Date): Promise<ErasedPerson[]> {
    return this.#store.erasedSince(since);
  }

  /** Null: not erased. */
  erased(personId: string): Promise<ErasedPerson | null> {
    return this.#store.erased(personId);
  }

  /** Whether this identity was erased; asked in the transaction that writes something of it. */
  isErased(tx: Tx, identityId: string): Promise<boolean> {
    return this.#store.isErased(tx, identityId);
  }

  /** Ids of people that this account added. */
  addedBy(userId: string, limit: number): Promise<string[]> {
    return this.#store.addedBy(userId, limit);
  }

  countAddedBy(userId: string): Promise<number> {
    return this.#store.countAddedBy(userId);
  }

  /** Returns how many people have another owner now. */
  handOver(tx: Tx, from: string, to: string): Promise<number> {
    return this.#store.handOver(tx, from, to);
  }

  /** The person of this identity in this database; null when there is none, or they were erased. */
  personOf(identityId: string): Promise<string | null> {
    return this.#store.personOf(identityId);
  }
}
