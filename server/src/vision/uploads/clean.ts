/**
 * Turns an upload into pixels of our own: decodes it, turns it upright, converts it to sRGB, makes it smaller, and
 * encodes it again. Nothing of the file survives but its pixels: no EXIF, GPS, XMP, ICC, comments or bytes behind the
 * image. It runs in an image host, because decoders meet hostile bytes here.
 */
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { turnedBy } from '../image-source.ts';
import type { Turn } from '../turns.ts';
import type { Refusal } from './image-messages.ts';
import { fullSidePx, imageType, limits, thumbnailSidePx } from './upload.ts';

// libvips knows some 40 formats; only the three decoders we allow stay switched on.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.concurrency(1);
sharp.cache(false);

export interface Clean {
  readonly jpeg: Buffer;
  readonly thumbnail: Buffer;
  readonly rgb: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const options: SharpOptions = {
  failOn: 'error',
  limitInputPixels: limits.pixels,
  sequentialRead: true,
};

/** The clean picture, turned after what the file says of itself, or why there is none. */
export async function clean(bytes: Buffer, turn: Turn = 0): Promise<Clean | Refusal> {
  const type = imageType(bytes);
  if (type === null) return 'image_type';
  const metadata = await sharp(bytes, { ...options, limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (!metadata) return 'image_unreadable';
  const { format, width, height, pages = 1 } = metadata;
  if (format !== type || pages > 1) return 'image_type';
  if (Math.max(width, height) > limits.sidePx) return 'image_too_many_pixels';
  if (width * height > limits.pixels) return 'image_too_many_pixels';
  return decode(sharp(bytes, options), turn).catch(() => 'image_unreadable' as const);
}

async function decode(image: Sharp, turn: Turn): Promise<Clean> {
  const { data, info } = await image
    .autoOrient()
    .resize(fullSidePx, fullSidePx, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const decoded = info.channels === 1 ? tripled(data) : data;
  const { width, height, rgb } = await turnedBy({ ...info, rgb: decoded }, turn);
  const pixels = sharp(rgb, { raw: { width, height, channels: 3 } });
  const jpeg = await pixels.clone().jpeg({ quality: 90 }).toBuffer();
  const thumbnail = await pixels
    .resize(thumbnailSidePx, thumbnailSidePx, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();
  return { jpeg, thumbnail, rgb, width, height };
}

function tripled(grey: Buffer): Buffer {
  const rgb = Buffer.allocUnsafe(grey.length * 3);
  for (let i = 0; i < grey.length; i++) rgb.fill(grey[i]!, i * 3, i * 3 + 3);
  return rgb;
}
