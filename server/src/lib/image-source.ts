/** The image that a media host, or an upload, lends to face detection. Types only. */
import type { Rect, Size } from './geometry.ts';

/**
 * An image whose parts are taken at the size that is needed: only those are converted and sent. Boxes are in pixels
 * of `width` and `height`.
 */
export interface ImageSource extends Size {
  /** The camera's pixels for each of these along one side; 3 for a camera of 3840 x 2160. */
  readonly detail: number;
  /** The largest width of a box in a taken part, in pixels. */
  readonly maxBoxWidth: number;
  /** Where there was motion; empty means that the whole image is searched. */
  readonly regions: readonly Rect[];
  /** Detects at a small scale only: small faces are searched in the frames between. */
  readonly quickScan: boolean;
  /** A part of the image, scaled to that size in pixels: RGB, 3 bytes a pixel. */
  take(part: Rect, width: number, height: number): Promise<Uint8Array>;
}
