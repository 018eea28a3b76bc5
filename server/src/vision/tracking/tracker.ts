/**
 * Follows faces through the pictures of one camera. Pure: no clock, no models; the pictures' own times and what was
 * found in them go in, tracks come out, so that recorded detections replay exactly.
 *
 * A track is one face in one place without interruption. It ends when the face is gone, at a scene cut, and when its
 * vectors show that another face has taken its place: a name never passes from one person to another.
 */
import type { Rect } from '#lib/geometry.ts';
import type { PicturePlace } from '#media/mask/picture-place.ts';
import { chipOf } from '../chip.ts';
import type { MainStreamMatch } from './main-stream-match.ts';
import { coarse, type Coarse } from './likeness.ts';
import type { FaceView } from '../messages.ts';
import { associate, mayHaveReached, predicted } from './motion.ts';
import { sureScore } from '../quality.ts';
import { Track, type Due, type Shot } from './track.ts';

export type { Shot } from './track.ts';

/** A face hidden for longer than this comes back as a new track. */
const lostAfterMs = 1_500;

/** The weight of a place that fits when the face there looks different. */
const unlikeTrust = 0.3;

/** Used where the place says little: two people hardly ever reach this likeness (likeness.ts). */
const minSameLikeness = 0.9;

/** A face of this picture and its coarse appearance. */
interface SeenFace {
  readonly view: FaceView;
  readonly chip: Buffer | null;
  readonly appearance: Coarse | null;
}

/** What one picture showed. */
export interface TrackerInput {
  /** Milliseconds of media time; never goes back within a camera, or all tracks end. */
  readonly at: number;
  /** The scene was cut, or the camera turned away: nothing carries over. */
  readonly cut: boolean;
  readonly faces: readonly FaceView[];
  /** As the vision host sent them. */
  readonly chips: Buffer;
  /** Whether the main stream shows a face better; absent: never. */
  readonly isCoarse?: (view: FaceView) => boolean;
  /** Where in the main picture a face's chip was cut out; absent: that is not known. */
  readonly placeOf?: (view: FaceView) => PicturePlace | null;
  /** Whether such a face of that track may be detected in the main stream now; `doubt`: it may be another's by now. */
  readonly mayUseMainStream?: (track: number, doubt: boolean) => boolean;
}

export interface TrackView {
  readonly id: number;
  /** Where it is, or is expected to be while it is lost. */
  readonly box: Rect;
  readonly state: 'seen' | 'lost';
  /** Where it is expected is more than a guess. */
  readonly hasSpeed: boolean;
  /** The face changed: show no name until a vector agrees. */
  readonly doubt: boolean;
  readonly startedAt: number;
  readonly seenAt: number;
  readonly view: FaceView;
  /** Best pictures, best first. */
  readonly shots: readonly Shot[];
}

export interface TrackEnd {
  readonly id: number;
  /** `stopped`: it is no longer followed, while the face may still be in view. */
  readonly reason: 'gone' | 'cut' | 'replaced' | 'stopped';
  readonly startedAt: number;
  /** When the face was last seen (before it began to look different, when it was replaced). */
  readonly endedAt: number;
  /** Pictures the face was found in; a single one is often a mistake of the detector. */
  readonly hits: number;
  readonly shots: readonly Shot[];
  /** The mean of its vectors, weighted by quality; null when none was made. */
  readonly template: Float32Array | null;
}

export interface Update {
  readonly tracks: readonly TrackView[];
  readonly ended: readonly TrackEnd[];
  /** Shots to embed now; the caller passes the answer to `embedded`, a failure to `failed`. */
  readonly embed: readonly (Due & { readonly track: number })[];
}

/** What a vector led to. */
export type Joined =
  | { readonly kind: 'joined' }
  /** The vector showed another face: the old track is over, `track` follows the new face. */
  | { readonly kind: 'replaced'; readonly ended: TrackEnd; readonly track: number }
  /** The picture may show another person, and is too poor to tell. */
  | { readonly kind: 'doubted' }
  /** Its track had ended before; the vector is still that track's, if it agrees. */
  | { readonly kind: 'late' };

export class Tracker {
  /** Vectors further than this from a track's template show another person (the pack's `split`). */
  readonly #maxDistance: number;
  #tracks: Track[] = [];
  #lastId = 0;
  #lastShot = 0;
  #at = -Infinity;

  constructor({ split }: { split: number }) {
    this.#maxDistance = split;
  }

