/** Where tiles stand: how many columns show them largest, and what lies beside a tile. Pure. */
import type { Camera } from '@nazar/contract/cameras.ts';

export interface Span {
  readonly columns: number;
  readonly rows: number;
}

/** A cell of the wall. What a camera sends is never cut or stretched: it lies inside. */
export const CELL_ASPECT = 16 / 9;
const USUAL: Span = { columns: 1, rows: 1 };

type Measured = Pick<Camera, 'health' | 'resolution' | 'rotation'>;

/** Width by height as it is seen: what arrives, or what was asked for as long as nothing did; turned as it is shown. */
export function aspectOf({ health, resolution, rotation }: Measured): number {
  const [askedWidth = 16, askedHeight = 9] = resolution.split('x').map(Number);
  const aspect = (health.width ?? askedWidth) / (health.height ?? askedHeight);
  return rotation % 180 === 0 ? aspect : 1 / aspect;
}

/** A camera with two lenses beside each other takes two columns, one that stands upright two rows. */
export function spanOf(camera: Measured): Span {
  const aspect = aspectOf(camera);
  if (aspect > 2) return { columns: 2, rows: 1 };
  return aspect < 1 ? { columns: 1, rows: 2 } : USUAL;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Grid {
  readonly columns: number;
  readonly cellWidth: number;
  readonly rowHeight: number;
}

/** CSS pixels between tiles. */
export const GAP = 4;
/** Below this size a viewer can't see who stands there: the wall is scrolled instead. */
const LEAST_CELL = 150;
/** Narrower than this a phone shows one tile below the other. */
export const ONE_COLUMN_BELOW = 640;

/** The grid that shows the largest cells without scrolling; where they would be too small, one that is scrolled. */
export function gridFor(spans: readonly Span[], { width, height }: Size): Grid {
  const cells = spans.reduce((sum, span) => sum + span.columns * span.rows, 0);
  const widest = Math.max(1, ...spans.map((span) => span.columns));
  const at = (columns: number): Grid => {
    const rows = Math.max(Math.ceil(cells / columns), ...spans.map((span) => span.rows));
    const byWidth = (width - GAP * (columns - 1)) / columns;
    const byHeight = ((height - GAP * (rows - 1)) / rows) * CELL_ASPECT;
    const cellWidth = Math.max(1, Math.floor(Math.min(byWidth, byHeight)));
    return { columns, cellWidth, rowHeight: Math.max(1, Math.floor(cellWidth / CELL_ASPECT)) };
  };
  const all = Array.from({ length: Math.max(1, cells - widest + 1) }, (_, more) =>
    at(widest + more),
  );
  const best = all.reduce((one, other) => (other.cellWidth > one.cellWidth ? other : one));
  if (best.cellWidth >= LEAST_CELL || width === 0) return best;
  const columns = Math.max(widest, Math.floor(width / (LEAST_CELL + GAP)));
  const cellWidth = Math.max(1, Math.floor((width - GAP * (columns - 1)) / columns));
  return { columns, cellWidth, rowHeight: Math.floor(cellWidth / CELL_ASPECT) };
}

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

export const isDirection = (key: string): key is Direction => key.startsWith('Arrow');

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

const middle = (from: number, to: number): number => (from + to) / 2;

/** The tile beside another: left and right in reading order, up and down the nearest in the row there. */
export function neighbour(boxes: readonly Box[], index: number, key: Direction): number {
  if (key === 'ArrowLeft') return Math.max(0, index - 1);
  if (key === 'ArrowRight') return Math.min(boxes.length - 1, index + 1);
  const from = boxes[index];
  if (from === undefined) return index;
  const isBeyond = (box: Box): boolean =>
    key === 'ArrowUp' ? box.bottom <= from.top : box.top >= from.bottom;
  const distance = (box: Box): number => {
    const down = key === 'ArrowUp' ? from.top - box.bottom : box.top - from.bottom;
    const across = Math.abs(middle(box.left, box.right) - middle(from.left, from.right));
    return down * 10 + across;
  };
  let nearest = index;
  for (const [at, box] of boxes.entries()) {
    if (!isBeyond(box)) continue;
    if (nearest === index || distance(box) < distance(boxes[nearest] ?? box)) nearest = at;
  }
  return nearest;
}

/** A list with the element at `from` put to the place `to`. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, index) => index !== from);
  const element = list[from];
  return element === undefined ? rest : [...rest.slice(0, to), element, ...rest.slice(to)];
}

/** The tile below a point; -1 between tiles. */
export const tileAt = (boxes: readonly Box[], x: number, y: number): number =>
  boxes.findIndex((box) => x >= box.left && x < box.right && y >= box.top && y < box.bottom);
