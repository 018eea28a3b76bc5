/**
 * Places privacy masks on recorded pictures. Pure: the present masks, whenever the recording was made. When the rotation of
 * the camera was changed since, it is not known whether the camera itself was turned, too: then both places are
 * hidden.
 */
import { MaskPainter, turnedBack, type MaskShapes } from './mask-painter.ts';
import type { Rotation } from '../protocol/rotation.ts';
import type { Masks } from '../protocol/worker-messages.ts';

/** The shapes over a recorded picture, upright; `shownTurned`: the rotation that the recording has. */
export function recordedShapes({ polygons, rotation }: Masks, shownTurned: Rotation): MaskShapes {
  const drawn: MaskShapes = { hides: polygons, shows: [] };
  if (rotation === shownTurned) return drawn;
  const since = (((rotation - shownTurned) % 360) + 360) % 360;
  const { hides } = turnedBack(drawn, since as Rotation);
  return { hides: [...polygons, ...hides], shows: [] };
}

/** A painter for its pixels before they are turned. */
export const recordedPainter = (masks: Masks, shownTurned: Rotation): MaskPainter =>
  new MaskPainter(turnedBack(recordedShapes(masks, shownTurned), shownTurned));
