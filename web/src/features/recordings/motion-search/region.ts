/** The part of the picture in which motion is searched, while it is drawn: a rectangle or a polygon. Pure. */
import { isZone, maxPoints, minPoints } from '@nazar/contract/zones.ts';
import {
  addCorner,
  insertCorner,
  insideCorner,
  moveCorner,
  removeCorner,
  type Corner,
  type Corners,
} from '#parts/drawing/corners.ts';

export const regionShapes = ['rectangle', 'polygon'] as const;
export type RegionShape = (typeof regionShapes)[number];

export interface Region {
  readonly shape: RegionShape;
  /** A rectangle has four, clockwise; the second is as high as the first. */
  readonly corners: Corners;
}

export const middle: Region = {
  shape: 'rectangle',
  corners: [
    [0.3, 0.3],
    [0.7, 0.3],
    [0.7, 0.7],
    [0.3, 0.7],
  ],
};

function rectangle([x, y]: Corner, [otherX, otherY]: Corner): Corners {
  const [left, right] = [Math.min(x, otherX), Math.max(x, otherX)];
  const [top, bottom] = [Math.min(y, otherY), Math.max(y, otherY)];
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

/** Between two corners that lie across from each other. */
export const drawn = (from: Corner, to: Corner): Region => ({
  shape: 'rectangle',
  corners: rectangle(insideCorner(from), insideCorner(to)),
});

/** A polygon that becomes a rectangle is the one around it. */
export function reshaped({ corners }: Region, shape: RegionShape): Region {
  if (shape === 'polygon') return { shape, corners };
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const first: Corner = [Math.min(...xs), Math.min(...ys)];
  return { shape, corners: rectangle(first, [Math.max(...xs), Math.max(...ys)]) };
}

/** The corners beside the one that is moved go with it, so that a rectangle stays one. */
export function moved({ shape, corners }: Region, index: number, to: Corner): Region {
  const inside = insideCorner(to);
  if (shape === 'polygon') return { shape, corners: moveCorner(corners, index, inside) };
  const [x, y] = inside;
  const [next, previous] = [(index + 1) % 4, (index + 3) % 4];
  // Clockwise: of the corners beside it, one is as high and the other as far left.
  const [level, below] = index % 2 === 0 ? [next, previous] : [previous, next];
  const [levelX] = corners[level]!;
  const [, belowY] = corners[below]!;
  return {
    shape,
    corners: corners.with(index, inside).with(level, [levelX, y]).with(below, [x, belowY]),
  };
}

export const mayGrow = ({ corners }: Region): boolean => corners.length < maxPoints;
export const mayShrink = ({ corners }: Region): boolean => corners.length > minPoints;

export const grown = ({ shape, corners }: Region, index: number): Region => ({
  shape,
  corners: addCorner(corners, index),
});

export const shrunk = ({ shape, corners }: Region, index: number): Region => ({
  shape,
  corners: removeCorner(corners, index),
});

/** How far a point lies from an edge. */
function distance([x, y]: Corner, [ax, ay]: Corner, [bx, by]: Corner): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / length;
  const at = Math.min(1, Math.max(0, along));
  return Math.hypot(x - ax - at * dx, y - ay - at * dy);
}

/** A corner there, in the edge that lies nearest; `index` is that of the new corner, null where there is no more room. */
export function withCorner(region: Region, at: Corner): { region: Region; index: number } | null {
  const { shape, corners } = region;
  if (!mayGrow(region)) return null;
  const far = corners.map((from, i) => distance(at, from, corners[(i + 1) % corners.length]!));
  const edge = far.indexOf(Math.min(...far));
  return { region: { shape, corners: insertCorner(corners, edge, at) }, index: edge + 1 };
}

/** Its edges cross, or there is hardly anything in it. */
export const isBroken = ({ corners }: Region): boolean => !isZone(corners);

/** As the server takes it. */
export const asQuery = ({ corners }: Region): string => corners.flat().join(',');
