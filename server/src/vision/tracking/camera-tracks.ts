/**
 * The faces of one camera over time: tracks, what their vectors say, and what is decided about each. Faces of
 * pictures go in; visible tracks (what to draw now) and decisions (what to keep) come out. This module knows vectors
 * and the ids of identities, no names and no database.
 */
import type { Rect } from '#lib/geometry.ts';
import type { PicturePlace } from '#media/mask/picture-place.ts';
import type { MainStreamMatch } from './main-stream-match.ts';
import {
  mainStreamDelayMs,
  counted,
  noMainStreamDetections,
  type MainStreamDetections,
} from './main-stream-schedule.ts';
import type { EmbedReply, FaceView } from '../messages.ts';
import { packKey } from '../packs/pack.ts';
import { inFractions } from '../picture.ts';
import { visibleTracks, type PictureFrame, type VisibleTrack } from './expected-faces.ts';
import { Tracker, type Shot, type TrackEnd } from './tracker.ts';
import type { Rules } from './candidates.ts';
import { Votes, type Outcome, type Vote } from './votes.ts';

/** Returns whom a vector may show; `pack` is `id@version`. */
export type FindNearest = (vector: Float32Array, pack: string) => Vote['tiers'];

export type EmbedChip = (
  chip: Buffer,
  pack: FaceView['pack'],
) => Promise<{
  readonly pack: EmbedReply['pack'];
  readonly vectors: readonly Float32Array[];
  readonly jpegs: readonly Buffer[];
}>;

/** A face whose main-stream picture is wanted; `box` is in fractions of the picture. */
export interface MainStreamWish {
  /** When it was seen. */
  readonly at: number;
  readonly box: Rect;
  readonly chip: Buffer;
}

/** The best embedded picture of a track. */
export interface BestPicture {
  readonly jpeg: Buffer;
  readonly vector: Float32Array;
  readonly pack: EmbedReply['pack'];
  readonly quality: number;
  /** Where in the camera's main picture it was cut out; null where that is not known. */
  readonly place: PicturePlace | null;
}

/** Something about a track was decided, or is known better than before. */
export interface Decision {
  readonly track: number;
  readonly outcome: Extract<Outcome, { kind: 'known' | 'unknown' }>;
  /** Milliseconds of media time. */
  readonly startedAt: number;
  readonly seenAt: number;
  readonly picture: BestPicture;
  /** No further decision about this track will come. */
  readonly ended: boolean;
}

export interface CameraTracksOptions {
  /** The pack's distance at which a vector shows another person than the track's template. */
  readonly split: number;
  readonly embed: EmbedChip;
  /** Null: the main stream does not surely show this face. `not_now`: this moment is not available, another may be. */
  readonly mainStream?: (wanted: MainStreamWish) => Promise<MainStreamMatch | 'not_now' | null>;
  readonly nearest: FindNearest;
  readonly rules: () => Rules;
  readonly decided: (decision: Decision) => void;
  /** Called when no vector could be made; the track asks again. */
  readonly failed: (error: unknown) => void;
}

export interface FrameFaces extends PictureFrame {
  readonly cut: boolean;
  readonly faces: readonly FaceView[];
  readonly chips: Buffer;
  /** Whether the main stream shows a face better; absent: never. */
  readonly isCoarse?: (view: FaceView) => boolean;
  /** Where in the main picture a face's chip was cut out; absent: that is not known. */
  readonly placeOf?: (view: FaceView) => PicturePlace | null;
}

/**
 * Whether one picture is all that there was of a face. Two who cross are half hidden for a moment, and a picture of
 * that moment resembles neither: the next picture, 400 ms later, either agrees that this is a stranger or shows that
 * the face is another's.
 */
const isWholeTrack = (end: TrackEnd['reason'] | null): boolean => end === 'gone' || end === 'cut';

interface TrackRecord {
  readonly votes: Votes;
  /** How many pictures have voted. */
  pictures: number;
  startedAt: number;
  seenAt: number;
  best: BestPicture | null;
  mainStream: MainStreamDetections;
  isKnown: boolean;
  /** The last reported decision, so that the same one is not reported twice. */
  reported: string;
}

const unseen: Pick<TrackRecord, 'mainStream' | 'isKnown'> = {
  mainStream: noMainStreamDetections,
  isKnown: false,
};

export class CameraTracks {
  readonly #options: CameraTracksOptions;
  readonly #tracker: Tracker;
  readonly #records = new Map<number, TrackRecord>();

  constructor(options: CameraTracksOptions) {
    this.#options = options;
    this.#tracker = new Tracker({ split: options.split });
  }

  /** Returns the tracks of this picture. Embedding goes on meanwhile and reports through `decided`. */
  add(frame: FrameFaces): VisibleTrack[] {
    const mayUseMainStream = (track: number, doubt: boolean): boolean =>
      this.#mayAskMainStream(track, frame.at, doubt);
    const { tracks, ended, embed } = this.#tracker.update({ ...frame, mayUseMainStream });
    for (const end of ended) this.#end(end);
    for (const { track, shot, fromMainStream } of embed) {
      void this.#embed(track, shot, fromMainStream ? inFractions(shot.view.box, frame) : null);
    }
    for (const { id, startedAt, state } of tracks) {
      if (state === 'seen') this.#recordOf(id, startedAt).seenAt = frame.at;
    }
    return visibleTracks(tracks, frame);
  }

