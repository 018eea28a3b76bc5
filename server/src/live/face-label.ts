/** A face in a picture with its name, and what a viewer may read of it. */
import type { FaceBox } from '@nazar/contract/live.ts';
import { hiddenName } from '@nazar/contract/names.ts';
import type { Rect } from '#lib/geometry.ts';
import { rectOnMain } from '#media/mask/stream-part.ts';
import { mayReadName, type NamedPerson, type Scope } from '#http/scope.ts';

/** A box, and whose name it bears: the viewer's rights decide whether the name is read. */
export interface FaceLabel extends FaceBox, NamedPerson {
  /** How sure the detector is that this is a face, 0 to 1. */
  readonly score: number;
}

/** The label of a face on a picture in which the frame lies there; nothing where none of it is on that picture. */
export function placedOn(frame: Rect, label: FaceLabel): FaceLabel[] {
  const { x, y, width, height } = rectOnMain(label, frame);
  const isOnIt = x < 1 && y < 1 && x + width > 0 && y + height > 0;
  return isOnIt ? [{ ...label, x, y, width, height }] : [];
}

/** Not every user who may see a camera may read who people are. */
export function namedFor(scope: Scope, cameraId: string, box: FaceLabel): FaceBox {
  const { track_id, x, y, width, height, state, confidence } = box;
  const mayRead = box.name === null || mayReadName(scope, cameraId, box);
  const name = mayRead ? box.name : hiddenName;
  return { track_id, x, y, width, height, state, name, confidence };
}
