/**
 * Photos that are kept, looked at anew: by better models, or by a gate that has changed since. Never to
 * somebody's loss: a photo that serves goes on serving as it does when the new look finds nothing.
 */
import type { PictureFault } from '@nazar/contract/problem.ts';
import type { Activity } from '#activity/activity.ts';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import type { Vision } from '#vision/vision.ts';
import { keepEmbedding, photoPlace, readPhoto, type Shelves } from './enrolment.ts';
import { changedChannel } from './erasing-store.ts';
import type { Identities } from './identities.ts';

export interface ReprocessingOptions extends Shelves {
  readonly db: Database;
  readonly activity: Activity;
  readonly vision: Vision;
  readonly keys: Pick<Identities, 'keyOf'>;
}

export class Reprocessing {
  readonly #options: ReprocessingOptions;

  constructor(options: ReprocessingOptions) {
    this.#options = options;
  }

  /**
   * All photos of a person, or some. The caller has made sure that they may, and reloads the person. Throws
   * image_not_found, and image_unusable when not one photo of theirs serves afterwards.
   */
  async run(scope: Scope, personId: string, only: readonly string[] | null): Promise<void> {
    const { persons, activity } = this.#options;
    const known = await persons.images([personId]);
    const wanted = known.filter(({ id }) => only === null || only.includes(id));
    if (only?.some((id) => !wanted.some((image) => image.id === id))) {
      throw new Problem('image_not_found');
    }
    // One after another: each may take a whole image process.
    for (const { id } of wanted) await this.#process(personId, id);
    const now = await persons.images([personId]);
    const object = { type: 'face', id: personId } as const;
    const details = { images: wanted.length };
    await activity.recordAlone({ actor: scope, action: 'face.processed', object, details });
    if (now.some(({ fault }) => fault === null)) return;
    throw new Problem('image_unusable', { fault: now[0]?.fault ?? noPhoto });
  }

  async #process(personId: string, imageId: string): Promise<void> {
    const { db, persons, identities, keys, vision } = this.#options;
    const kept = await persons.image(personId, imageId, 'photo');
    if (!kept) return; // removed meanwhile
    const key = await keys.keyOf(kept.identityId);
    const { fault, embedding } = await readPhoto(
      vision,
      key.open(kept.sealed, photoPlace(imageId, 'photo')),
    );
    await db.transaction(async (tx) => {
      const before = await persons.lockImage(tx, imageId);
      if (!before || (before.fault === null && embedding === null)) return;
      await persons.setFault(tx, imageId, fault);
      await identities.removeEmbeddingOf(tx, imageId);
      if (!embedding) return;
      await keepEmbedding(tx, this.#options, imageId, { id: kept.identityId, key }, embedding);
      await db.notify(tx, changedChannel, kept.identityId);
    });
  }
}

/** Of somebody without any photo. */
const noPhoto: PictureFault = 'no_face';
