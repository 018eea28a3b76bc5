/** What media hosts lend to whoever detects faces, and a photo is lent as. Types only. */
import type { Rect, Size } from './geometry.ts';

/**
 * A picture of which parts are taken at the size that is needed: only those are converted and sent. Boxes are told in
 * pixels of `width` and `height`.
 */
export interface ImageSource extends Size {
  /** Pixels that the camera has for each of them along one side; 3 for a camera of 3840 x 2160. */
  readonly detail: number;
  /** Boxes are given at most so wide in pixels. */
  readonly maxBoxWidth: number;
  /** Where something moved; empty means look everywhere. */
  readonly regions: readonly Rect[];
  /** Large areas from afar only: small faces are looked for in the pictures between. */
  readonly quickScan: boolean;
  /** A part of it, scaled to so many pixels: RGB, 3 bytes a pixel. */
  take(part: Rect, width: number, height: number): Promise<Uint8Array>;
}
