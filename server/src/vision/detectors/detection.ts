/** What a family of detectors has in common: how the answer of its network becomes boxes. */
import type { Rect } from '../messages.ts';
import type { Point } from '../picture.ts';

/** What a network proposes. */
export interface Proposal {
  readonly box: Rect;
  /** 0 to 1. */
  readonly score: number;
  /** Eyes, tip of the nose, corners of the mouth, left in the picture first; null: the family does not tell. */
  readonly points: readonly Point[] | null;
}

/** What may be a face, in pixels of the picture. */
export interface Detection extends Proposal {
  /** The score says little: it must be looked at once more, alone. */
  readonly doubtful: boolean;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Faces whose score reaches `minScore`, in pixels of the network's input; one face may come several times. */
export type Decode = (
  output: Record<string, Float32Array>,
  input: Size,
  minScore: number,
) => Proposal[];
