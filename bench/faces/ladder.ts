/**
 * Faces from further and further away: a photo is shrunk until its eyes are this many pixels apart, set into a grey
 * picture of a camera's size and stored as JPEG (quality 75). There is no motion blur and no night in it: real
 * cameras are worse.
 */
import sharp from 'sharp';
import type { Picture } from '../../server/src/vision/picture.ts';
import type { Point } from '../../server/src/lib/geometry.ts';

/** Pixels between the eyes. */
export const rungs = [40, 24, 16, 12, 8] as const;

const frame = { width: 640, height: 360 } as const;
const jpegQuality = 75;

export interface Distant {
  readonly picture: Picture;
  /** Where the middle between the eyes is in it. */
  readonly face: Point;
}

export interface Eyes {
  readonly left: Point;
  readonly right: Point;
}

/** null when the photo's own face is smaller than that. */
export async function fromAfar(
  { width, height, rgb }: Picture,
  { left, right }: Eyes,
  iodPx: number,
): Promise<Distant | null> {
  const scale = iodPx / Math.hypot(right[0] - left[0], right[1] - left[1]);
  if (scale > 1) return null;
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const raw = { raw: { width, height, channels: 3 } } as const;
  const shrunk = await sharp(rgb, raw).resize(size.width, size.height, { fit: 'fill' }).toBuffer();
  const eyes: Point = [((left[0] + right[0]) / 2) * scale, ((left[1] + right[1]) / 2) * scale];
  const x = placed(size.width, frame.width, eyes[0]);
  const y = placed(size.height, frame.height, eyes[1]);
  const visible = {
    left: x.from,
    top: y.from,
    width: Math.min(size.width, frame.width),
    height: Math.min(size.height, frame.height),
  };
  const crop = await sharp(shrunk, { raw: { ...size, channels: 3 } })
    .extract(visible)
    .png()
    .toBuffer();
  const jpeg = await sharp({ create: { ...frame, channels: 3, background: '#6c7078' } })
    .composite([{ input: crop, left: x.to, top: y.to }])
    .jpeg({ quality: jpegQuality })
    .toBuffer();
  const seen = await sharp(jpeg).raw().toBuffer();
  return {
    picture: { ...frame, rgb: seen },
    face: [eyes[0] - x.from + x.to, eyes[1] - y.from + y.to],
  };
}

/** Along one axis: a photo that fits is put in the middle, a larger one is cropped around the face. */
export function placed(length: number, room: number, face: number): { from: number; to: number } {
  if (length <= room) return { from: 0, to: (room - length) >> 1 };
  const from = Math.round(face - room / 2);
  return { from: Math.max(0, Math.min(length - room, from)), to: 0 };
}
