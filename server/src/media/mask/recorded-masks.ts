/**
 * Places privacy masks on recorded pictures. Pure: the present masks, whenever the recording was made. When the rotation of
 * the camera was changed since, it is not known whether the camera itself was turned, too: then both places are
 * hidden. So are all places where one may be because of what the recorded stream shows of the main picture.
 */
import { MaskPainter, turnedBack, type MaskShapes } from './mask-painter.ts';
import type { Rotation } from '../protocol/rotation.ts';
import type { Masks, MasksAsDrawn } from '../protocol/worker-messages.ts';
import { hiddenShapes, shapesOnPart, turnedPart } from './stream-part.ts';

/** The shapes over a recorded picture, upright; `shownTurned`: the rotation that the recording has. */
export function recordedShapes(masks: Masks, shownTurned: Rotation): MaskShapes {
  const ofMain = mainShapes(masks, shownTurned);
  const placed = masks.parts.map((part) => shapesOnPart(ofMain, turnedPart(part, shownTurned)));
  if (placed.length === 0 && ofMain.hides.length > 0) return hiddenShapes;
  const wider = Math.max(0, ...placed.map((shapes) => shapes.wider ?? 0));
  return { hides: placed.flatMap(({ hides }) => hides), shows: [], wider };
}

/** The same over a recorded picture of the main stream. */
export function mainShapes(
  { polygons, rotation }: MasksAsDrawn,
  shownTurned: Rotation,
): MaskShapes {
  const drawn: MaskShapes = { hides: polygons, shows: [] };
  if (rotation === shownTurned) return drawn;
  const since = (((rotation - shownTurned) % 360) + 360) % 360;
  const { hides } = turnedBack(drawn, since as Rotation);
  return { hides: [...polygons, ...hides], shows: [] };
}

/** A painter for its pixels before they are turned. */
export const recordedPainter = (masks: Masks, shownTurned: Rotation): MaskPainter =>
  new MaskPainter(turnedBack(recordedShapes(masks, shownTurned), shownTurned));
