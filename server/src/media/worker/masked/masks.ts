/**
 * Privacy masks over what was recorded: those that are drawn now, whenever it was recorded. A camera may have been set
 * to be shown otherwise since, and nobody knows whether it was hung up otherwise too: then both places are hidden.
 */
import { MaskPainter, turnedBack, type MaskShapes } from '../../mask/mask-painter.ts';
import type { Rotation, Masks } from '../../protocol/worker-messages.ts';

/** Over a recorded picture that is shown turned so far, upright. */
export function recordedShapes({ polygons, rotation }: Masks, shownTurned: Rotation): MaskShapes {
  const drawn: MaskShapes = { hides: polygons, shows: [] };
  if (rotation === shownTurned) return drawn;
  const since = (((rotation - shownTurned) % 360) + 360) % 360;
  const { hides } = turnedBack(drawn, since as Rotation);
  return { hides: [...polygons, ...hides], shows: [] };
}

/** The same over its pixels before they are turned. */
export const recordedPainter = (masks: Masks, shownTurned: Rotation): MaskPainter =>
  new MaskPainter(turnedBack(recordedShapes(masks, shownTurned), shownTurned));
