/**
 * Checks stored photos again: with better models, or when the gate has changed. Nobody loses by it: a usable photo
 * stays as it is when the new check finds nothing.
 */
import type { PictureFault } from '@nazar/contract/problem.ts';
import { systemActor, type Activity } from '#activity/activity.ts';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { SealBroken } from '#lib/secrets.ts';
import { packKey, type Vision } from '#vision/vision.ts';
import { keepEmbedding, photoPlace, readPhoto, type PhotoStores } from './enrolment.ts';
import { changedChannel } from '../erasing/erasing-store.ts';
import type { Identities } from '../identities.ts';

export interface ReprocessingOptions extends PhotoStores {
  readonly db: Database;
  readonly activity: Activity;
  readonly vision: Vision;
  readonly keys: Pick<Identities, 'keyOf'>;
  readonly log: Log;
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
  async run(scope: Scope, personId: string, only: readonly string[] | null): Promise<void> {
    const { persons, activity } = this.#options;
    const known = await persons.images([personId]);
    const wanted = known.filter(({ id }) => only === null || only.includes(id));
    if (only?.some((id) => !wanted.some((image) => image.id === id))) {
      throw new Problem('image_not_found');
    }
    // One after another: each may take a whole image process.
    for (const { id } of wanted) await this.check(personId, id);
    const now = await persons.images([personId]);
    const object = { type: 'face', id: personId } as const;
    const details = { images: wanted.length };
    await activity.recordAlone({ actor: scope, action: 'face.processed', object, details });
    if (now.some(({ fault }) => fault === null)) return;
    throw new Problem('image_unusable', { fault: now[0]?.fault ?? noPhoto });
  }

  /** Checks one photo with the pack in use. True: it is usable from now on, and was not before. */
  async check(personId: string, imageId: string): Promise<boolean> {
    const { db, persons, identities, keys, vision } = this.#options;
    const kept = await persons.image(personId, imageId, 'photo');
    if (!kept) return false; // removed meanwhile
    const key = await keys.keyOf(kept.identityId);
    const pack = packKey(vision.pack);
    const { fault, embedding } = await readPhoto(
      vision,
      key.open(kept.sealed, photoPlace(imageId, 'photo')),
    );
    return db.transaction(async (tx) => {
      if ((await persons.lock(tx, personId)) === null) return false;
      const before = await persons.lockImage(tx, imageId);
      if (!before || (before.fault === null && embedding === null)) return false;
      await persons.setFault(tx, imageId, fault);
      await persons.setCheckedBy(tx, imageId, pack);
      await identities.removeEmbeddingOf(tx, imageId);
      if (!embedding) return false;
      await keepEmbedding(tx, this.#options, imageId, { id: kept.identityId, key }, embedding);
      if (before.fault !== null) await persons.photosChanged(tx, personId);
      await db.notify(tx, changedChannel, kept.identityId);
      return before.fault !== null;
    });
  }

  /**
   * Checks some unusable photos that another pack refused with the pack in use. Returns the people whose photos
   * became usable, each once; null: none is left.
   */
  async recheck(): Promise<string[] | null> {
    const { db, persons, vision, activity, log } = this.#options;
    const pack = packKey(vision.pack);
    const waiting = await persons.toRecheck(pack, batch);
    if (waiting.length === 0) return null;
    const serving: string[] = [];
    for (const { id, person_id: personId } of waiting) {
      try {
        if (!(await this.check(personId, id))) continue;
        serving.push(personId);
        const object = { type: 'face', id: personId } as const;
        const of = { actor: systemActor, action: 'face.processed', object } as const;
        await activity.recordAlone({ ...of, details: { images: 1 } });
      } catch (error) {
        if (error instanceof Problem && error.code === 'unavailable') throw error;
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
