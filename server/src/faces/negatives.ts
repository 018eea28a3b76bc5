/**
 * "Not this person": what a visit showed is never again taken for the person it was wrongly taken for, from the
 * moment a user says so, on every node (Gallery.setNegatives). Its vector is sealed under the key of the identity the
 * visit belongs to, and is erased with that identity and with the visit. All of it happens under the lock of
 * strangers.
 */
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { SealBroken, type SecretKey } from '#lib/secrets.ts';
import { vectorBytes } from '#lib/vectors.ts';
import type { Tx } from '#db/database.ts';
import { noOtherPack } from '#db/pack-columns.ts';
import type { Reference } from './gallery/gallery.ts';
import type { Identities, Identity } from './identities.ts';
import type { NegativeRow, NegativeStore, SealedNegative } from './negative-store.ts';
import { openVectors, resealVectors } from './gallery/pack-vectors.ts';
import type { ReferencePicture } from './strangers/strangers.ts';

export type { NegativeRow } from './negative-store.ts';

export interface NegativesOptions {
  readonly store: NegativeStore;
  readonly identities: Identities;
  readonly clock: Clock;
  readonly log: Log;
}

/** The person a visit was taken for, by which of their identities, and how sure it seemed. */
export interface TakenFor {
  readonly personId: string;
  readonly fromId: string;
  readonly confidence: number | null;
}

/** The account that decided, and the entry of the activity log. */
export interface DecidedBy {
  readonly userId: string | null;
  readonly entryId: string;
}

export class Negatives {
  readonly #options: NegativesOptions;

  constructor(options: NegativesOptions) {
    this.#options = options;
  }

  /** Records that `seen` is not this person; it is `to` now. */
  async add(
    tx: Tx,
    seen: ReferencePicture,
    { personId, fromId, confidence }: TakenFor,
    to: Identity,
    by: DecidedBy,
  ): Promise<void> {
    await this.#options.store.add(tx, {
      visit_id: seen.visitId,
      person_id: personId,
      from_identity_id: fromId,
      identity_id: to.id,
      pack_id: seen.packId,
      pack_version: seen.packVersion,
      vector: to.key.seal(vectorBytes(seen.vector), negativePlace(seen.visitId)),
      ...noOtherPack,
      confidence,
      seen_at: new Date(seen.startedAtMs),
      created_at: new Date(this.#options.clock.now()),
      decided_by: by.userId,
      entry_id: by.entryId,
    });
  }

  /** Whether the visit must not be taken for the person of this identity. */
  isRuledOut(tx: Tx, visitId: string, identityId: string): Promise<boolean> {
    return this.#options.store.isRuledOut(tx, visitId, identityId);
  }

  /** Returns the latest negative of a visit; null: there is none. */
  async newest(tx: Tx, visitId: string): Promise<NegativeRow | null> {
    const [newest] = await this.#options.store.ofVisit(tx, visitId);
    return newest ?? null;
  }

  /** Removes the negative: the visit may show that person after all. */
  takeBack(tx: Tx, negative: NegativeRow): Promise<void> {
    return this.#options.store.removeOne(tx, negative);
  }

  /** The visit belongs to another identity now: what is stored of it is sealed under that identity's key. */
  async move(tx: Tx, visitId: string, to: Identity): Promise<void> {
    const { store, identities } = this.#options;
    for (const row of await store.ofVisit(tx, visitId)) {
      if (row.identity_id === to.id) continue;
      const key = await identities.keyOf(row.identity_id);
      const vectors = resealVectors(row, negativePlace(visitId), key, to.key);
      await store.move(tx, row, { identity_id: to.id, ...vectors });
    }
  }

  /** Returns what these identities of people are not, by identity. */
  async of(identityIds: readonly string[]): Promise<Map<string, Reference[]>> {
    const { store, identities } = this.#options;
    const found = new Map<string, Reference[]>();
    for (const row of await store.of(identityIds)) {
      const references = this.#opened(identities.openKey(row.identity_id, row.data_key), row);
      found.set(row.known_id, [...(found.get(row.known_id) ?? []), ...references]);
    }
    return found;
  }

  /** Empty when the row was changed outside the product: the person goes on being named. */
  #opened(key: SecretKey, row: SealedNegative): Reference[] {
    try {
      return openVectors(row, key, negativePlace(row.visit_id));
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.#options.log.error({ err: error, visit: row.visit_id }, 'negative cannot be opened');
      return [];
    }
  }
}

export const negativePlace = (visitId: string): string => `negative.vector:${visitId}`;
