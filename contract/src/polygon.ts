/** Polygons in fractions of a picture as it is shown, upright: corners in order, the last joined to the first. */
export type Point = readonly [x: number, y: number];
export type Polygon = readonly Point[];

/** By how much a picture is turned clockwise. */
export type QuarterTurn = 0 | 90 | 180 | 270;

export const quarterTurns: readonly QuarterTurn[] = [0, 90, 180, 270];

/** Both turns one after the other. */
export const turnBy = (first: QuarterTurn, second: QuarterTurn): QuarterTurn =>
  ((first + second) % 360) as QuarterTurn;

/** The turn from one rotation of a picture to another. */
export const turnBetween = (from: QuarterTurn, to: QuarterTurn): QuarterTurn =>
  ((to - from + 360) % 360) as QuarterTurn;

/** The same place on the picture after that was turned clockwise. */
export const turnedPoint = ([x, y]: Point, by: QuarterTurn): Point =>
  (({ 0: [x, y], 90: [1 - y, x], 180: [1 - x, 1 - y], 270: [y, 1 - x] }) as const)[by];

/** The same for a whole polygon. */
export const turnedPolygon = (polygon: Polygon, by: QuarterTurn): Polygon =>
  polygon.map((point) => turnedPoint(point, by));

/** Twice the area, with the sign of the direction in which the corners go. */
function doubleArea(polygon: Polygon): number {
  return polygon.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = polygon[(index + 1) % polygon.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
}

/** A fraction of the picture. */
export const areaOf = (polygon: Polygon): number => Math.abs(doubleArea(polygon)) / 2;

/** Whether no two edges cross or touch, but for neighbours at their corner. */
export function isSimple(polygon: Polygon): boolean {
  const edges = polygon.map(
    (from, index) => [from, polygon[(index + 1) % polygon.length]!] as const,
  );
  return edges.every(([a, b], i) =>
    edges.every(([c, d], j) => {
      const apart = Math.abs(i - j);
      const areNeighbours = apart <= 1 || apart === edges.length - 1;
      return areNeighbours || !cross(a, b, c, d);
    }),
  );
}

function cross(a: Point, b: Point, c: Point, d: Point): boolean {
  const side = (from: Point, to: Point, of: Point): number =>
    Math.sign((to[0] - from[0]) * (of[1] - from[1]) - (to[1] - from[1]) * (of[0] - from[0]));
  const overlaps = [0, 1].every(
    (axis) =>
      Math.max(Math.min(a[axis]!, b[axis]!), Math.min(c[axis]!, d[axis]!)) <=
      Math.min(Math.max(a[axis]!, b[axis]!), Math.max(c[axis]!, d[axis]!)),
  );
  return overlaps && side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0;
}
