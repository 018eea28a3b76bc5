/**
 * One face followed from picture to picture: where it is, its best pictures, the mean of its vectors, and when it is
 * embedded again. Only the tracker uses it.
 */
import type { Rect } from '#lib/geometry.ts';
import type { PicturePlace } from '#media/mask/picture-place.ts';
import { distance } from '../embed.ts';
import { likeness, type Coarse } from './likeness.ts';
import type { FaceView } from '../messages.ts';
import { appeared, moved, predicted, type Moving } from './motion.ts';

/** One stored picture of the face. */
export interface Shot {
  readonly id: number;
  /** Milliseconds of media time. */
  readonly at: number;
  readonly view: FaceView;
  /** RGB, its own copy. */
  readonly chip: Buffer;
  /** Where in the camera's main picture the chip was cut out; null where that is not known. */
  readonly place: PicturePlace | null;
  /** The picture is from a sub-stream, and the main stream shows more of the face. */
  readonly coarse: boolean;
}

/** A shot to embed now; `fromMainStream`: as the main stream shows it. */
export interface Due {
  readonly shot: Shot;
  readonly fromMainStream: boolean;
}

/** Best pictures kept per track; votes gain nothing from more. */
const maxShots = 5;
/** A track is embedded again when its pictures got better by this factor, or after this time. */
const betterBy = 1.15;
const embedEveryMs = 2_000;
/** Below this likeness another face may have come: the next vector decides. */
const minLikeness = 0.8;
/** In doubt, and until there are enough votes to name a fair picture, embeddings are this close together. */
const quickEveryMs = 400;
const quickVotes = 3;
/** An answer that has not come by then never will: its host has died twice. */
const answerWithinMs = 3_000;

export class Track {
  readonly id: number;
  readonly startedAt: number;
  #motion: Moving;
  #view: FaceView;
  #hits = 0;
  /** Best first. */
  #shots: Shot[] = [];
  #coarse: Coarse | null = null;
  /** When the face began to resemble another, and when it was last seen before that. */
  #doubt: { readonly since: number; readonly before: number } | null = null;
  #pending: Shot | null = null;
  #embeddedAt = -Infinity;
  #embeddedQuality = 0;
  /** Sum of vector x quality over the embedded shots that agreed, and of the qualities. */
  #sum: Float32Array | null = null;
  #weight = 0;
  /** The last picture that was proven to show this track's face. */
  #agreed: Shot | null = null;
  #joined = 0;

  constructor(id: number, view: FaceView, at: number) {
    this.id = id;
    this.startedAt = at;
    this.#view = view;
    this.#motion = appeared(view.box, at);
  }

  get seenAt(): number {
    return this.#motion.at;
  }

  get view(): FaceView {
    return this.#view;
  }

  get motion(): Moving {
    return this.#motion;
  }

  get hits(): number {
    return this.#hits;
  }

  /** The face changed so much that its name must not be shown until a vector agrees. */
  get doubt(): boolean {
    return this.#doubt !== null;
  }

  get shots(): readonly Shot[] {
    return this.#shots;
  }

  get template(): Float32Array | null {
    return this.#sum?.map((value) => value / this.#weight) ?? null;
  }

