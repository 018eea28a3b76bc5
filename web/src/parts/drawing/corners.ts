/** Corners of a shape while it is drawn on a picture, as pure functions. They stay inside the picture. */
import { maxPoints, minPoints } from '@nazar/contract/zones.ts';

/** Fractions of the picture as it is shown, upright. */
export type Corner = readonly [x: number, y: number];
export type Corners = readonly Corner[];

/** A thousandth of the picture is finer than a user can point. */
const inside = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;

export const insideCorner = ([x, y]: Corner): Corner => [inside(x), inside(y)];

export const moveCorner = (corners: Corners, index: number, to: Corner): Corners =>
  corners.with(index, insideCorner(to));

/** Halfway to the next corner. */
export function addCorner(corners: Corners, index: number): Corners {
  const [x, y] = corners[index]!;
  const [nextX, nextY] = corners[(index + 1) % corners.length]!;
  return insertCorner(corners, index, [(x + nextX) / 2, (y + nextY) / 2]);
}

/** After that corner. */
export function insertCorner(corners: Corners, index: number, corner: Corner): Corners {
  if (corners.length >= maxPoints) return corners;
  return corners.toSpliced(index + 1, 0, insideCorner(corner));
}

export const removeCorner = (corners: Corners, index: number): Corners =>
  corners.length <= minPoints ? corners : corners.toSpliced(index, 1);
