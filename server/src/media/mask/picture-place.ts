/**
 * Where in a camera's picture a smaller one was cut out, so that masks that are drawn later hide it, too: the pictures of
 * visits. Pure.
 */
import { createHash } from 'node:crypto';
import type { Point, Polygon, QuarterTurn } from '@nazar/contract/polygon.ts';
import type { Rect } from '#lib/geometry.ts';
import type { MediaZone, Painted } from '../protocol/messages.ts';
import type { Rotation } from '../protocol/rotation.ts';
import { mainShapes } from './recorded-masks.ts';

/** In fractions of the camera's main picture, upright. */
export type PicturePlace = Rect & Painted;

export interface DrawnMasks {
  readonly polygons: readonly Polygon[];
  /** By how much the picture is turned on which they are drawn. */
  readonly rotation: Rotation;
}

export const masksAmong = (zones: readonly MediaZone[]): Polygon[] =>
  zones.filter(({ kind }) => kind === 'privacy').map(({ points }) => points);

/** The same for the same masks in the same order. */
export const nameOfMasks = (polygons: readonly Polygon[]): string =>
  createHash('sha256').update(JSON.stringify(polygons)).digest('base64url');

/**
 * Returns a function that says whether a current mask hides a part of a picture of one camera. `place` null: it is not
 * known where the picture was cut out. `turns`: by how much the masks may be turned on it, because the camera was
 * turned since; 0 is one of them.
 */
export function hiddenUnder(
  masks: DrawnMasks,
): (place: PicturePlace | null, turns: readonly QuarterTurn[]) => boolean {
  const { polygons, rotation } = masks;
  if (polygons.length === 0) return () => false;
  const name = nameOfMasks(polygons);
  return (place, turns) => {
    if (place === null) return true;
    // What lies behind a mask is black in it already.
    const isPainted = place.masks === name && place.rotation === rotation;
    if (isPainted && turns.length === 1) return false;
    const { hides } = mainShapes({ ...masks, turns }, place.rotation);
    return hides.some((polygon) => touches(polygon, place));
  };
}

/** Whether they have a point in common. */
export function touches(polygon: Polygon, { x, y, width, height }: Rect): boolean {
  const [right, bottom] = [x + width, y + height];
  const isInside = ([px, py]: Point): boolean => px >= x && px <= right && py >= y && py <= bottom;
  if (polygon.some(isInside) || holds(polygon, [x, y])) return true;
  return edgesOf(polygon).some((edge) => reaches(edge, { x, y, right, bottom }));
}

type Edge = readonly [from: Point, to: Point];

const edgesOf = (polygon: Polygon): Edge[] =>
  polygon.map((from, index) => [from, polygon[(index + 1) % polygon.length]!]);

/** By the even-odd rule, as masks are painted. */
const holds = (polygon: Polygon, [x, y]: Point): boolean =>
  edgesOf(polygon).filter(
    ([[x1, y1], [x2, y2]]) => y1 <= y !== y2 <= y && x1 + ((y - y1) / (y2 - y1)) * (x2 - x1) > x,
  ).length %
    2 ===
  1;

interface Sides {
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly bottom: number;
}

/** Whether a part of the edge lies between all four sides (Liang and Barsky). */
function reaches([[x1, y1], [x2, y2]]: Edge, { x, y, right, bottom }: Sides): boolean {
  let [from, to] = [0, 1];
  for (const [start, step, least, most] of [
    [x1, x2 - x1, x, right],
    [y1, y2 - y1, y, bottom],
  ] as const) {
    if (step === 0) {
      if (start < least || start > most) return false;
      continue;
    }
    const ends = [(least - start) / step, (most - start) / step];
    from = Math.max(from, Math.min(...ends));
    to = Math.min(to, Math.max(...ends));
  }
  return from <= to;
}
