/**
 * Recognises the people on a picture that a user sends: every face on it, how usable it is, whom it is taken for
 * among the people they may open, and why. Nothing of the picture is stored. One picture decides alone here, by the
 * same limits as a vote of a track (vision/tracking/votes.ts), because there is no second one to agree with it.
 */
import type {
  CheckedPhoto,
  RecognizedFace,
  RecognizedPicture,
} from '@nazar/contract/recognition.ts';
import type { Activity } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import type { Photo, PhotoFace, Vision } from '#vision/vision.ts';
import { inFractions } from '#vision/picture.ts';
import { probability } from '#vision/packs/confidence.ts';
import type { Probe } from './explanation.ts';
import type { PeopleReader } from './people.ts';
import type { SentPhoto } from './photos/enrolment.ts';
import type { Photos } from './photos/photos.ts';

/** How many other people who may be on a photo are listed. */
const listedPeople = 3;
/** A photo nearer to another than this share of the open-set limit shows nearly the same. */
const duplicateShare = 1 / 3;
const nothingNear = { duplicate_of: null, similar: [] };

export interface RecognitionOptions {
  readonly vision: Vision;
  readonly faces: Pick<PeopleReader, 'explain' | 'read'> & {
    readonly photos: Pick<Photos, 'referencesOf'>;
  };
  readonly activity: Activity;
}

export class Recognition {
  readonly #options: RecognitionOptions;

  constructor(options: RecognitionOptions) {
    this.#options = options;
  }

  /** `people`: how many are listed for each face. Throws image_type, image_too_large, ... and unavailable. */
  async recognize(scope: Scope, bytes: Buffer, people: number): Promise<RecognizedPicture> {
    const { vision } = this.#options;
    const picture = await vision.readPhoto(bytes, {
      purpose: 'recognise',
      account: scope.userId,
    });
    const probes = await this.#probes(picture.faces, people);
    const faces: RecognizedFace[] = [];
    for (const face of picture.faces) {
      faces.push(await this.#recognized(scope, picture, face, probes.get(face)));
    }
    await this.#record(scope, faces);
    const { width, height, turned } = picture;
    return { width, height, turned, faces };
  }

  /**
   * Returns what a photo would be worth to `personId`, or to a new person. It is compared with the people the scope
   * may open alone. `hasPreview`: with the picture, for browsers that cannot show the file. Throws face_not_found, face_index_unknown and the refusals of photos.
   */
  async check(
    scope: Scope,
    { bytes, faceIndex = null }: SentPhoto,
    personId: string | null,
    { hasPreview = false } = {},
  ): Promise<CheckedPhoto> {
    const { vision, faces } = this.#options;
    if (personId !== null) await faces.read(scope, personId);
    const references = personId === null ? null : await faces.photos.referencesOf(personId);
    const { width, height, turned, chosen, fault, ...photo } = await vision.readPhoto(bytes, {
      purpose: 'enrol',
      account: scope.userId,
      faceIndex,
      references,
    });
    const found = photo.faces.map((face) => ({
      ...inFractions(face.view.box, { width, height }),
      score: face.view.score,
      quality: face.view.quality,
      fault: face.fault,
      chosen: face === chosen,
    }));
    const near = photo.face === null ? nothingNear : await this.#near(scope, photo.face, personId);
    const preview = hasPreview ? photo.jpeg.toString('base64') : null;
    return { width, height, turned, faces: found, preview, fault, ...near };
  }

  async #near(
    scope: Scope,
    face: PhotoFace,
    personId: string | null,
  ): Promise<Pick<CheckedPhoto, 'duplicate_of' | 'similar'>> {
    const { vision, faces, activity } = this.#options;
    const probe = (await this.#probes([face], listedPeople)).get(face)!;
    const { nearest, limit } = await faces.explain(scope, probe);
    const limits = vision.calibrationOf(probe.pack)!;
    const duplicate = probability(limits.openSet * duplicateShare, limits);
    const own = nearest.find(({ person_id }) => person_id === personId)?.photos[0];
    const others = nearest.filter((one) => one.person_id !== personId && one.probability >= limit);
    for (const { person_id: id } of others) {
      const object = { type: 'face', id: id! } as const;
      await activity.recordRead({ actor: scope, action: 'face.viewed', object });
    }
    return {
      duplicate_of: own && own.probability >= duplicate ? own.image_id : null,
      similar: others.map(({ person_id, name, probability: sure }) => ({
        face: person_id!,
        name,
        probability: sure,
      })),
    };
  }

  /** Returns the faces good enough to be compared; they are embedded together. */
  async #probes(faces: readonly PhotoFace[], people: number): Promise<Map<PhotoFace, Probe>> {
    const usable = faces.filter(({ fault }) => fault === null);
    if (usable.length === 0) return new Map();
    const chips = Buffer.concat(usable.map(({ chip }) => chip));
    const { pack } = usable[0]!.view;
    const { vectors } = await this.#options.vision.embed(chips, usable.length, pack);
    const made = { pack, cameraId: null, people };
    return new Map(
      usable.map((face, i) => [
        face,
        { ...made, vector: vectors[i]!, quality: face.view.quality, measures: face.view },
      ]),
    );
  }

  async #recognized(
    scope: Scope,
    picture: Photo,
    { view, fault }: PhotoFace,
    probe: Probe | undefined,
  ): Promise<RecognizedFace> {
    const seen = {
      ...inFractions(view.box, picture),
      score: view.score,
      quality: view.quality,
      fault,
    };
    const noPerson = { face: null, name: null, confidence: null };
    if (!probe) return { ...seen, outcome: 'unusable', ...noPerson, explanation: null };
    const explanation = await this.#options.faces.explain(scope, probe);
    const person = explanation.verdict === 'match' ? explanation.nearest[0] : undefined;
    if (!person) return { ...seen, outcome: 'unknown', ...noPerson, explanation };
    const { person_id: face, name, probability: confidence } = person;
    return { ...seen, outcome: 'known', face, name, confidence, explanation };
  }

  /** Records that a user searched for people, and whom they found; never the picture. */
  async #record(scope: Scope, faces: readonly RecognizedFace[]): Promise<void> {
    const { activity } = this.#options;
    const details = {
      faces: faces.length,
      known: faces.filter(({ outcome }) => outcome === 'known').length,
    };
    await activity.recordAlone({
      actor: scope,
      action: 'face.recognized',
      object: null,
      details,
    });
    for (const { face } of faces) {
      if (face === null) continue;
      const object = { type: 'face', id: face } as const;
      await activity.recordRead({ actor: scope, action: 'face.viewed', object });
    }
  }
}
