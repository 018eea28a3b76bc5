/**
 * Places privacy masks on recorded pictures: the present masks, whenever the recording was made. Where the rotation of the
 * camera was changed since, it is not known whether the camera itself was turned, too: then every place where one may be
 * is hidden. So are all places where one may be because of what the recorded stream shows of the main picture. Pure.
 */
import { quarterTurns, turnBetween, turnedPolygon } from '@nazar/contract/polygon.ts';
import { MaskPainter, turnedBack, type MaskShapes } from './mask-painter.ts';
import type { Rotation } from '../protocol/rotation.ts';
import type { Masks, ZoneMasks, RecordedPlaces } from '../protocol/worker-messages.ts';
import { hiddenShapes, shapesOnPart, turnedPart } from './stream-part.ts';

export type TurnedMasks = ZoneMasks & Pick<RecordedPlaces, 'turns'>;

/** The shapes over a recorded picture, upright; `shownTurned`: the rotation that the recording has. */
export function recordedShapes(masks: Masks, shownTurned: Rotation): MaskShapes {
  const ofMain = mainShapes(masks, shownTurned);
  const placed = masks.parts.map((part) => shapesOnPart(ofMain, turnedPart(part, shownTurned)));
  if (placed.length === 0 && ofMain.hides.length > 0) return hiddenShapes;
  const wider = Math.max(0, ...placed.map((shapes) => shapes.wider ?? 0));
  return { hides: placed.flatMap(({ hides }) => hides), shows: [], wider };
}

/** The same over a recorded picture of the main stream. */
export function mainShapes(masks: TurnedMasks, shownTurned: Rotation): MaskShapes {
  const { polygons, rotation, turns } = masks;
  // It has another rotation than any that is accounted for: it may show them in every place.
  const isAccounted = turns.includes(turnBetween(shownTurned, rotation));
  const by = isAccounted ? turns : quarterTurns;
  const hides = by.flatMap((turn) => polygons.map((polygon) => turnedPolygon(polygon, turn)));
  return { hides, shows: [] };
}

/** A painter for its pixels before they are turned. */
export const recordedPainter = (masks: Masks, shownTurned: Rotation): MaskPainter =>
  new MaskPainter(turnedBack(recordedShapes(masks, shownTurned), shownTurned));
