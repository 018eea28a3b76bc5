/**
 * Photos that may not show their person are found and set aside, whenever the photos of a person change and after a
 * change of models. Nothing is deleted: a photo set aside takes no part in recognition until a user says that it is
 * right, or the photos change.
 *
 * Anyone with an account may enrol people, so a photo is compared only with people of the same account, and one that
 * an administrator enrolled with those of all administrators: no other entries set it aside, or are shown.
 */
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { SealBroken } from '#lib/secrets.ts';
import type { Database, Tx } from '#db/database.ts';
import { systemActor, type Activity } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import type { References } from '#vision/vision.ts';
import type { Calibration, PackKey } from '#vision/packs/pack.ts';
import type { Enrollers } from '../enrolment-rights.ts';
import { changedChannel } from '../erasing/erasing-store.ts';
import type { Known } from '../gallery/known.ts';
import { openVectors } from '../gallery/pack-vectors.ts';
import type { Identities } from '../identities.ts';
import type { KnownPerson } from '../newcomer.ts';
import type { ComparedPerson, ComparedPhoto, DoubtColumns, DoubtStore } from './doubt-store.ts';
import { doubtLimits, doubtsOf, type Doubt, type OtherPerson, type PhotoVector } from './doubts.ts';
import { vectorPlace } from './enrolment.ts';

export interface PhotoDoubtsOptions {
  readonly db: Database;
  readonly store: DoubtStore;
  readonly activity: Activity;
  readonly identities: Pick<Identities, 'openKey'>;
  readonly known: Pick<Known, 'nearest' | 'peopleBy' | 'reload' | 'changed'>;
  readonly enrollers: Pick<Enrollers, 'tierOf'>;
  /** The pack in use, as `id@version`, and what its distances mean; null: it is not installed. */
  readonly inUse: () => { readonly pack: PackKey; readonly calibration: Calibration } | null;
  readonly log: Log;
}

interface Compared {
  /** The identities of which recognition may not know the references as they are now. */
  readonly outdated: readonly string[];
  /** Photos of others are to be compared again. */
  readonly reaches: boolean;
}

const nothing: Compared = { outdated: [], reaches: false };
/** How many people a photo may be near to; more look alike only where a person was entered many times. */
const maxNear = 8;
/** People read at a time in the background. */
const batch = 32;

export class PhotoDoubts implements Disposable {
  readonly #options: PhotoDoubtsOptions;
  readonly #listening: Disposable;
  #isOver = false;
  #isWanted = false;
  #running = false;
  /** The end of the queue of people to compare. */
  #lastCompared: Promise<unknown> = Promise.resolve();

  constructor(options: PhotoDoubtsOptions) {
    this.#options = options;
    this.#listening = options.known.changed.on(() => void this.#work());
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#listening[Symbol.dispose]();
  }

  /**
   * Compares the photos of a person, if they changed or were not compared by the pack in use. One person after
   * another: what another call on this node has just stored, its recognition knows when this one resolves.
   */
  compare(personId: string): Promise<void> {
    const compared = this.#lastCompared.then(() => this.#compareNow(personId));
    this.#lastCompared = compared.catch(() => undefined);
    return compared;
  }

