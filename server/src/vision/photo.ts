/** Which face of a photo is meant, and whether it is good enough. Pure. */
import type { PictureFault } from '@nazar/contract/problem.ts';
import type { Size, Rect } from '#lib/geometry.ts';
import type { FaceView } from './messages.ts';
import type { Calibration, Gate } from './packs/pack.ts';
import { faultOf } from './quality.ts';
import { maxRoll, rollOf } from './turns.ts';

/** Returns why a face of a photo does not pass, the most telling reason first; null when it does. */
export function photoFault(face: FaceView, gate: Gate): PictureFault | null {
  const fault = faultOf(face, gate);
  if (fault === 'no_face') return fault;
  return Math.abs(rollOf(face.points)) > maxRoll ? 'lies_on_side' : fault;
}

export interface Choice {
  /** Its index among the faces; null when none stands out. */
  readonly face: number | null;
  readonly fault: PictureFault | null;
}

/** A face of at least this share of the largest one's size may be meant as well as it. */
const rivalSize = 0.5;
/** A face of which more than this share lies outside the picture is not a portrait. */
const maxOutside = 0.25;

/** Chooses the largest face, unless another has half its size or more: then it is unclear who is meant. */
export function chooseFace(faces: readonly FaceView[], gate: Gate, picture: Size): Choice {
  const candidates = candidatesOf(faces, gate, picture);
  if (candidates.filter((face) => isRival(face, candidates)).length > 1) return unclear;
  const [largest] = candidates;
  return largest ? chosen(faces, largest, gate) : { face: null, fault: 'no_face' };
}

/** How near a face is to the photos of the person who is meant; null: it cannot be compared. */
export type Likeness = ReadonlyMap<FaceView, number | null>;

/**
 * Chooses the face that fits the person who is meant, by the network's own measure; where none does, or two do,
 * it is unclear who is meant. A face that is alone is always meant.
 */
export function chooseKnownFace(
  faces: readonly FaceView[],
  gate: Gate,
  picture: Size,
  likeness: Likeness,
  { openSet, margin }: Pick<Calibration, 'openSet' | 'margin'>,
): Choice {
  const candidates = candidatesOf(faces, gate, picture);
  const compared = candidates
    .map((face) => ({ face, distance: likeness.get(face) ?? Infinity }))
    .toSorted((a, b) => a.distance - b.distance);
  const [first, second] = compared;
  if (first && first.distance < openSet) {
    const isClear = !second || second.distance - first.distance >= margin;
    return isClear ? chosen(faces, first.face, gate) : unclear;
  }
  const others = compared.filter(
    ({ face, distance }) => distance < Infinity || isRival(face, candidates),
  );
  return others.length > 1 ? unclear : chooseFace(faces, gate, picture);
}

/** Returns the faces that may be meant, the largest first. */
export function candidatesOf(faces: readonly FaceView[], gate: Gate, picture: Size): FaceView[] {
  return faces
    .filter((face) => faultOf(face, gate) !== 'no_face')
    .filter(({ box }) => outside(box, picture) <= maxOutside)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
}

const unclear: Choice = { face: null, fault: 'several_faces' };

const chosen = (faces: readonly FaceView[], face: FaceView, gate: Gate): Choice => ({
  face: faces.indexOf(face),
  fault: photoFault(face, gate),
});

const sizeOf = ({ box }: FaceView): number => Math.max(box.width, box.height);

/** `candidates`: the largest first. */
const isRival = (face: FaceView, [largest]: readonly FaceView[]): boolean =>
  sizeOf(face) >= rivalSize * sizeOf(largest!);

/** Returns the share of a box that lies outside the picture, 0 to 1. */
function outside({ x, y, width, height }: Rect, picture: Size): number {
  const insideX = Math.min(x + width, picture.width) - Math.max(x, 0);
  const insideY = Math.min(y + height, picture.height) - Math.max(y, 0);
  return 1 - (Math.max(0, insideX) * Math.max(0, insideY)) / (width * height);
}
