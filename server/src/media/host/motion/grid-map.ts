/**
 * Turns the cells of the motion detector (8x8 pixels of a small picture) into those of the grid that is recorded. A
 * detector's cell that lies in several cells of the grid counts for each of them, so that a search for a place
 * finds all that moved there. Pure.
 */
import { turnedPoint, type Point } from '@nazar/contract/polygon.ts';
import type { Size } from '#lib/geometry.ts';
import { alignedWithin, samePicture, type StreamPart } from '../../mask/stream-part.ts';
import type { Rotation } from '../../protocol/rotation.ts';
import {
  addCell,
  addCells,
  gridColumns,
  gridRows,
  noCells,
  type Cells,
} from '../../protocol/motion-grid.ts';
import { detectorCell } from './motion.ts';

export class GridMap {
  /** By the number of a detector's cell. */
  readonly #cells: readonly Cells[];

  /**
   * `picture`: what is compared; `turn`: by how much it must be turned clockwise to be upright; `part`: what it shows,
   * upright, of the upright picture that the grid lies over.
   */
  constructor(picture: Size, turn: Rotation, part: StreamPart = samePicture) {
    const columns = Math.ceil(picture.width / detectorCell);
    const rows = Math.ceil(picture.height / detectorCell);
    this.#cells = Array.from({ length: columns * rows }, (_, cell) =>
      cellsOf([cell % columns, Math.floor(cell / columns)], picture, turn, part),
    );
  }

  /** The cells of the grid in which the detector's cells lie; null when there are none. */
  of(moved: readonly number[]): Cells | null {
    if (moved.length === 0) return null;
    const cells = noCells();
    for (const cell of moved) addCells(cells, this.#cells[cell]!);
    return cells;
  }
}

function cellsOf(
  [column, row]: Point,
  { width, height }: Size,
  turn: Rotation,
  part: StreamPart,
): Cells {
  const [x1, y1] = turnedPoint(
    [(column * detectorCell) / width, (row * detectorCell) / height],
    turn,
  );
  const [x2, y2] = turnedPoint([endOf(column, width), endOf(row, height)], turn);
  const cells = noCells();
  const more = part.isMain ? 0 : alignedWithin;
  const across = (x: number): number => part.x + x * part.width;
  const down = (y: number): number => part.y + y * part.height;
  const [left, right] = span(across(x1), across(x2), gridColumns, more);
  const [top, bottom] = span(down(y1), down(y2), gridRows, more);
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) addCell(cells, x, y);
  return cells;
}

/** Where a detector's cell ends, in a fraction of the picture. */
const endOf = (at: number, pixels: number): number =>
  Math.min(1, ((at + 1) * detectorCell) / pixels);

/**
 * First and end of the cells that lie between two places, and `more` around them. What rounding adds to a border is none
 * of a cell; what lies beyond the grid counts for the cells at its edge.
 */
function span(a: number, b: number, count: number, more: number): [number, number] {
  const rounding = 1e-9;
  const first = Math.floor((Math.min(a, b) - more) * count + rounding);
  const end = Math.ceil((Math.max(a, b) + more) * count - rounding);
  return [Math.min(count - 1, Math.max(0, first)), Math.max(1, Math.min(count, end))];
}
