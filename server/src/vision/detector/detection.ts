/** What families of detectors have in common: how the answer of a network becomes boxes. */
import type { Size, Rect, Point } from '#lib/geometry.ts';

/** What a network proposes. */
export interface Proposal {
  readonly box: Rect;
  /** 0 to 1. */
  readonly score: number;
  /** Eyes, tip of the nose, corners of the mouth, left in the picture first; null: the family does not give them. */
  readonly points: readonly Point[] | null;
}

/** What may be a face, in pixels of the picture. */
export interface Detection extends Proposal {
  /** The score says little: the face must be confirmed alone. */
  readonly doubtful: boolean;
}

/** Returns faces whose score reaches `minScore`, in pixels of the network's input; one face may come several times. */
export type Decode = (
  output: Record<string, Float32Array>,
  input: Size,
  minScore: number,
) => Proposal[];
