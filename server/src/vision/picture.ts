/** Pixels in memory, and the small geometry that all of vision shares. */
import type { Rect, Point } from '#lib/geometry.ts';

/** RGB, 3 bytes a pixel, row after row from the top left. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

export function area({ width, height }: Rect): number {
  return width * height;
}

/** Returns where a rectangle is in a picture of that size, in fractions of it. */
export function inFractions(
  { x, y, width, height }: Rect,
  picture: Pick<Picture, 'width' | 'height'>,
): Rect {
  return {
    x: x / picture.width,
    y: y / picture.height,
    width: width / picture.width,
    height: height / picture.height,
  };
}

export function intersection(a: Rect, b: Rect): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Intersection over union: 0 apart, 1 the same. */
export function iou(a: Rect, b: Rect): number {
  const common = intersection(a, b);
  return common === 0 ? 0 : common / (area(a) + area(b) - common);
}

/** Returns the way from the middle of one rectangle to the middle of another. */
export function stepBetween(from: Rect, to: Rect): Point {
  return [
    to.x + to.width / 2 - from.x - from.width / 2,
    to.y + to.height / 2 - from.y - from.height / 2,
  ];
}

/** Returns the rectangle with that share of its size more on each side. */
export function widened({ x, y, width, height }: Rect, share: number): Rect {
  const [dx, dy] = [share * width, share * height];
  return { x: x - dx, y: y - dy, width: width + 2 * dx, height: height + 2 * dy };
}

export function mean(points: readonly Point[]): Point {
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += point[0];
    y += point[1];
  }
  return [x / points.length, y / points.length];
}
