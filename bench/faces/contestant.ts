/** What is compared: anything that finds faces in a picture and makes vectors of them. */
import { area, type Picture } from '../../server/src/vision/picture.ts';
import type { Matcher } from './open-set.ts';
import type { Distance } from './verification.ts';
import type { Rect } from '../../server/src/lib/geometry.ts';

/** A face that the engine is sure of, by its own measure. */
export interface SeenFace {
  readonly box: Rect;
  /** The score of the engine's own detector, 0 to 1. */
  readonly score: number;
  readonly vector: Float32Array;
}

export interface Contestant {
  readonly name: string;
  readonly detect: (picture: Picture) => Promise<readonly SeenFace[]>;
  readonly distance: Distance;
  readonly matcher: Matcher;
}

/**
 * The face that a photo shows: the largest and nearest to the middle. One rule for all engines, so that none gains by
 * choosing well.
 */
export function subjectOf<Face extends SeenFace>(
  faces: readonly Face[],
  { width, height }: Picture,
): Face | null {
  const prominence = ({ box }: Face): number => {
    const [x, y] = middleOf(box);
    const away = Math.hypot((2 * x) / width - 1, (2 * y) / height - 1);
    return Math.sqrt(area(box)) * (1 - Math.min(1, away) / 2);
  };
  const [first = null] = faces.toSorted((a, b) => prominence(b) - prominence(a));
  return first;
}

/** The best face around a place, if there is one. */
export function faceAt<Face extends SeenFace>(
  faces: readonly Face[],
  [x, y]: readonly [x: number, y: number],
): Face | null {
  const [best = null] = faces
    .filter(({ box }) => contains(box, x, y))
    .toSorted((a, b) => b.score - a.score);
  return best;
}

export function middleOf({ x, y, width, height }: Rect): [x: number, y: number] {
  return [x + width / 2, y + height / 2];
}

function contains(box: Rect, x: number, y: number): boolean {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}
