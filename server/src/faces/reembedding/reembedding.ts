/**
 * Vectors of another pack, made from the stored chips: those of people's photos, which are checked again where the
 * chip is not usable, and those of strangers' references and of negatives, which come with their visits. Which pack,
 * and when, is decided elsewhere.
 */
import type { Database, Tx } from '#db/database.ts';
import type { PackCounts } from '#db/pack-columns.ts';
import type { Log } from '#lib/log.ts';
import { ownWork } from '#lib/limits/turns.ts';
import { isOfNow, Problem } from '#lib/problem.ts';
import { SealBroken } from '#lib/secrets.ts';
import { vectorBytes } from '#lib/vectors.ts';
import type { Vision } from '#vision/vision.ts';
import { packKey } from '#vision/packs/pack.ts';
import { chipPlace, photoPlace, vectorPlace } from '../photos/enrolment.ts';
import { changedChannel } from '../erasing/erasing-store.ts';
import type { Identities } from '../identities.ts';
import { negativePlace } from '../negatives.ts';
import type { PersonStore } from '../person-store.ts';
import type { PhotoDoubts } from '../photos/photo-doubts.ts';
import { ReembeddingStore, type Packs, type SealedChip, type Sealer } from './reembedding-store.ts';
import { StrangerStore } from '../strangers/stranger-store.ts';
import { referencePlace } from '../strangers/strangers.ts';

export type { Packs } from './reembedding-store.ts';

/** The crop of a face as a pack made it. */
export interface Chip {
  readonly jpeg: Buffer;
  /** That pack, as `id@version`. */
  readonly cutBy: string;
}

/** A row that has no vector of a pack yet. */
export interface Waiting {
  readonly id: string;
  readonly identityId: string;
  /** The row's version, to see whether it changed since. */
  readonly version: string;
  /** Null: it cannot be opened. */
  readonly chip: Chip | null;
}

/** Null: the pack finds no face. */
export type Reembedded<Row = Waiting> = Row & { readonly vector: Float32Array | null };

/** A table in which chips are stored. */
export interface ChipSource<Row extends Waiting = Waiting> {
  count(pack: string): Promise<PackCounts>;
  /**
   * Returns the rows that a pack was not tried on, the most important first. `below`: only smaller ids, so that
   * finished rows are not walked over each time; a caller that finds nothing any more begins again without it.
   */
  waiting(pack: string, limit: number, below: string | null): Promise<Row[]>;
  /** Returns the photo that the chip of a row was cropped from, where it is stored. */
  photo(row: Row): Promise<Buffer | null>;
  /** Crops the face of a row again whose chip is not usable; null: there is nothing else. */
  recrop(row: Row): Promise<Chip | null>;
  /** Returns how many rows it stored; rows that changed since they were read are left for the next time. */
  keep(tx: Tx, packs: Packs, reembedded: readonly Reembedded<Row>[]): Promise<number>;
  /** Drops vectors of other packs than these where there is one of `serving`; at most `limit` rows. */
  tidy(
    tx: Tx,
    packs: { readonly serving: string; readonly packs: readonly string[] },
    limit: number,
  ): Promise<number>;
}

/** What would become unusable with a pack. */
export interface Losses {
  readonly photos: number;
  /** The people who would be left without a usable photo, in the order of their names. */
  readonly people: { readonly id: string; readonly name: string }[];
}

/** `limit` bounds the list of people. */
export async function photoLosses(db: Database, pack: string, limit: number): Promise<Losses> {
  const store = new ReembeddingStore(db);
  return { photos: await store.countLosses(pack), people: await store.losers(pack, limit) };
}

export interface PhotoChipsOptions {
  readonly db: Database;
  readonly store: ReembeddingStore;
  readonly persons: Pick<PersonStore, 'photoOf'>;
  readonly identities: Pick<Identities, 'keyOf' | 'openKey'>;
  readonly vision: Pick<Vision, 'readPhoto' | 'embed'>;
  readonly doubts: Pick<PhotoDoubts, 'referencesOfPhoto'>;
  readonly log: Log;
}

interface WaitingPhoto extends Waiting {
  readonly imageId: string;
}

export class PhotoChips implements ChipSource<WaitingPhoto> {
  readonly #options: PhotoChipsOptions;
  readonly #strangers = new StrangerStore();

  constructor(options: PhotoChipsOptions) {
    this.#options = options;
  }

  count(pack: string): Promise<PackCounts> {
    return this.#options.store.count(pack);
  }

  async waiting(pack: string, limit: number, below: string | null): Promise<WaitingPhoto[]> {
    const rows = await this.#options.store.chips(pack, limit, below);
    return rows.map((row) => ({
      id: row.id,
      identityId: row.identity_id,
      imageId: row.image_id,
      version: row.version,
      chip: this.#open(row),
    }));
  }

