/**
 * A picture as those who look at it have it: they ask for parts of it at the size they need. Only those are
 * converted and sent; scaling by FFmpeg where the picture lies takes 0.4 ms for 256 x 144 of 1280 x 720
 * pixels, a loop in JavaScript took 5.
 */
import sharp from 'sharp';
import type { Rect } from './messages.ts';
import type { Picture } from './picture.ts';

export interface View {
  /** In these pixels boxes are told. */
  readonly width: number;
  readonly height: number;
  /** Pixels that the camera has for each of them along one side; 3 for a camera of 3840 x 2160. */
  readonly detail: number;
  /** Boxes are given at most so wide in pixels. */
  readonly maxBoxWidth: number;
  /** Where something moved; empty means look everywhere. */
  readonly regions: readonly Rect[];
  /** Large areas from afar only: small faces are looked for in the pictures between. */
  readonly glimpse: boolean;
  /** A part of it, scaled to so many pixels: RGB, 3 bytes a pixel. */
  take(part: Rect, width: number, height: number): Promise<Uint8Array>;
}

/** A picture in memory: uploaded photos, and tests. */
export function viewOf(
  { width, height, rgb }: Picture,
  regions: readonly Rect[] = [],
  glimpse = false,
): View {
  const raw = { width, height, channels: 3 } as const;
  return {
    width,
    height,
    detail: 1,
    // A photo as it is: shrunk to 160 first, one pair in 369 was lost.
    maxBoxWidth: Infinity,
    regions,
    glimpse,
    take: (part, wide, high) => {
      const { x: left, y: top, ...size } = part;
      const cut = sharp(rgb, { raw }).extract({ left, top, ...size });
      const same = size.width === wide && size.height === high;
      return (same ? cut : cut.resize(wide, high, { fit: 'fill' })).raw().toBuffer();
    },
  };
}