  /** Ends all tracks: the camera stopped, and what it showed is all there is. */
  close(): void {
    for (const end of this.#tracker.close()) this.#end(end);
  }

  /**
   * Ends all tracks, while the camera goes on and the people in view are about to be detected anew. What is undecided
   * stays so: too few pictures to name a person are no proof of a stranger.
   */
  stop(): void {
    for (const end of this.#tracker.close('stopped')) this.#end(end);
  }

  #mayAskMainStream(track: number, at: number, doubt: boolean): boolean {
    if (!this.#options.mainStream) return false;
    const { mainStream, isKnown } = this.#records.get(track) ?? unseen;
    return at - mainStream.lastAt >= mainStreamDelayMs(mainStream, isKnown, doubt);
  }

  /**
   * Returns the shot as the main stream shows it, or as it is where the main stream does not; null when it is of no
   * use.
   */
  async #fromMainStream(track: number, shot: Shot, box: Rect): Promise<Shot | null> {
    const { at, chip, view } = shot;
    const found = (await this.#options.mainStream?.({ at, box, chip }).catch(() => null)) ?? null;
    if (found !== 'not_now') {
      const record = this.#records.get(track);
      const better = found?.view.fault === null ? found : null;
      if (record) record.mainStream = counted(record.mainStream, at, better !== null);
      if (better) return this.#tracker.improve(track, shot.id, better);
    }
    if (view.fault === null) return shot;
    this.#tracker.passed(track, shot.id);
    return null;
  }

  /** `mainStreamBox`: where the face is, in fractions of the picture, when the main stream shows it better. */
  async #embed(track: number, seen: Shot, mainStreamBox: Rect | null): Promise<void> {
    const shot = mainStreamBox ? await this.#fromMainStream(track, seen, mainStreamBox) : seen;
    if (shot) await this.#embedShot(track, shot);
  }

  async #embedShot(track: number, shot: Shot): Promise<void> {
    try {
      const { pack, vectors, jpegs } = await this.#options.embed(shot.chip, shot.view.pack);
      const picture: BestPicture = {
        jpeg: jpegs[0]!,
        vector: vectors[0]!,
        pack,
        quality: shot.view.quality,
        place: shot.place,
      };
      const joined = this.#tracker.embedded(track, shot.id, picture.vector);
      if (joined.kind === 'late' || joined.kind === 'doubted') return;
      if (joined.kind === 'replaced') this.#end(joined.ended);
      const id = joined.kind === 'replaced' ? joined.track : track;
      this.#vote(this.#recordOf(id, shot.at), id, shot, picture);
    } catch (error) {
      this.#tracker.failed(track, shot.id);
      this.#options.failed(error);
    }
  }

  #vote(
    record: TrackRecord,
    track: number,
    { view, at, coarse }: Shot,
    picture: BestPicture,
  ): void {
    const { quality, iod, sharpness, fault } = view;
    const tiers = this.#options.nearest(picture.vector, packKey(picture.pack));
    record.votes.add({ quality, iod, sharpness, fault, coarse, tiers });
    record.pictures += 1;
    record.seenAt = Math.max(record.seenAt, at);
    if (!record.best || picture.quality > record.best.quality) record.best = picture;
    this.#tell(track, record, null);
  }

  #end({ id, endedAt, reason }: TrackEnd): void {
    const record = this.#records.get(id);
    if (!record) return;
    this.#records.delete(id);
    record.seenAt = endedAt;
    this.#tell(id, record, reason);
  }

  /** `end`: why the track is over; null while it is not. */
  #tell(track: number, record: TrackRecord, end: TrackEnd['reason'] | null): void {
    const ended = end !== null;
    // A track that was reported is reported to be over.
    const isDecidedNow = ended && (end !== 'stopped' || record.reported !== '');
    const outcome = record.votes.outcome(this.#options.rules(), isDecidedNow);
    record.isKnown = outcome.kind === 'known';
    if (outcome.kind === 'undecided' || outcome.kind === 'unusable' || !record.best) return;
    if (outcome.kind === 'unknown' && record.pictures === 1 && !isWholeTrack(end)) return;
    const identity = outcome.kind === 'known' ? outcome.identity : '';
    const reported = `${outcome.kind} ${identity} ${record.best.quality} ${ended}`;
    if (reported === record.reported) return;
    record.reported = reported;
    const { startedAt, seenAt, best } = record;
    this.#options.decided({ track, outcome, startedAt, seenAt, picture: best, ended });
  }

  #recordOf(track: number, startedAt: number): TrackRecord {
    const known = this.#records.get(track);
    if (known) return known;
    const record: TrackRecord = {
      votes: new Votes(),
      pictures: 0,
      startedAt,
      seenAt: startedAt,
      best: null,
      ...unseen,
      reported: '',
    };
    this.#records.set(track, record);
    return record;
  }
}
