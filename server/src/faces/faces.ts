/**
 * Known people: persons with their categories and photos, the identities behind them, and the exact search over all
 * vectors. This module decides nothing about what a camera sees: votes over a track do (vision), and `visits` keeps
 * what was seen.
 */
import {
  FaceFields,
  type Face,
  type FaceChange,
  type FaceQuery,
  type MatchExplanation,
} from '@nazar/contract/faces.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { Topic } from '#lib/topic.ts';
import type { Tx } from '#db/database.ts';
import type { Action, Details, Warnings } from '#activity/activity.ts';
import { mayOpenPerson, type Scope } from '#http/scope.ts';
import { judge, type Tier } from '#vision/tracking/candidates.ts';
import { packKey, type Calibration, type PackKey } from '#vision/packs/pack.ts';
import { probability } from '#vision/packs/confidence.ts';
import { asFace } from './answers.ts';
import { candidates } from './gallery/candidates.ts';
import type { Categories } from './categories.ts';
import type { Corrections } from './strangers/corrections.ts';
import { maxImages, vectorPlace, type SentPhoto } from './photos/enrolment.ts';
import { tierCount } from './enrolment-rights.ts';
import type { FaceErasing } from './erasing/erasing.ts';
import { changedChannel } from './erasing/erasing-store.ts';
import { explain, flawless, type Explainer, type Probe } from './explanation.ts';
import type { Reference } from './gallery/gallery.ts';
import { openVectors } from './gallery/pack-vectors.ts';
import type { Naming } from './strangers/naming.ts';
import type { Negatives } from './negatives.ts';
import {
  personRow,
  type KnownPerson,
  type NearPerson,
  type Newcomer,
  type SeenFace,
} from './newcomer.ts';
import type { ListedPerson } from './person-store.ts';
import { makeParts, type FaceParts, type PartsOptions } from './parts.ts';
import type { Photos, Enrolled } from './photos/photos.ts';
import { isSome, noneLeft } from './photos/refused-photos.ts';
import type { PhotoChips } from './reembedding/reembedding.ts';
import { similarTo, type SimilarPerson } from './similar.ts';
import type { Strangers } from './strangers/strangers.ts';

export type { EnrolmentRights, EnrolmentRightsOf } from './enrolment-rights.ts';
export { FaceErasing, type ErasedPerson, type Removed } from './erasing/erasing.ts';
export type { Probe } from './explanation.ts';
export type { Identity } from './identities.ts';
export { identityKeyColumn } from './identity-store.ts';
export type { KnownPerson, NearPerson, SeenFace } from './newcomer.ts';
export { FaceReads } from './reads.ts';
export type { Reference } from './gallery/gallery.ts';
export { isComparable, isSame, likeness, type Likeness } from './strangers/likeness.ts';
export type { ReferencePicture, SeenStranger } from './strangers/strangers.ts';
export type { CorrectionRow } from './strangers/corrections.ts';
export type { NamedStranger } from './strangers/naming.ts';
export type { DecidedBy, NegativeRow } from './negatives.ts';
export { Recognition } from './recognition.ts';
export { photoLosses } from './reembedding/reembedding.ts';
export type {
  Chip,
  ChipSource,
  Losses,
  Reembedded,
  Packs,
  Waiting,
} from './reembedding/reembedding.ts';
export { Registry } from './registry.ts';
export { asPack, openVectors, packOf } from './gallery/pack-vectors.ts';

/** Whom a picture shows, and how sure that is. */
export interface Recognized {
  readonly personId: string;
  readonly identityId: string;
  readonly confidence: number;
}

export interface FacesOptions extends PartsOptions {
  /** Raised when an account enrols a person who resembles one of an administrator's. Absent: no warning is raised. */
  readonly warnings?: Pick<Warnings, 'raiseSoon'>;
  /** How sure a name must be, 0 to 1; default: what the models' calibration says. */
  readonly minProbability?: () => number;
}

/** A person in the demo video. */
export interface DemoPerson {
  readonly firstName: string;
  readonly lastName: string;
  readonly photo: Buffer;
}