  update({ at, cut, faces, chips, isCoarse, placeOf, mayUseMainStream }: TrackerInput): Update {
    const ended: TrackEnd[] = [];
    if (cut || at < this.#at) ended.push(...this.#endAll('cut'));
    this.#at = at;
    const embed: (Due & { track: number })[] = [];
    const seen = faces.map((view): SeenFace => {
      const chip = chipOf(view, faces, chips);
      return { view, chip, appearance: chip && coarse(chip) };
    });
    for (const [track, face] of this.#match(seen, at)) {
      const coarse = isCoarse?.(face.view) ?? false;
      const shot = this.#shot(face, { at, coarse, place: placeOf?.(face.view) ?? null });
      const mayUse = (doubt: boolean): boolean => mayUseMainStream?.(track.id, doubt) ?? false;
      const due = track.see(face.view, at, face.appearance, shot, mayUse);
      if (due) embed.push({ track: track.id, ...due });
    }
    ended.push(...this.#endWhere((track) => at - track.seenAt > lostAfterMs, 'gone'));
    return { tracks: this.#tracks.map((track) => viewOf(track, at)), ended, embed };
  }

  /** Takes the vector of a shot that `update` asked for. */
  embedded(trackId: number, shotId: number, vector: Float32Array): Joined {
    const track = this.#tracks.find(({ id }) => id === trackId);
    const shot = track?.awaits(shotId);
    if (!track || !shot) return { kind: 'late' };
    if (track.agrees(vector, this.#maxDistance)) {
      track.join(shot, vector);
      return { kind: 'joined' };
    }
    if (shot.coarse && !track.doubt) {
      track.distrust(shot);
      return { kind: 'doubted' };
    }
    const next = track.split(++this.#lastId, shot, vector);
    this.#tracks = this.#tracks.map((it) => (it === track ? next : it));
    return { kind: 'replaced', ended: endOf(track, 'replaced'), track: next.id };
  }

  failed(trackId: number, shotId: number): void {
    const track = this.#tracks.find(({ id }) => id === trackId);
    const shot = track?.awaits(shotId);
    if (shot) track?.forget(shot);
  }

  /** Replaces the shot by the main stream's picture of it; null when nothing waits for it any more. */
  improve(trackId: number, shotId: number, { view, chip, place }: MainStreamMatch): Shot | null {
    const track = this.#tracks.find(({ id }) => id === trackId);
    const shot = track?.awaits(shotId);
    if (!track || !shot) return null;
    const improved = { ...shot, view, chip, place, coarse: false };
    track.improve(improved);
    return improved;
  }

  /** Skips the shot, which is of no use. */
  passed(trackId: number, shotId: number): void {
    const track = this.#tracks.find(({ id }) => id === trackId);
    const shot = track?.awaits(shotId);
    if (shot) track?.pass(shot);
  }

  /** Ends all tracks: the camera stopped, or (`stopped`) the code that follows them does. */
  close(reason: 'gone' | 'stopped' = 'gone'): readonly TrackEnd[] {
    return this.#endAll(reason);
  }

  /**
   * Matches faces to tracks. The idea is ByteTrack's: sure faces are matched first, and begin tracks when they belong
   * to none; doubtful ones only continue tracks. Where the place explains nothing, the appearance may.
   */
  #match(seen: readonly SeenFace[], at: number): [Track, SeenFace][] {
    const matched: [Track, SeenFace][] = [];
    const pair = (tracks: Track[], some: SeenFace[]): SeenFace[] => {
      const pairs = associate(
        tracks.map((track) => predicted(track.motion, at)),
        some.map(({ view }) => view.box),
        (i, k) => (tracks[i]!.resembles(some[k]!.appearance) ? 1 : unlikeTrust),
      );
      for (const [i, k] of pairs) matched.push([tracks[i]!, some[k]!]);
      const taken = new Set(pairs.map(([, k]) => k));
      return some.filter((_, k) => !taken.has(k));
    };
    const sure = seen.filter(({ view }) => view.score >= sureScore);
    const unpaired = pair(this.#tracks, sure);
    const unmatched = (): Track[] =>
      this.#tracks.filter((track) => !matched.some(([it]) => it === track));
    pair(
      unmatched(),
      seen.filter(({ view }) => view.score < sureScore),
    );
    const found = alikeWithinReach(unmatched(), unpaired, at);
    matched.push(...found);
    const strangers = unpaired.filter((face) => !found.some(([, it]) => it === face));
    for (const face of strangers) {
      const track = new Track(++this.#lastId, face.view, at);
      this.#tracks.push(track);
      matched.push([track, face]);
    }
    return matched;
  }

  /** The chip is copied: a slice would keep the chips of the whole picture in memory. */
  #shot({ view, chip }: SeenFace, of: Pick<Shot, 'at' | 'coarse' | 'place'>): Shot | null {
    if (chip === null) return null;
    return { id: ++this.#lastShot, ...of, view, chip: Buffer.from(chip) };
  }

  #endAll(reason: TrackEnd['reason']): TrackEnd[] {
    return this.#endWhere(() => true, reason);
  }

  #endWhere(isOver: (track: Track) => boolean, reason: TrackEnd['reason']): TrackEnd[] {
    const over = this.#tracks.filter(isOver);
    this.#tracks = this.#tracks.filter((track) => !over.includes(track));
    return over.map((track) => endOf(track, reason));
  }
}

/**
 * Pairs faces that no box overlaps with tracks they may belong to by their appearance: a person who walks and is
 * found in one detection of three has left their box by then, and until they were seen twice their direction is
 * unknown.
 */
function alikeWithinReach(
  tracks: readonly Track[],
  seen: readonly SeenFace[],
  at: number,
): [Track, SeenFace][] {
  const pairs = tracks.flatMap((track) =>
    seen
      .filter(({ view }) => mayHaveReached(track.motion, view.box, at))
      .map((face) => ({ track, face, likeness: track.likenessTo(face.appearance) }))
      .filter(({ likeness }) => likeness >= minSameLikeness),
  );
  const found: [Track, SeenFace][] = [];
  for (const { track, face } of pairs.toSorted((a, b) => b.likeness - a.likeness)) {
    if (found.some(([it, other]) => it === track || other === face)) continue;
    found.push([track, face]);
  }
  return found;
}

function viewOf(track: Track, at: number): TrackView {
  const { id, doubt, startedAt, seenAt, view, shots } = track;
  const state = seenAt === at ? 'seen' : 'lost';
  const { hasSpeed } = track.motion;
  return { id, box: track.boxAt(at), state, hasSpeed, doubt, startedAt, seenAt, view, shots };
}

function endOf(track: Track, reason: TrackEnd['reason']): TrackEnd {
  const { id, startedAt, seenAt, hits, shots, template } = track;
  const endedAt = reason === 'replaced' ? track.endedAt : seenAt;
  return { id, reason, startedAt, endedAt, hits, shots, template };
}
