/** The picture that a media host, or an upload, lends to face detection. Types only. */
import type { Rect, Size } from './geometry.ts';

/**
 * A picture whose parts are taken at the size that is needed: only those are converted and sent. Boxes are in pixels
 * of `width` and `height`.
 */
export interface ImageSource extends Size {
  /** Pixels that the camera has for each of them along one side; 3 for a camera of 3840 x 2160. */
  readonly detail: number;
  /** The largest width of a box in a taken part, in pixels. */
  readonly maxBoxWidth: number;
  /** Where something moved; empty means look everywhere. */
  readonly regions: readonly Rect[];
  /** Detects at a small scale only: small faces are searched in the frames between. */
  readonly quickScan: boolean;
  /** A part of it, scaled to so many pixels: RGB, 3 bytes a pixel. */
  take(part: Rect, width: number, height: number): Promise<Uint8Array>;
}
