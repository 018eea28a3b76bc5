/** Which cells of a motion grid a part of the picture takes up, and which a viewer may learn of. Pure. */
import type { Polygon } from '@nazar/contract/polygon.ts';
import {
  addCell,
  gridCells,
  gridColumns,
  gridRows,
  noCells,
  type Cells,
} from '../protocol/motion-grid.ts';
import type { Rotation } from '../protocol/rotation.ts';
import { MaskPainter } from './mask-painter.ts';
import { mainShapes, type TurnedMasks } from './recorded-masks.ts';

/** Every cell that one of the polygons touches; `around`: and so many cells on every side. */
export function touchedCells(polygons: readonly Polygon[], around = 0): Cells {
  const data = Buffer.alloc(gridCells, 1);
  const painter = new MaskPainter({ hides: polygons, shows: [] });
  const whole = { x: 0, y: 0, width: 1, height: 1, margin: around };
  painter.paint({ width: gridColumns, height: gridRows, data }, 1, whole);
  const touched = noCells();
  for (const [place, left] of data.entries()) {
    if (left === 0) addCell(touched, place % gridColumns, Math.floor(place / gridColumns));
  }
  return touched;
}

/**
 * Returns the cells in which nothing that moves behind a current mask can show, in a main picture recorded with that
 * rotation. A cell beside a mask is left out, too: what is compared are squares of 8 pixels, and one that lies in two
 * cells counts for both.
 */
export function unmaskedCells(cells: Cells, masks: TurnedMasks, rotation: Rotation): Cells {
  const hidden = touchedCells(mainShapes(masks, rotation).hides, 1);
  return cells.map((byte, index) => byte & ~hidden[index]!);
}
