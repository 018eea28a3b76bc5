/**
 * Photos of people: adding, checking again, showing and removing them. The users who may change a person may change
 * their photos.
 */
import type { Face } from '@nazar/contract/faces.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import type { Database, Tx } from '#db/database.ts';
import type { Action, Activity, Details } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import type { References, Vision } from '#vision/vision.ts';
import type { PackKey } from '#vision/packs/pack.ts';
import {
  keepPhoto,
  maxImages,
  photoPlace,
  readPhoto,
  type Embedding,
  type ReadingFor,
  type ReadPhoto,
  type PhotoStores,
  type SentPhoto,
} from './enrolment.ts';
import { changedChannel } from '../erasing/erasing-store.ts';
import type { PhotoOwners } from '../people.ts';
import type { Identities, Identity } from '../identities.ts';
import type { IdentityStore } from '../identity-store.ts';
import type { PersonStore } from '../person-store.ts';
import type { PhotoDoubts } from './photo-doubts.ts';
import type { Quotas } from './quotas.ts';
import { isOfPhoto, isSome, noneLeft, type RefusedPhoto } from './refused-photos.ts';
import { Reprocessing, type ChosenImage } from './reprocessing.ts';

/** A person to whom photos were added, and the files that were refused. */
export interface Enrolled extends Face {
  readonly refused: readonly RefusedPhoto[];
}

export interface CheckedPhotos {
  /** In the order in which they were sent. */
  readonly photos: readonly ReadPhoto[];
  readonly refused: readonly RefusedPhoto[];
}

export interface PhotosOptions {
  /** The people whose photos they are. */
  readonly people: PhotoOwners;
  readonly quotas: Quotas;
  readonly db: Database;
  readonly activity: Activity;
  readonly vision: Vision;
  readonly persons: PersonStore;
  readonly identityStore: IdentityStore;
  readonly identities: Identities;
  readonly doubts: PhotoDoubts;
  readonly clock: Clock;
  readonly log: Log;
}

export class Photos {
  readonly #options: PhotosOptions;
  readonly #stores: PhotoStores;
  readonly #reprocessing: Reprocessing;

