/**
 * A picture as the detector takes it: in parts, each at the size it needs. Only those parts are converted and sent;
 * scaling by FFmpeg where the picture lies takes 0.4 ms for 256 x 144 of 1280 x 720 pixels, a loop in JavaScript took
 * 5.
 */
import sharp from 'sharp';
import type { Rect } from '#lib/geometry.ts';
import type { ImageSource } from '#lib/image-source.ts';
import type { Picture } from './picture.ts';
import type { Turn } from './turns.ts';

/** A picture in memory: uploaded photos, and tests. */
export function imageSourceOf(
  { width, height, rgb }: Picture,
  regions: readonly Rect[] = [],
  quickScan = false,
): ImageSource {
  const raw = { width, height, channels: 3 } as const;
  return {
    width,
    height,
    detail: 1,
    // A photo is used at full size: when it was shrunk to 160 first, one pair in 369 was lost.
    maxBoxWidth: Infinity,
    regions,
    quickScan,
    take: (part, wide, high) => {
      const { x: left, y: top, ...size } = part;
      const extracted = sharp(rgb, { raw }).extract({ left, top, ...size });
      const same = size.width === wide && size.height === high;
      return (same ? extracted : extracted.resize(wide, high, { fit: 'fill' })).raw().toBuffer();
    },
  };
}

/** Returns the picture turned clockwise. */
export async function turnedBy(picture: Picture, turn: Turn): Promise<Picture> {
  if (turn === 0) return picture;
  const { width, height, rgb } = picture;
  const { data, info } = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .rotate(turn)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}
