/**
 * Checks stored photos again: with better models, when the gate has changed, or because they were stored before photos
 * were turned upright. No person loses by it: a usable photo that is upright stays as it is when the new check finds
 * nothing. One that is not upright is turned in any case: recognition could match no one by it.
 */
import type { PictureFault } from '@nazar/contract/problem.ts';
import { systemActor, type Activity } from '#activity/activity.ts';
import type { Database, Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Log } from '#lib/log.ts';
import { ownWork } from '#lib/limits/turns.ts';
import { isOfNow, Problem } from '#lib/problem.ts';
import { SealBroken } from '#lib/secrets.ts';
import type { Vision } from '#vision/vision.ts';
import { packKey } from '#vision/packs/pack.ts';
import {
  keepEmbedding,
  photoPlace,
  readPhoto,
  type PhotoStores,
  type ReadPhoto,
} from './enrolment.ts';
import { changedChannel } from '../erasing/erasing-store.ts';
import type { Identities, Identity } from '../identities.ts';
import type { PhotoDoubts } from './photo-doubts.ts';

export interface ReprocessingOptions extends PhotoStores {
  readonly db: Database;
  readonly activity: Activity;
  readonly vision: Vision;
  readonly keys: Pick<Identities, 'keyOf'>;
  readonly doubts: Pick<PhotoDoubts, 'referencesOf'>;
  readonly log: Log;
}

/** A photo of a person, and the face on it that a user chose, if they did. */
export interface ChosenImage {
  readonly id: string;
  readonly faceIndex?: number | null;
}

/** How many photos are rechecked at a time in the background: some seconds of work. */
const batch = 8;

export class Reprocessing {
  readonly #options: ReprocessingOptions;

  constructor(options: ReprocessingOptions) {
    this.#options = options;
  }

  /**
   * Checks all photos of a person, or some. The caller has made sure that they may, and reloads the person. Throws
   * image_not_found, and image_unusable when no photo of theirs is usable afterwards.
   */
  async run(scope: Scope, personId: string, only: readonly ChosenImage[] | null): Promise<void> {
    const { persons, activity } = this.#options;
    const known = await persons.images([personId]);
    const wanted: readonly ChosenImage[] = only ?? known;
    if (wanted.some(({ id }) => !known.some((image) => image.id === id))) {
      throw new Problem('image_not_found');
    }
    // One after another: each may take a whole image process.
    const { userId: account } = scope;
    for (const image of wanted) await this.check(personId, image, { account });
    const now = await persons.images([personId]);
    const object = { type: 'face', id: personId } as const;
    const details = { images: wanted.length };
    await activity.recordAlone({ actor: scope, action: 'face.processed', object, details });
    if (now.some(({ fault }) => fault === null)) return;
    throw new Problem('image_unusable', { fault: now[0]?.fault ?? noPhoto });
  }

  /**
   * Checks one photo with the pack in use. True: recognition uses it from now on, and did not before, or not upright.
   * `onlyTurns`: the vector of a usable photo that stands upright is kept.
   */
  async check(
    personId: string,
    { id: imageId, faceIndex = null }: ChosenImage,
    { account, onlyTurns = false }: { readonly account: string; readonly onlyTurns?: boolean },
  ): Promise<boolean> {
    const { db, persons, keys, doubts, vision } = this.#options;
    const kept = await persons.image(personId, imageId, 'photo');
    if (!kept) return false; // removed meanwhile
    const key = await keys.keyOf(kept.identityId);
    const pack = packKey(vision.pack);
    const bytes = key.open(kept.sealed, photoPlace(imageId, 'photo'));
    const references = await doubts.referencesOf(personId, imageId);
    const read = await readPhoto(vision, { bytes, faceIndex }, { account, references });
    return db.transaction(async (tx) => {
      if ((await persons.lock(tx, personId)) === null) return false;
      const before = await persons.lockImage(tx, imageId);
      if (!before) return false;
      const isWell = before.fault === null && !read.isTurned;
      if (isWell && (onlyTurns || read.embedding === null)) {
        await persons.setTurnChecked(tx, imageId);
        return false;
      }
      await persons.setCheckedBy(tx, imageId, pack);
      await this.#replace(tx, { id: kept.identityId, key }, imageId, read);
      if (read.embedding === null && !read.isTurned) return false;
      if (!isWell) await persons.photosChanged(tx, personId);
      await db.notify(tx, changedChannel, kept.identityId);
      return !isWell && read.embedding !== null;
    });
  }

  /** Stores what a check found. */
  async #replace(tx: Tx, identity: Identity, imageId: string, read: ReadPhoto): Promise<void> {
    const { persons, identities } = this.#options;
    const { photo, thumbnail, fault, embedding } = read;
    if (read.isTurned) {
      await persons.setPixels(tx, imageId, {
        photo: identity.key.seal(photo, photoPlace(imageId, 'photo')),
        thumbnail: identity.key.seal(thumbnail, photoPlace(imageId, 'thumbnail')),
      });
    }
    await persons.setFault(tx, imageId, fault);
    await identities.removeEmbeddingOf(tx, imageId);
    if (embedding) await keepEmbedding(tx, this.#options, imageId, identity, embedding);
  }

  /**
   * Checks some unusable photos that another pack refused with the pack in use, and some that were not checked in all
   * four rotations. Returns the people whose photos became usable or upright, each once; null: none is left.
   */
  async recheck(): Promise<string[] | null> {
    const { db, persons, vision, activity, log } = this.#options;
    const pack = packKey(vision.pack);
    const waiting = await persons.toRecheck(pack, batch);
    if (waiting.length === 0) return null;
    const serving: string[] = [];
    for (const { id, person_id: personId } of waiting) {
      try {
        const only = { account: ownWork, onlyTurns: true };
        if (!(await this.check(personId, { id }, only))) continue;
        serving.push(personId);
        const object = { type: 'face', id: personId } as const;
        const of = { actor: systemActor, action: 'face.processed', object } as const;
        await activity.recordAlone({ ...of, details: { images: 1 } });
      } catch (error) {
        if (isOfNow(error)) throw error;
        if (!(error instanceof Problem) && !(error instanceof SealBroken)) throw error;
        log.warn({ err: error, image: id }, 'a photo could not be rechecked');
        await db.transaction((tx) => persons.setCheckedBy(tx, id, pack));
      }
    }
    return [...new Set(serving)];
  }
}

/** The fault of a person without any photo. */
const noPhoto: PictureFault = 'no_face';