  async #compareNow(personId: string): Promise<void> {
    const inUse = this.#options.inUse();
    if (!inUse) return;
    const { db, store, known } = this.#options;
    const { outdated, reaches } = await db.transaction(async (tx) => {
      const person = await store.lock(tx, personId);
      const isDone = person?.comparison === 'done' && person.compared_by === inUse.pack;
      if (!person || isDone) return nothing;
      return this.#compare(tx, personId, person, inUse);
    });
    await known.reload(outdated);
    if (reaches) void this.#work();
  }

  /** Compares some people whose photos the pack in use did not compare; false: there are none. */
  async compareSome(): Promise<boolean> {
    const inUse = this.#options.inUse();
    if (!inUse) return false;
    const ids = await this.#options.store.notComparedBy(inUse.pack, batch);
    for (const id of ids) await this.compare(id);
    return ids.length > 0;
  }

  /**
   * A user who may change the person says that a photo shows them. Throws image_not_found. A photo that is not in
   * doubt is left as it is.
   */
  async useAgain(scope: Scope, personId: string, imageId: string): Promise<void> {
    const { db, store, activity, known } = this.#options;
    const changed = await db.transaction(async (tx) => {
      await store.lock(tx, personId);
      const image = await store.find(tx, personId, imageId);
      if (!image) throw new Problem('image_not_found');
      if (image.doubt === null) return [];
      await store.keep(tx, imageId);
      const object = { type: 'face', id: personId } as const;
      const details = { image: imageId, reason: image.doubt };
      await activity.record(tx, { actor: scope, action: 'face.image_used_again', object, details });
      await db.notify(tx, changedChannel, image.identity_id);
      return [image.identity_id];
    });
    await known.reload(changed);
  }

  /**
   * Returns what distinguishes a person from others on a photo: the vectors of their photos that are not set aside, by
   * the pack in use. `image`: a photo of theirs that is read again, which is used only if there is no other photo.
   */
  async referencesOf(personId: string, image?: string): Promise<References | null> {
    const inUse = this.#options.inUse();
    if (!inUse) return null;
    const { db, store } = this.#options;
    const photos = await db.transaction((tx) => store.photos(tx, [personId]));
    const used = this.#vectorsOf(
      photos.filter((photo) => !photo.is_aside),
      inUse.pack,
    );
    const others = used.filter(({ imageId }) => imageId !== image);
    const telling = others.length > 0 ? others : used;
    return { pack: inUse.pack, vectors: telling.map(({ vector }) => vector) };
  }

  /** The same of a photo alone, whose face is known. */
  async referencesOfPhoto(imageId: string): Promise<References | null> {
    const inUse = this.#options.inUse();
    if (!inUse) return null;
    const { db, store } = this.#options;
    const photos = await db.transaction((tx) => store.photo(tx, imageId));
    const vectors = this.#vectorsOf(photos, inUse.pack).map(({ vector }) => vector);
    return { pack: inUse.pack, vectors };
  }

  async #compare(
    tx: Tx,
    personId: string,
    person: ComparedPerson,
    { pack, calibration }: { readonly pack: PackKey; readonly calibration: Calibration },
  ): Promise<Compared> {
    const { db, store } = this.#options;
    const photos = await store.photos(tx, [personId]);
    const vectors = this.#vectorsOf(photos, pack);
    const { people, isAmong } = this.#comparable(personId, person.created_by);
    const limits = doubtLimits(calibration, people);
    const near = this.#near(vectors, pack, limits.fits, isAmong);
    const theirs = Map.groupBy(await store.photos(tx, near), ({ person_id }) => person_id);
    const others = [...theirs].map(([id, rows]): OtherPerson => {
      return { personId: id, photos: this.#vectorsOf(rows, pack) };
    });
    const doubts = doubtsOf(vectors, others, limits);
    const changed: string[] = [];
    for (const photo of photos) {
      const isChanged = await this.#set(tx, photo, doubts.get(photo.image_id));
      if (isChanged) changed.push(photo.identity_id);
    }
    await store.clear(
      tx,
      personId,
      photos.map(({ image_id }) => image_id),
    );
    const reaches =
      person.comparison === 'photos' && (await store.compareAgain(tx, personId, near));
    await store.setCompared(tx, personId, pack);
    for (const id of new Set(changed)) await db.notify(tx, changedChannel, id);
    // The next to be compared are those it reaches, among whom recognition knows: by then it must know this person.
    const own = reaches ? photos.map(({ identity_id }) => identity_id) : [];
    return { outdated: [...new Set([...changed, ...own])], reaches };
  }

  /** Stores what is known of a photo; false: it was known. */
  async #set(tx: Tx, photo: ComparedPhoto, doubt: Doubt | undefined): Promise<boolean> {
    const { store, activity } = this.#options;
    const now: DoubtColumns = {
      doubt: doubt?.reason ?? null,
      doubt_person: doubt?.fits ?? null,
      is_aside: doubt?.isAside ?? false,
    };
    const isKnown =
      now.doubt === photo.doubt &&
      now.doubt_person === photo.doubt_person &&
      now.is_aside === photo.is_aside;
    if (isKnown) return false;
    await store.setDoubt(tx, photo.image_id, now);
    if (now.is_aside === photo.is_aside) return true;
    await activity.record(tx, {
      actor: systemActor,
      action: now.is_aside ? 'face.image_set_aside' : 'face.image_used_again',
      object: { type: 'face', id: photo.person_id },
      details: { image: photo.image_id, reason: now.doubt ?? photo.doubt },
    });
    return true;
  }

  /** People whom the photos of this account's people are compared with, and how many they are. */
  #comparable(personId: string, account: string | null) {
    const { known, enrollers } = this.#options;
    const isAdministrators = enrollers.tierOf(account) === 0;
    const isAccount = (other: string | null): boolean =>
      (account !== null && other === account) ||
      (isAdministrators && enrollers.tierOf(other) === 0);
    let people = 0;
    for (const [other, count] of known.peopleBy()) if (isAccount(other)) people += count;
    const isAmong = (one: KnownPerson): boolean =>
      one.personId !== personId && isAccount(one.addedBy);
    return { people, isAmong };
  }

  /** Returns people who are nearer than `limit` to a photo. */
  #near(
    photos: readonly PhotoVector[],
    pack: string,
    limit: number,
    isAmong: (person: KnownPerson) => boolean,
  ): string[] {
    const near = photos.flatMap(({ vector }) =>
      this.#options.known
        .nearest(vector, pack, maxNear, isAmong)
        .filter(({ distance }) => distance < limit)
        .map((one) => one.personId),
    );
    return [...new Set(near)];
  }

  /** Photos without a vector of this pack, or whose vector cannot be opened, are compared with nothing. */
  #vectorsOf(photos: readonly ComparedPhoto[], pack: string): PhotoVector[] {
    return photos.flatMap((photo) => {
      try {
        const key = this.#options.identities.openKey(photo.identity_id, photo.data_key);
        return openVectors(photo, key, vectorPlace(photo.embedding_id))
          .filter((one) => one.pack === pack)
          .map(({ vector }) => {
            return { imageId: photo.image_id, vector, isConfirmed: photo.is_confirmed };
          });
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        this.#options.log.error({ err: error, image: photo.image_id }, 'a vector cannot be opened');
        return [];
      }
    });
  }

  /** Compares what waits: photos that came on other ways than by hand, and those that changed with others. */
  async #work(): Promise<void> {
    this.#isWanted = true;
    if (this.#running) return;
    this.#running = true;
    try {
      while (this.#isWanted && !this.#isOver) {
        this.#isWanted = false;
        await this.#compareWaiting();
      }
    } catch (error) {
      // The next change begins again.
      if (!this.#isOver) this.#options.log.warn({ err: error }, 'photos could not be compared');
    } finally {
      this.#running = false;
    }
  }

  async #compareWaiting(): Promise<void> {
    await this.#options.store.compareOrphans();
    for (let ids = await this.#waiting(); ids.length > 0; ids = await this.#waiting()) {
      for (const id of ids) {
        if (this.#isOver) return;
        await this.compare(id);
      }
    }
  }

  /** None while no pack is installed: nothing can be compared then. */
  #waiting(): Promise<string[]> {
    const { store, inUse } = this.#options;
    return this.#isOver || !inUse() ? Promise.resolve([]) : store.waiting(batch);
  }
}