  boxAt(now: number): Rect {
    return predicted(this.#motion, now);
  }

  /**
   * Takes the face of the newest picture; `shot` when it has a chip. Returns the shot if it should be embedded now,
   * `fromMainStream` if the main stream may be asked for it; a shot that does not pass the gate is returned only
   * then.
   */
  see(
    view: FaceView,
    at: number,
    appearance: Coarse | null,
    shot: Shot | null,
    mayUseMainStream: (doubt: boolean) => boolean = () => false,
  ): Due | null {
    const before = this.seenAt;
    if (this.#hits > 0) this.#motion = moved(this.#motion, view.box, at);
    this.#view = view;
    this.#hits += 1;
    if (!appearance || !shot) return null;
    if (!this.resembles(appearance)) this.#doubt ??= { since: at, before };
    this.#coarse = appearance;
    // While in doubt a picture may show another person: it is not kept as one of this track's best.
    if (!this.#doubt) this.#keep(shot);
    if (!this.#isDue(view.quality, at)) return null;
    const fromMainStream = shot.coarse && mayUseMainStream(this.doubt);
    return fromMainStream || view.fault === null
      ? { shot: this.#send(shot), fromMainStream }
      : null;
  }

  /** False when such a face looks different from how this one looked last. */
  resembles(appearance: Coarse | null): boolean {
    return (
      appearance === null ||
      this.#coarse === null ||
      likeness(this.#coarse, appearance) >= minLikeness
    );
  }

  /** How much such a face resembles this one's last appearance, -1 to 1; 0 when it is not known. */
  likenessTo(appearance: Coarse | null): number {
    return appearance === null || this.#coarse === null ? 0 : likeness(this.#coarse, appearance);
  }

  /** Whether the vector of an embedded shot shows the face this track follows. */
  agrees(vector: Float32Array, maxDistance: number): boolean {
    const template = this.template;
    return template === null || distance(template, vector) <= maxDistance;
  }

  join(shot: Shot, vector: Float32Array): void {
    const { quality } = shot.view;
    const sum = this.#sum ?? new Float32Array(vector.length);
    for (let i = 0; i < vector.length; i++) sum[i]! += vector[i]! * quality;
    this.#sum = sum;
    this.#weight += quality;
    this.#agreed = shot;
    this.#joined += 1;
    this.#embeddedQuality = Math.max(this.#embeddedQuality, quality);
    this.#clearPending(shot);
    this.#doubt = null;
    this.#keep(shot);
  }

  /** No vector came for this shot: it may be asked for again. */
  forget(shot: Shot): void {
    this.#clearPending(shot);
    this.#embeddedAt = -Infinity;
  }

  /** A coarse picture may show another person: the track shows no name until a better picture agrees. */
  distrust(shot: Shot): void {
    this.#clearPending(shot);
    this.#doubt ??= { since: shot.at, before: this.#agreed?.at ?? shot.at };
  }

  /** Skips this shot; the next one is embedded in due time. */
  pass(shot: Shot): void {
    this.#clearPending(shot);
  }

  /** Replaces the shot by a better picture of the same moment. */
  improve(shot: Shot): void {
    if (this.#pending?.id !== shot.id) return;
    this.#pending = shot;
    this.#shots = this.#shots.filter(({ id }) => id !== shot.id);
  }

  awaits(shotId: number): Shot | null {
    return this.#pending?.id === shotId ? this.#pending : null;
  }

  /**
   * Ends this track, because another face has taken its place, and returns the track that goes on from here with the
   * shot that disagreed. This track ends when the face began to look different or, when nothing was noticed, some
   * time after it last agreed. Neither track keeps the shots since then, which may show either face.
   */
  split(id: number, shot: Shot, vector: Float32Array): Track {
    const next = new Track(id, this.#view, this.#doubt?.since ?? shot.at);
    next.#motion = this.#motion;
    next.#hits = 1;
    next.#coarse = this.#coarse;
    next.#embeddedAt = shot.at;
    next.join(shot, vector);
    const endedAt = this.endedAt;
    this.#shots = this.#shots.filter(({ at }) => at <= endedAt);
    if (this.#shots.length === 0 && this.#agreed) this.#shots = [this.#agreed];
    return next;
  }

  /** The last moment at which the face was surely this track's. */
  get endedAt(): number {
    return this.#doubt?.before ?? this.#agreed?.at ?? this.seenAt;
  }

  #isDue(quality: number, at: number): boolean {
    if (this.#pending && at - this.#pending.at < answerWithinMs) return false;
    const sinceMs = at - this.#embeddedAt;
    if (this.#doubt || this.#joined < quickVotes) return sinceMs >= quickEveryMs;
    return sinceMs >= embedEveryMs || quality > this.#embeddedQuality * betterBy;
  }

  #send(shot: Shot): Shot {
    this.#pending = shot;
    this.#embeddedAt = shot.at;
    this.#embeddedQuality = Math.max(this.#embeddedQuality, shot.view.quality);
    return shot;
  }

  #clearPending(shot: Shot): void {
    if (this.#pending?.id === shot.id) this.#pending = null;
  }

  /** A picture without a fault goes before a better one with a fault. */
  #keep(shot: Shot): void {
    if (this.#shots.some(({ id }) => id === shot.id)) return;
    this.#shots = [...this.#shots, shot]
      .toSorted((a, b) => rank(b) - rank(a) || a.at - b.at)
      .slice(0, maxShots);
  }
}

const rank = ({ view }: Shot): number => (view.fault === null ? 1 : 0) + view.quality;
