/**
 * The rest of a picture outside some polygons, as polygons: Frigate masks out where motion doesn't count, and Nazar
 * stores where it does. The picture is cut into slabs at the height of every corner and crossing, so that no edge
 * begins, ends or meets another inside a slab; the areas there that no polygon covers are trapezoids, and adjoining
 * ones become one polygon. Pure.
 */
import type { Point, Polygon } from '@nazar/contract/polygon.ts';
import { isZone, maxPoints, maxZones, minArea } from '@nazar/contract/zones.ts';
import { areaOf } from '@nazar/contract/polygon.ts';

interface Edge {
  readonly from: Point;
  readonly to: Point;
  /** The polygon that it belongs to. */
  readonly polygon: number;
}

/** A part of a slab, by the positions of its sides at the slab's top and bottom. */
interface Trapezoid {
  /** Null: the border of the picture. */
  readonly sides: readonly [left: Edge | null, right: Edge | null];
  readonly top: readonly [left: number, right: number];
  readonly bottom: readonly [left: number, right: number];
}

/** A polygon that grows downwards. */
interface Chain {
  left: Point[];
  right: Point[];
  slabs: number;
  end: readonly [left: number, right: number];
  sides: Trapezoid['sides'];
}

/** Every pair of edges is compared. Masks that are drawn by hand have a dozen corners. */
const maxEdges = 400;
const maxSlabs = 1_000;
/** A thousandth of a pixel of 4K. */
const tiny = 1e-7;
/** A side of a chain has one corner more than it has slabs. */
const maxChainSlabs = maxPoints / 2 - 1;
const digits = 1e5;

/**
 * Corners beyond the picture are moved to its border. Null: more corners or parts than zones may have. Empty: nothing
 * of the picture remains.
 */
export function outside(polygons: readonly Polygon[]): Polygon[] | null {
  const edges = polygons.flatMap(edgesOf);
  if (edges.length > maxEdges) return null;
  const heights = heightsOf(edges);
  if (heights.length > maxSlabs) return null;
  const done: Chain[] = [];
  let growing: Chain[] = [];
  for (const [index, bottom] of heights.entries()) {
    const top = heights[index - 1];
    if (top === undefined) continue;
    const next: Chain[] = [];
    for (const part of uncovered(edges, top, bottom)) {
      // A chain that grew in this slab now ends at its bottom.
      const ended = growing.filter((chain) => !next.includes(chain));
      next.push(grown(ended, part, top, bottom));
    }
    done.push(...growing.filter((chain) => !next.includes(chain)));
    growing = next;
  }
  const parts = [...done, ...growing].map(polygonOf).filter((part) => areaOf(part) >= minArea);
  return parts.length <= maxZones && parts.every(isZone) ? parts : null;
}

function edgesOf(polygon: Polygon, number: number): Edge[] {
  const corners = polygon.map(([x, y]): Point => [within(x), within(y)]);
  return corners.flatMap((from, index) => {
    const to = corners[(index + 1) % corners.length]!;
    return from[1] === to[1] ? [] : [{ from, to, polygon: number }];
  });
}

const within = (value: number): number => Math.min(1, Math.max(0, value));

/** The heights at which slabs begin and end. */
function heightsOf(edges: readonly Edge[]): number[] {
  const heights = [0, 1, ...edges.flatMap(({ from, to }) => [from[1], to[1]])];
  for (const [index, edge] of edges.entries()) {
    for (const other of edges.slice(index + 1)) {
      const height = crossing(edge, other);
      if (height !== null) heights.push(height);
    }
  }
  const sorted = heights.toSorted((a, b) => a - b);
  return sorted.filter((height, index) => index === 0 || height - sorted[index - 1]! > tiny);
}

/** The height at which two edges cross; null where they don't. */
function crossing(one: Edge, other: Edge): number | null {
  const top = Math.max(topOf(one), topOf(other));
  const bottom = Math.min(bottomOf(one), bottomOf(other));
  if (top >= bottom) return null;
  const atTop = acrossAt(one, top) - acrossAt(other, top);
  const atBottom = acrossAt(one, bottom) - acrossAt(other, bottom);
  if (atTop * atBottom >= 0) return null;
  return top + ((bottom - top) * atTop) / (atTop - atBottom);
}

const topOf = ({ from, to }: Edge): number => Math.min(from[1], to[1]);
const bottomOf = ({ from, to }: Edge): number => Math.max(from[1], to[1]);

/** The position of an edge at that height, which it reaches. */
function acrossAt({ from, to }: Edge, height: number): number {
  const share = (height - from[1]) / (to[1] - from[1]);
  return from[0] + share * (to[0] - from[0]);
}

/** The parts of a slab that no polygon covers, from left to right. */
function uncovered(edges: readonly Edge[], top: number, bottom: number): Trapezoid[] {
  const middle = (top + bottom) / 2;
  const crossed = edges
    .filter((edge) => topOf(edge) < middle && bottomOf(edge) > middle)
    .map((edge) => ({ edge, x: acrossAt(edge, middle) }))
    .toSorted((a, b) => a.x - b.x);
  const inside = new Set<number>();
  const parts: Trapezoid[] = [];
  let left: Edge | null = null;
  for (const { edge } of [...crossed, { edge: null }]) {
    if (inside.size === 0) {
      const at = (height: number): readonly [number, number] => [
        left ? acrossAt(left, height) : 0,
        edge ? acrossAt(edge, height) : 1,
      ];
      const part: Trapezoid = { sides: [left, edge], top: at(top), bottom: at(bottom) };
      if (part.top[1] - part.top[0] > tiny || part.bottom[1] - part.bottom[0] > tiny) {
        parts.push(part);
      }
    }
    if (!edge) break;
    if (!inside.delete(edge.polygon)) inside.add(edge.polygon);
    left = edge;
  }
  return parts;
}

/** The chain that ends in that part: an existing one that reached it, or a new one. */
function grown(chains: readonly Chain[], part: Trapezoid, top: number, bottom: number): Chain {
  const [left, right] = part.top;
  const before = chains.find(
    ({ end, slabs }) =>
      slabs < maxChainSlabs &&
      right - left > tiny &&
      Math.abs(end[0] - left) <= tiny &&
      Math.abs(end[1] - right) <= tiny,
  );
  const { sides } = part;
  const chain = before ?? {
    left: [[left, top]],
    right: [[right, top]],
    slabs: 0,
    end: part.top,
    sides,
  };
  // If a side continues along the same edge, there is no corner.
  if (chain.slabs > 0 && chain.sides[0] === sides[0]) chain.left.pop();
  if (chain.slabs > 0 && chain.sides[1] === sides[1]) chain.right.pop();
  chain.left.push([part.bottom[0], bottom]);
  chain.right.push([part.bottom[1], bottom]);
  chain.sides = sides;
  chain.slabs += 1;
  chain.end = part.bottom;
  return chain;
}

/** Without superfluous corners. */
function polygonOf({ left, right }: Chain): Polygon {
  const rounded = [...left, ...right.toReversed()].map(([x, y]): Point => [
    Math.round(x * digits) / digits,
    Math.round(y * digits) / digits,
  ]);
  return rounded.filter((point, index) => !isSame(point, rounded.at(index - 1)!));
}

const isSame = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1];
