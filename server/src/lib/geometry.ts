/** Positions in an image, in pixels from its top left unless stated otherwise. Pure. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

export type Point = readonly [x: number, y: number];

/** Left, top, right, bottom. */
export const edgesOf = ({ x, y, width, height }: Rect): number[] => [x, y, x + width, y + height];

/** Whether each edge of `one` is at most that far from the same edge of `other`, horizontally and vertically. */
export function isWithin(one: Rect, other: Rect, { width, height }: Size): boolean {
  const others = edgesOf(other);
  const apart = edgesOf(one).map((edge, index) => Math.abs(edge - others[index]!));
  return apart.every((distance, index) => distance <= (index % 2 === 0 ? width : height));
}

/** The same, with the distance as a share of the other's width and height. */
export const isWithinShare = (one: Rect, other: Rect, share: number): boolean =>
  isWithin(one, other, { width: share * other.width, height: share * other.height });