export class Faces implements Disposable {
  /** Published when a person was added, changed or removed, here or on another node; the gallery already knows. */
  readonly changed: Topic<{ readonly identityId: string | null }>;
  readonly categories: Categories;
  readonly erasing: FaceErasing;
  readonly strangers: Strangers;
  readonly corrections: Corrections;
  readonly naming: Naming;
  readonly negatives: Negatives;
  readonly photos: Photos;
  readonly chipSource: PhotoChips;
  readonly #options: FacesOptions;
  readonly #parts: FaceParts;
  readonly #forgetting: Disposable;

  private constructor(options: FacesOptions) {
    this.#options = options;
    const parts = makeParts(options, this);
    this.#parts = parts;
    this.changed = parts.known.changed;
    this.categories = parts.categories;
    this.erasing = parts.erasing;
    this.strangers = parts.strangers;
    this.corrections = parts.corrections;
    this.naming = parts.naming;
    this.negatives = parts.negatives;
    this.photos = parts.photos;
    this.chipSource = parts.chipSource;
    this.#forgetting = this.changed.on(({ identityId }) => {
      this.#forgetErased(identityId).catch((err: unknown) =>
        options.log.warn(
          { err },
          'who was erased is forgotten when the next unknown person is seen',
        ),
      );
    });
  }

  /** Loads the vectors of all people. Rejects when they cannot be read. */
  static async open(options: FacesOptions): Promise<Faces> {
    const faces = new Faces(options);
    try {
      await faces.#parts.known.load();
    } catch (error) {
      faces[Symbol.dispose]();
      throw error;
    }
    return faces;
  }

  [Symbol.dispose](): void {
    this.#forgetting[Symbol.dispose]();
    this.#parts.doubts[Symbol.dispose]();
    this.#parts.known[Symbol.dispose]();
    this.#parts.enrollers[Symbol.dispose]();
  }

  /** Reads all people again: who may be recognised has changed, or by which vectors. */
  async refresh(): Promise<void> {
    this.strangers.refresh();
    await this.#parts.enrollers.refresh();
    await this.#parts.known.reloadAll();
  }

  /** `id@version` of the pack that makes vectors of faces on this node. */
  get servingPack(): PackKey {
    return packKey(this.#options.vision.pack);
  }

  /** Returns the nearest people, nearest first; `pack` is `id@version` of the pack that made the vector. */
  nearest(vector: Float32Array, pack: string, k: number): NearPerson[] {
    return this.#parts.known.nearest(vector, pack, k);
  }

  /**
   * Returns whom a vector that a camera saw may show, by tiers; `pack` is `id@version` of the pack that made it. It
   * leaves out people enrolled by an account that may not see the camera.
   */
  candidates(cameraId: string, vector: Float32Array, pack: string): Tier[] {
    const calibration = this.#options.vision.calibrationOf(pack);
    if (!calibration) return [];
    const tierOf = ({ addedBy }: Pick<KnownPerson, 'addedBy'>): number | null =>
      this.#parts.enrollers.tierAt(addedBy, cameraId);
    const sizes = Array.from({ length: tierCount }, () => 0);
    for (const [addedBy, people] of this.#parts.known.peopleBy()) {
      const tier = tierOf({ addedBy });
      if (tier !== null) sizes[tier]! += people;
    }
    return candidates({ known: this.#parts.known, calibration, tierOf, sizes }, vector, pack);
  }

  /** Returns the person a single picture shows, as cameras decide; null: no known person, or it is not clear who. */
  recognized(cameraId: string, vector: Float32Array, pack: string): Recognized | null {
    const calibration = this.#options.vision.calibrationOf(pack);
    if (!calibration) return null;
    const minProbability = this.#options.minProbability?.();
    const rules = { calibration, ...(minProbability === undefined ? {} : { minProbability }) };
    const { choice } = judge(flawless, this.candidates(cameraId, vector, pack), rules);
    return (
      choice && {
        personId: choice.who,
        identityId: choice.identity,
        confidence: probability(choice.distance, calibration),
      }
    );
  }

  /** Null: no active person has this identity. */
  personOf(identityId: string): KnownPerson | null {
    return this.#parts.known.personOf(identityId);
  }

  /** Explains why a face is matched to a person or to none today, as far as this reader may know. */
  explain(scope: Scope, probe: Probe): Promise<MatchExplanation> {
    const ofPack = this.#options.vision.calibrationOf(probe.pack);
    // Vectors of a pack that is gone are not compared: the meaning of their distances went with it.
    const gone: Explainer['known'] = {
      nearest: () => [],
      referencesOf: () => [],
      count: (among) => this.#parts.known.count(among),
      personOf: () => null,
    };
    const known = ofPack ? this.#parts.known : gone;
    const calibration = ofPack ?? this.#options.vision.pack.embedder.calibration;
    const [store, identities] = [this.#parts.identityStore, this.#parts.identities];
    const from = { known, store, identities, enrollers: this.#parts.enrollers };
    const minProbability = this.#options.minProbability?.();
    return explain({ ...from, calibration, minProbability }, scope, probe);
  }

  async list(scope: Scope, query: FaceQuery): Promise<{ count: number; results: Face[] }> {
    const { count, rows } = await this.#parts.persons.list(scope, query);
    return { count, results: await this.#asFaces(scope, rows) };
  }

  /** Unknown people are read again before each comparison; who was erased leaves this node's memory at once. */
  async #forgetErased(identityId: string | null): Promise<void> {
    if (identityId === null || this.personOf(identityId) !== null) return;
    const isErased = (await this.#parts.identityStore.dataKey(identityId)) === null;
    if (isErased) this.strangers.forget(identityId);
  }

  /** Throws face_not_found. */
  async read(scope: Scope, id: string): Promise<Face> {
    const row = await this.#parts.persons.find(scope, id);
    if (!row) throw new Problem('face_not_found');
    return (await this.#asFaces(scope, [row]))[0]!;
  }

  /**
   * Adds a person with photos, or with the face of a visit. A file that is no photo is answered with its reason, and
   * the others are kept. `mustServe`: the field whose photos are refused when recognition could not use them. Throws
   * category_not_found, image_required, image_unusable, the refusals of quotas, and those of photos when none is left.
   */
  async add(
    scope: Scope,
    fields: FaceFields,
    files: readonly SentPhoto[],
    seen: SeenFace | null,
    { mustServe }: { readonly mustServe?: string } = {},
  ): Promise<Enrolled> {
    await this.categories.mustExist(fields.category);
    // At least one of the photos has to be kept, or nothing is.
    await this.#parts.quotas.foresee(scope, 1, seen || files.length > 0 ? 1 : 0);
    const { photos, refused } = await this.photos.check(scope, files);
    const fault = mustServe && photos.find((photo) => photo.fault !== null)?.fault;
    if (fault) throw new Problem('image_unusable', { field: mustServe, fault });
    const images = photos.length + (seen ? 1 : 0);
    if (images === 0 && isSome(refused)) throw noneLeft(refused);
    if (images === 0) throw new Problem('image_required', { field: 'image' });
    if (images > maxImages) throw new Problem('images_too_many', { max: maxImages });
    const id = await this.#options.db.transaction(async (tx) => {
      if (seen?.identityId) await this.strangers.lock(tx);
      return this.#keep(tx, scope, { fields, photos, seen });
    });
    await this.reloadPerson(id);
    this.warnOfMatches(id, scope.userId);
    return { ...(await this.read(scope, id)), refused };
  }

  /**
   * Adds the person that a stranger turned out to be, in the caller's transaction, which holds the lock of strangers.
   * Throws category_not_found and the refusals of quotas.
   */
  async addNamed(
    tx: Tx,
    scope: Scope,
    name: Pick<FaceFields, 'first_name' | 'last_name' | 'category'>,
    seen: SeenFace,
  ): Promise<string> {
    await this.categories.mustExist(name.category);
    return this.#keep(tx, scope, { fields: FaceFields.parse(name), photos: [], seen });
  }

  /**
   * Adds the people of the demo video, all or none of them: none when people exist. Each photo must be usable. Throws
   * unavailable while nothing can be recognised.
   */
  async addDemo(scope: Scope, people: readonly DemoPerson[]): Promise<void> {
    const { photos, refused } = await this.photos.check(
      scope,
      people.map(({ photo }) => ({ bytes: photo })),
    );
    if (isSome(refused)) throw noneLeft(refused);
    const fault = photos.find((photo) => photo.fault !== null)?.fault;
    if (fault) throw new Error(`a demo photo cannot be used: ${fault}`);
    const category = await this.categories.ofVisitors();
    const ids = await this.#options.db.transaction(async (tx) => {
      const added: string[] = [];
      if (await this.#parts.persons.hasDemo(tx)) return added;
      for (const [i, { firstName, lastName }] of people.entries()) {
        const named = { first_name: firstName, last_name: lastName, category };
        const fields = FaceFields.parse(named);
        const newcomer = { fields, photos: [photos[i]!], seen: null, isDemo: true };
        added.push(await this.#keep(tx, scope, newcomer));
      }
      return added;
    });
    for (const id of ids) await this.reloadPerson(id);
  }

  /** Throws face_not_found, face_update_forbidden, category_not_found. */
  async change(scope: Scope, id: string, change: FaceChange): Promise<Face> {
    await this.mustOwn(scope, id, 'face_update_forbidden');
    if (change.category) await this.categories.mustExist(change.category);
    const { category: category_id, ...texts } = change;
    const was: Readonly<Record<string, unknown>> = {
      ...(await this.#parts.persons.find(scope, id)),
    };
    const row = Object.fromEntries(
      Object.entries({ ...texts, category_id }).filter(
        ([name, value]) => value !== undefined && value !== was[name],
      ),
    );
    if (Object.keys(row).length === 0) return this.read(scope, id);
    await this.#options.db.transaction(async (tx) => {
      await this.#parts.persons.change(tx, id, {
        ...row,
        updated_at: new Date(this.#options.clock.now()),
      });
      // Photos are compared with those of active people.
      if ('is_active' in row) await this.#parts.persons.compareAgain(tx, id);
      await this.#record(tx, scope, 'face.changed', id, { fields: Object.keys(row) });
      await this.announce(tx, id);
    });
    await this.reloadPerson(id);
    return this.read(scope, id);
  }

  /** Removes the person, every photo and vector, and destroys the keys they were sealed under. */
  async remove(scope: Scope, id: string): Promise<void> {
    await this.mustOwn(scope, id, 'face_delete_forbidden');
    const identityIds = await this.#options.db.transaction(async (tx) => {
      await this.#record(tx, scope, 'face.deleted', id);
      return (await this.erasing.person(tx, id)).identityIds;
    });
    await this.#parts.known.reload(identityIds);
    this.changed.publish({ identityId: null });
  }

  /** Returns the names of all people the scope may open, with their ids, by last name. */
  listNames(scope: Scope): Promise<{ id: string; name: string }[]> {
    return this.#parts.persons.listNames(scope);
  }

  /** Returns the active people of these categories whom the scope may open, by last name: the first of them. */
  inCategories(
    scope: Scope,
    categoryIds: readonly string[],
    limit: number,
  ): Promise<{ id: string; name: string }[]> {
    return this.#parts.persons.inCategories(scope, categoryIds, limit);
  }

  /** Returns the names of all people the scope may open, in order. */
  names(scope: Scope): Promise<string[]> {
    return this.#parts.persons.names(scope);
  }

  /** Returns the ids of the people the scope may open who have exactly this name. */
  named(scope: Scope, name: string): Promise<string[]> {
    return this.#parts.persons.named(scope, name);
  }

  /** Returns the vectors of a person's photos, by which an unknown person may turn out to be them. */
  async vectorsOf(personId: string): Promise<Reference[]> {
    const rows = await this.#parts.identityStore.vectorsOf(personId);
    return rows.flatMap((row) => {
      const key = this.#parts.identities.openKey(row.identity_id, row.data_key);
      return openVectors(row, key, vectorPlace(row.embedding_id));
    });
  }

  /** Null: the pack (`id@version`) is gone, and what distances of its vectors mean. */
  calibrationOf(pack: string): Calibration | null {
    return this.#options.vision.calibrationOf(pack);
  }

  /** The key under which everything of this identity is sealed. Throws SealBroken after erasure. */
  keyOf(identityId: string): Promise<SecretKey> {
    return this.#parts.identities.keyOf(identityId);
  }

  /** The keys of several identities at once, without those of erased ones. */
  keysOf(identityIds: readonly string[]): Promise<ReadonlyMap<string, SecretKey>> {
    return this.#parts.identities.keysOf(identityIds);
  }

  /** Stores a new person in the caller's transaction; returns their id. */
  async #keep(tx: Tx, scope: Scope, newcomer: Newcomer): Promise<string> {
    const { photos, seen } = newcomer;
    await this.#parts.quotas.ensure(tx, scope, 1, seen ? [seen.photo, ...photos] : photos);
    const nowMs = this.#options.clock.now();
    const id = uuidv7(nowMs);
    await this.#parts.persons.add(tx, personRow(id, newcomer, scope.userId, new Date(nowMs)));
    const isNamed = seen !== null && (await this.#nameSeen(tx, scope, id, seen));
    const own = seen && !isNamed ? [seen.photo, ...photos] : photos;
    if (own.length > 0) await this.photos.keep(tx, id, own);
    const images = own.length + (isNamed ? 1 : 0);
    const details = { images, seen: seen !== null, demo: newcomer.isDemo ?? false };
    await this.#record(tx, scope, 'face.added', id, details);
    return id;
  }

  /** Records no names: erasing a person must leave nothing of them in the activity log. */
  #record(tx: Tx, actor: Scope, action: Action, id: string, details: Details = {}): Promise<void> {
    return this.#options.activity.record(tx, {
      actor,
      action,
      object: { type: 'face', id },
      details,
    });
  }

  /** False: the person gets only the picture, because the stranger is named already or others saw them too. */
  async #nameSeen(
    tx: Tx,
    scope: Scope,
    personId: string,
    { identityId, photo }: SeenFace,
  ): Promise<boolean> {
    if (identityId === null) return false;
    return this.naming.name(tx, scope, { identityId, photo }, { personId, isNew: true });
  }

  async mayChange(scope: Scope, id: string): Promise<boolean> {
    return (await this.#parts.persons.find(scope, id)) !== null;
  }

  /** The creator or an administrator; others get the refusal that the documents state. */
  async mustOwn(
    scope: Scope,
    id: string,
    refusal: 'face_update_forbidden' | 'face_delete_forbidden',
  ): Promise<void> {
    if (await this.mayChange(scope, id)) return;
    throw new Problem((await this.#parts.persons.exists(id)) ? refusal : 'face_not_found');
  }

  async #asFaces(scope: Scope, rows: readonly ListedPerson[]): Promise<Face[]> {
    const images = await this.#parts.persons.images(rows.map(({ id }) => id));
    const imagesOf = Map.groupBy(images, ({ person_id }) => person_id);
    const faces: Face[] = [];
    for (const row of rows) {
      const similar = this.#similar(row.id, (addedBy) => mayOpenPerson(scope, addedBy));
      faces.push(asFace(scope, row, imagesOf.get(row.id) ?? [], similar));
      // The search takes up to some milliseconds for each in a large gallery; pictures wait no longer than that.
      if (rows.length > 1) await nextTurn();
    }
    return faces;
  }

  #similar(personId: string, isAmong: (addedBy: string | null) => boolean): SimilarPerson[] {
    const calibration = this.#options.vision.calibrationOf(this.servingPack);
    if (!calibration) return [];
    const search = { known: this.#parts.known, calibration, pack: this.servingPack };
    return similarTo(search, personId, isAmong);
  }

  /**
   * Warns administrators when what this account enrolled resembles a person of another account that an administrator
   * has: by accident, or because a user wants visits to bear another name.
   */
  warnOfMatches(personId: string, addedBy: string): void {
    const isTheirs = (other: string | null): boolean =>
      other !== addedBy && this.#parts.enrollers.tierOf(other) === 0;
    const [match] = this.#similar(personId, isTheirs);
    if (!match) return;
    const details = { user: addedBy, face: personId, matches: match.person.personId };
    this.#options.warnings?.raiseSoon({ kind: 'person_matched', subject: addedBy, details });
  }

  /** Makes every node read this person again when `tx` commits. */
  async announce(tx: Tx, personId: string): Promise<void> {
    for (const identityId of await this.#parts.identityStore.identitiesOf(personId)) {
      await this.#options.db.notify(tx, changedChannel, identityId);
    }
  }

  /** Reloads into this node's recognition, at once, whose these identities are. */
  reload(identityIds: readonly string[]): Promise<void> {
    return this.#parts.known.reload(identityIds);
  }

  /** Reloads this person into this node's recognition, at once, and sets photos aside that may not show them. */
  async reloadPerson(personId: string): Promise<void> {
    await this.#parts.known.reload(await this.#parts.identityStore.identitiesOf(personId));
    await this.#parts.doubts.compare(personId);
  }
}
