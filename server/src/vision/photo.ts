/** Which face of a photo is meant, and whether it will do. Pure. */
import type { PictureFault } from '@nazar/contract/problem.ts';
import type { FaceView } from './messages.ts';
import type { Gate } from './pack.ts';
import { faultOf } from './quality.ts';

export interface Choice {
  /** Its index among the faces; null when none stands out. */
  readonly face: number | null;
  readonly fault: PictureFault | null;
}

/** Somebody in the background is no rival: only a face at least this large (of the largest) is. */
const rivalSize = 0.7;

/** The largest face, unless another is nearly as large: then nobody can say who is meant. */
export function chooseFace(faces: readonly FaceView[], gate: Gate): Choice {
  const sure = faces.filter((face) => faultOf(face, gate) !== 'no_face');
  const [largest, second] = sure.toSorted((a, b) => b.iod - a.iod);
  if (!largest) return { face: null, fault: 'no_face' };
  if (second && second.iod > rivalSize * largest.iod) return { face: null, fault: 'several_faces' };
  return { face: faces.indexOf(largest), fault: faultOf(largest, gate) };
}