  async photo({ identityId, imageId }: WaitingPhoto): Promise<Buffer | null> {
    const { persons, identities } = this.#options;
    const sealed = await persons.photoOf(imageId);
    if (!sealed) return null;
    try {
      return (await identities.keyOf(identityId)).open(sealed, photoPlace(imageId, 'photo'));
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  /** Checks the stored photo with the pack in use, which may crop better the face that it finds there. */
  async recrop(row: WaitingPhoto): Promise<Chip | null> {
    const { vision, doubts } = this.#options;
    const photo = await this.photo(row);
    if (!photo) return null;
    try {
      const references = await doubts.referencesOfPhoto(row.imageId);
      const wanted = { purpose: 'enrol', account: ownWork, references } as const;
      const { face } = await vision.readPhoto(photo, wanted);
      if (!face) return null;
      const { pack, jpegs } = await vision.embed(face.chip, 1, face.view.pack);
      return { jpeg: jpegs[0]!, cutBy: packKey(pack) };
    } catch (error) {
      // Any problem but "not now" says what is wrong with the photo.
      if (!(error instanceof Problem) || isOfNow(error)) throw error;
      return null;
    }
  }

  async keep(
    tx: Tx,
    packs: Packs,
    reembedded: readonly Reembedded<WaitingPhoto>[],
  ): Promise<number> {
    const kept: string[] = [];
    for (const row of reembedded) {
      const vector = await this.#sealed(row, vectorPlace(row.id));
      const isKept = await this.#options.store.keepPhoto(tx, row, packs, vector);
      if (isKept) kept.push(row.identityId);
    }
    await this.#announce(tx, packs, kept);
    return kept.length;
  }

  async tidy(tx: Tx, packs: Parameters<ChipSource['tidy']>[1], limit: number): Promise<number> {
    await this.#strangers.lock(tx);
    return this.#options.store.tidy(tx, packs, limit);
  }

  /** Returns visits whose picture is a reference of a stranger or a negative, without a vector of this pack. */
  visitsWaiting(pack: string, limit: number): Promise<string[]> {
    return this.#options.store.visits(pack, limit);
  }

  /** Called under the lock of strangers: stores these vectors with what faces keeps of these visits. */
  async keepOfVisits(
    tx: Tx,
    packs: Packs,
    reembedded: readonly Pick<Reembedded, 'id' | 'vector'>[],
  ): Promise<void> {
    const { store } = this.#options;
    const vectors = new Map(reembedded.map(({ id, vector }) => [id, vector]));
    const visitIds = [...vectors.keys()];
    const sealers = await store.sealers(tx, visitIds);
    for (const sealer of sealers) {
      await this.#keepOfVisit(tx, packs, sealer, vectors.get(sealer.visit_id)!);
    }
    const strangers = sealers.filter(({ kind }) => kind === 'reference');
    await this.#strangers.touch(tx, [...new Set(strangers.map((row) => row.identity_id))]);
    await this.#announce(tx, packs, await store.ruledOutBy(tx, visitIds));
  }

  /** Called in the transaction that is to put `pack` in use: false when it was not tried on every photo. */
  async isComplete(tx: Tx, pack: string): Promise<boolean> {
    return (await this.#options.store.lockPhotos(tx, pack)) === 0;
  }

  countLosses(tx: Tx, pack: string): Promise<number> {
    return this.#options.store.countLosses(pack, tx);
  }

  /** From now on `pack` is in use: photos that it cannot read say so, and so do those that are usable again. */
  async serve(tx: Tx, pack: string): Promise<void> {
    const { db, store } = this.#options;
    for (const id of await store.setFaults(tx, pack)) await db.notify(tx, changedChannel, id);
  }

  async #keepOfVisit(
    tx: Tx,
    packs: Packs,
    sealer: Sealer,
    vector: Float32Array | null,
  ): Promise<void> {
    const { kind, visit_id, identity_id: identityId } = sealer;
    const place = kind === 'reference' ? referencePlace(visit_id) : negativePlace(visit_id);
    const sealed = await this.#sealed({ identityId, vector }, place);
    await this.#options.store.keepOfVisit(tx, sealer, packs, sealed);
  }

  /** Nodes read the vectors of a pack before they put it in use; later vectors are announced to them. */
  async #announce(tx: Tx, { pack, serving }: Packs, identityIds: readonly string[]): Promise<void> {
    if (pack !== serving) return;
    for (const id of new Set(identityIds)) await this.#options.db.notify(tx, changedChannel, id);
  }

  /** Null after erasure, too: nothing new is stored of them. */
  async #sealed(
    { identityId, vector }: Pick<Reembedded, 'identityId' | 'vector'>,
    place: string,
  ): Promise<Buffer | null> {
    if (vector === null) return null;
    try {
      const key = await this.#options.identities.keyOf(identityId);
      return key.seal(vectorBytes(vector), place);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  /** Null: the row was changed outside the product. */
  #open(row: SealedChip): Chip | null {
    try {
      const key = this.#options.identities.openKey(row.identity_id, row.data_key);
      return { jpeg: key.open(row.chip, chipPlace(row.id)), cutBy: row.cut_by };
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.#options.log.error({ err: error, embedding: row.id }, 'chip cannot be opened');
      return null;
    }
  }
}