  constructor(options: PhotosOptions) {
    this.#options = options;
    const { db, activity, vision, persons, identityStore, identities, clock, log } = options;
    this.#stores = { persons, identities: identityStore, clock };
    this.#reprocessing = new Reprocessing({
      ...this.#stores,
      db,
      activity,
      vision,
      keys: identities,
      doubts: options.doubts,
      log,
    });
  }

  /**
   * A file that is no photo is answered with its reason, and the others are kept. Throws image_required,
   * images_too_many, the refusals of quotas, and those of photos when none is left.
   */
  async add(scope: Scope, id: string, files: readonly SentPhoto[]): Promise<Enrolled> {
    const { people, persons, quotas, doubts, db } = this.#options;
    await people.mustOwn(scope, id, 'face_update_forbidden');
    if (files.length === 0) throw new Problem('image_required', { field: 'uploaded_images' });
    // Before the work it is only known that one is added; the number is known once no other caller can add any.
    mustFit((await persons.images([id])).length, 1);
    await quotas.foresee(scope, 0, 1);
    const { photos, refused } = await this.check(scope, files, await doubts.referencesOf(id));
    if (photos.length === 0 && isSome(refused)) throw noneLeft(refused);
    await db.transaction(async (tx) => {
      const kept = await persons.lock(tx, id);
      if (kept === null) throw new Problem('face_not_found');
      mustFit(kept, photos.length);
      await quotas.ensure(tx, scope, 0, photos);
      await this.keep(tx, id, photos);
      await this.#record(tx, scope, 'face.images_added', id, { images: photos.length });
    });
    await people.reloadPerson(id);
    const face = await people.read(scope, id);
    people.warnOfMatches(id, face.created_by ?? scope.userId);
    return { ...face, refused };
  }

  /**
   * Checks all photos of a person again, or some. Throws face_not_found, face_update_forbidden, image_not_found,
   * face_index_unknown, and image_unusable when none is usable.
   */
  async reprocess(scope: Scope, id: string, images: readonly ChosenImage[] | null): Promise<void> {
    const { people } = this.#options;
    await people.mustOwn(scope, id, 'face_update_forbidden');
    try {
      await this.#reprocessing.run(scope, id, images);
    } finally {
      await people.reloadPerson(id);
    }
  }

  /**
   * Checks some photos that another pack refused with the one in use, and then compares the photos of some people by
   * it; false when nothing is left. Throws `unavailable`.
   */
  async recheck(): Promise<boolean> {
    const people = await this.#reprocessing.recheck();
    for (const id of people ?? []) await this.#options.people.reloadPerson(id);
    return people !== null || this.#options.doubts.compareSome();
  }

  /** Uses a photo again that was set aside. Throws face_not_found, face_update_forbidden, image_not_found. */
  async useAgain(scope: Scope, id: string, imageId: string): Promise<Face> {
    const { people, doubts } = this.#options;
    await people.mustOwn(scope, id, 'face_update_forbidden');
    await doubts.useAgain(scope, id, imageId);
    return people.read(scope, id);
  }

  /** Throws image_not_found. */
  async remove(scope: Scope, id: string, imageId: string): Promise<Face> {
    const { people, persons, db } = this.#options;
    await people.mustOwn(scope, id, 'face_update_forbidden');
    await db.transaction(async (tx) => {
      const removed = await persons.removeImage(tx, id, imageId);
      if (!removed) throw new Problem('image_not_found');
      await this.#record(tx, scope, 'face.image_deleted', id, { image: imageId });
      await people.announce(tx, id);
    });
    await people.reloadPerson(id);
    return people.read(scope, id);
  }

  /** Returns a JPEG or, of thumbnails that are kept today, a WebP. Throws face_not_found, image_not_found. */
  async read(scope: Scope, id: string, imageId: string, size: 'full' | 'thumb'): Promise<Buffer> {
    const { persons, identities } = this.#options;
    if (!(await persons.find(scope, id))) throw new Problem('face_not_found');
    const column = size === 'full' ? 'photo' : 'thumbnail';
    const found = await persons.image(id, imageId, column);
    if (!found) throw new Problem('image_not_found');
    const key = await identities.keyOf(found.identityId);
    return key.open(found.sealed, photoPlace(imageId, column));
  }

  /** Returns what distinguishes a person from others on a photo; null: nothing is known of them. */
  referencesOf(id: string): Promise<References | null> {
    return this.#options.doubts.referencesOf(id);
  }

  /**
   * Finds the faces on them without storing anything. They are to show one person: where it is unclear who is meant on
   * one of them, `references` and the others decide. Throws busy and unavailable.
   */
  async check(
    { userId: account }: Scope,
    files: readonly SentPhoto[],
    references: References | null = null,
  ): Promise<CheckedPhotos> {
    const photos = new Map<SentPhoto, ReadPhoto>();
    const refused: RefusedPhoto[] = [];
    // One after another: each may take a whole image process.
    for (const [index, file] of files.entries()) {
      const read = await this.#readOrRefused(file, { account, references });
      if (read instanceof Problem) refused.push({ index, name: file.name ?? '', why: read });
      else photos.set(file, read);
    }
    const together = joined(references, [...photos.values()]);
    for (const [file, { fault }] of photos) {
      if (fault !== 'several_faces' || together === references) continue;
      const read = await this.#readOrRefused(file, { account, references: together });
      if (!(read instanceof Problem)) photos.set(file, read);
    }
    return { photos: [...photos.values()], refused };
  }

  #readOrRefused(
    file: SentPhoto,
    readingFor: ReadingFor,
  ): Promise<ReadPhoto | RefusedPhoto['why']> {
    return readPhoto(this.#options.vision, file, readingFor).catch((error: unknown) => {
      if (isOfPhoto(error)) return error;
      throw error;
    });
  }

  /** Stores checked photos in the caller's transaction; every node learns of them when it commits. */
  async keep(tx: Tx, personId: string, photos: readonly ReadPhoto[]): Promise<void> {
    const identity = await this.#ownIdentity(tx, personId);
    for (const photo of photos) await keepPhoto(tx, this.#stores, personId, identity, photo);
    await this.#options.db.notify(tx, changedChannel, identity.id);
  }

  /** The identity of the photos that users uploaded of a person. */
  async #ownIdentity(tx: Tx, personId: string): Promise<Identity> {
    const { identities, identityStore } = this.#options;
    const own = await identityStore.ownIdentity(tx, personId);
    if (own) return { id: own, key: await identities.keyOf(own) };
    return identities.create(tx, personId);
  }

  #record(tx: Tx, actor: Scope, action: Action, id: string, details: Details): Promise<void> {
    const object = { type: 'face', id } as const;
    return this.#options.activity.record(tx, { actor, action, object, details });
  }
}

function mustFit(kept: number, added: number): void {
  if (kept + added > maxImages) throw new Problem('images_too_many', { max: maxImages });
}

/** What is known of a person by earlier photos and by these. */
function joined(references: References | null, photos: readonly ReadPhoto[]): References | null {
  const [first, ...others] = photos.flatMap(({ embedding }) => embedding ?? []);
  if (!first) return references;
  const pack = keyOf(first);
  const own = [first, ...others].filter((one) => keyOf(one) === pack).map(({ vector }) => vector);
  const earlier = references?.pack === pack ? references.vectors : [];
  return { pack, vectors: [...earlier, ...own] };
}

const keyOf = ({ packId, packVersion }: Embedding): PackKey => `${packId}@${packVersion}`;
