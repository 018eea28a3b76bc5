/**
 * Turns the cells of the motion detector (8x8 pixels of a small picture) into those of the grid that is recorded. A
 * detector's cell that lies in several cells of the grid counts for each of them, so that whoever looks for a place
 * finds all that moved there. Pure.
 */
import type { Point } from '@nazar/contract/polygon.ts';
import type { Size } from '#lib/geometry.ts';
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

  /** `picture`: what is compared; `turn`: by how much it must be turned clockwise to be upright. */
  constructor(picture: Size, turn: Rotation) {
    const columns = Math.ceil(picture.width / detectorCell);
    const rows = Math.ceil(picture.height / detectorCell);
    this.#cells = Array.from({ length: columns * rows }, (_, cell) =>
      cellsOf(cell % columns, Math.floor(cell / columns), picture, turn),
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

function cellsOf(column: number, row: number, { width, height }: Size, turn: Rotation): Cells {
  const corners = [
    turned([(column * detectorCell) / width, (row * detectorCell) / height], turn),
    turned([endOf(column, width), endOf(row, height)], turn),
  ] as const;
  const cells = noCells();
  const [left, right] = span(corners[0][0], corners[1][0], gridColumns);
  const [top, bottom] = span(corners[0][1], corners[1][1], gridRows);
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) addCell(cells, x, y);
  return cells;
}

/** Where a detector's cell ends, in a fraction of the picture. */
const endOf = (at: number, pixels: number): number =>
  Math.min(1, ((at + 1) * detectorCell) / pixels);

/** First and end of the cells that lie between two places. What rounding adds to a border is none of a cell. */
function span(a: number, b: number, count: number): [number, number] {
  const rounding = 1e-9;
  const first = Math.floor(Math.min(a, b) * count + rounding);
  return [first, Math.ceil(Math.max(a, b) * count - rounding)];
}

const turned = ([x, y]: Point, turn: Rotation): Point =>
  (({ 0: [x, y], 90: [1 - y, x], 180: [1 - x, 1 - y], 270: [y, 1 - x] }) as const)[turn];
