/** Polygons in fractions of a picture as it is shown, upright: corners in order, the last joined to the first. */
export type Point = readonly [x: number, y: number];
export type Polygon = readonly Point[];

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
