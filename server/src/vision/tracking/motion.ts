/**
 * Predicts where a face will be (constant velocity between pictures) and assigns boxes to tracks.
 * Pure.
 */
import type { Rect } from '#lib/geometry.ts';
import { iou, stepBetween, widened } from '../picture.ts';

/** A box that moves; velocities in pixels per millisecond. */
export interface Moving {
  readonly box: Rect;
  readonly at: number;
  readonly vx: number;
  readonly vy: number;
  /** False until it was seen twice without a gap: it may go anywhere. */
  readonly hasSpeed: boolean;
}

/** A box of whose speed nothing is known. */
export const appeared = (box: Rect, at: number): Moving => {
  return { box, at, vx: 0, vy: 0, hasSpeed: false };
};

/** A longer gap says nothing about speed any more. */
const maxGapMs = 1_000;
/** The share of the newest step in the velocity: boxes tremble by some pixels from picture to picture. */
const freshness = 0.5;

export function predicted({ box, at, vx, vy }: Moving, now: number): Rect {
  const ms = Math.min(now - at, maxGapMs);
  return { ...box, x: box.x + vx * ms, y: box.y + vy * ms };
}

export function moved(from: Moving, box: Rect, at: number): Moving {
  const ms = at - from.at;
  if (ms <= 0 || ms > maxGapMs) return appeared(box, at);
  const [x, y] = stepBetween(from.box, box);
  return {
    box,
    at,
    vx: from.vx + freshness * (x / ms - from.vx),
    vy: from.vy + freshness * (y / ms - from.vy),
    hasSpeed: true,
  };
}

/** A person who walks across at 1.5 m/s has moved by this many widths of their face after a second. */
const widthsPerS = 9;
/** The most a face grows or shrinks in a second: no person approaches or leaves faster. */
const maxGrowth = 1.4;

/** Whether the face of that box may be there by now, in whatever direction it went. */
export function mayHaveReached({ box, at }: Moving, face: Rect, now: number): boolean {
  const away = Math.hypot(...stepBetween(box, face));
  const growth = face.width / box.width;
  const isAlike = growth < maxGrowth && growth > 1 / maxGrowth;
  return isAlike && away <= (widthsPerS * box.width * (now - at)) / 1000;
}

/**
 * Boxes are widened by this share of their size on each side before they are compared: at 5 pictures a second a
 * walking person's face may leave its own box between two (after buffered IoU, Yang et al. 2023).
 */
const buffer = 0.3;
const minShared = 0.15;

/** Returns pairs of indices, best first, each index once. `trust` weighs which pair is better, not which may be one. */
export function associate(
  boxes: readonly Rect[],
  faces: readonly Rect[],
  trust: (box: number, face: number) => number = () => 1,
): [number, number][] {
  const pairs: { box: number; face: number; affinity: number }[] = [];
  for (const [i, box] of boxes.entries()) {
    for (const [k, face] of faces.entries()) {
      const shared = iou(widened(box, buffer), widened(face, buffer));
      if (shared > minShared) pairs.push({ box: i, face: k, affinity: shared * trust(i, k) });
    }
  }
  const takenBoxes = new Set<number>();
  const takenFaces = new Set<number>();
  const result: [number, number][] = [];
  for (const { box, face } of pairs.toSorted((a, b) => b.affinity - a.affinity)) {
    if (takenBoxes.has(box) || takenFaces.has(face)) continue;
    takenBoxes.add(box);
    takenFaces.add(face);
    result.push([box, face]);
  }
  return result;
}
