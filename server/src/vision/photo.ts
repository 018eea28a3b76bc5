/** Which face of a photo is meant, and whether it is good enough. Pure. */
import type { PictureFault } from '@nazar/contract/problem.ts';
import type { Size, Rect } from '#lib/geometry.ts';
import type { FaceView } from './messages.ts';
import type { Gate } from './packs/pack.ts';
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

/**
 * A person in the background is no rival: only a face at least this prominent (as a share of the most prominent) is.
 */
const rivalProminence = 0.7;
/** A face of which more than this share lies outside the picture is not a portrait. */
const maxOutside = 0.25;

/** Chooses the most prominent face, unless another is nearly as prominent: then it is unclear who is meant. */
export function chooseFace(
  faces: readonly FaceView[],
  gate: Gate,
  picture: { readonly width: number; readonly height: number },
): Choice {
  const ranked = faces
    .filter((face) => faultOf(face, gate) !== 'no_face')
    .filter(({ box }) => outside(box, picture) <= maxOutside)
    .map((face) => ({ face, prominence: prominence(face, picture) }))
    .toSorted((a, b) => b.prominence - a.prominence);
  const [first, second] = ranked;
  if (!first) return { face: null, fault: 'no_face' };
  if (second && second.prominence > rivalProminence * first.prominence) {
    return { face: null, fault: 'several_faces' };
  }
  return { face: faces.indexOf(first.face), fault: photoFault(first.face, gate) };
}

/** Size counts, and so does the middle: a photographer points at the person they mean. */
function prominence({ box, iod }: FaceView, { width, height }: Size): number {
  const fromMiddleX = (box.x + box.width / 2 - width / 2) / (width / 2);
  const fromMiddleY = (box.y + box.height / 2 - height / 2) / (height / 2);
  return iod * (1 - Math.min(1, Math.hypot(fromMiddleX, fromMiddleY)) / 2);
}

/** Returns the share of a box that lies outside the picture, 0 to 1. */
function outside({ x, y, width, height }: Rect, picture: Size): number {
  const insideX = Math.min(x + width, picture.width) - Math.max(x, 0);
  const insideY = Math.min(y + height, picture.height) - Math.max(y, 0);
  return 1 - (Math.max(0, insideX) * Math.max(0, insideY)) / (width * height);
}
