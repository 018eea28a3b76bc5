/**
 * Turns an upload into pixels of our own: decodes it, turns it upright, converts it to sRGB, makes it smaller, and
 * encodes it again. Nothing of the file survives but its pixels: no EXIF, GPS, XMP, ICC, comments or bytes behind the
 * image. It runs in an image host, because decoders meet hostile bytes here.
 */
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { turnedBy } from '../image-source.ts';
import type { Turn } from '../turns.ts';
import { heicAsPng } from './heic.ts';
import type { Refusal } from './image-messages.ts';
import { fullSidePx, imageType, limits, thumbnailSidePx, type ImageType } from './upload.ts';

// libvips knows some 40 formats; only the four decoders we allow stay switched on, of which the
// one for HEIF has AV1 alone; HEIC is read by `heic.ts`.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
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
  if (type === 'heic') {
    const png = await heicAsPng(bytes);
    return typeof png === 'string' ? png : cleanBy(png, 'png', turn);
  }
  const read = await cleanBy(bytes, type, turn);
  const mended = read === 'image_unreadable' && type === 'jpeg' ? withEnd(bytes) : null;
  return mended ? cleanBy(mended, 'jpeg', turn, { ...options, failOn: 'warning' }) : read;
}

async function cleanBy(
  bytes: Buffer,
  type: Exclude<ImageType, 'heic'>,
  turn: Turn,
  how = options,
): Promise<Clean | Refusal> {
  const metadata = await sharp(bytes, { ...how, limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (!metadata) return 'image_unreadable';
  const { format, width, height, pages = 1 } = metadata;
  if (format !== (type === 'avif' ? 'heif' : type) || pages > 1) return 'image_type';
  if (Math.max(width, height) > limits.sidePx) return 'image_too_many_pixels';
  if (width * height > limits.pixels) return 'image_too_many_pixels';
  return decode(sharp(bytes, how), turn).catch(() => 'image_unreadable' as const);
}

const endOfJpeg = Buffer.from([0xff, 0xd9]);

/**
 * A JPEG whose end marker is lost has all its pixels, and every viewer shows it. Null where the marker is there. What
 * lacks pixels too is refused by `failOn: 'warning'`, which a photo cut short would pass otherwise.
 */
function withEnd(bytes: Buffer): Buffer | null {
  if (bytes.subarray(-2).equals(endOfJpeg)) return null;
  const isHalf = bytes.at(-1) === 0xff;
  return Buffer.concat([bytes, isHalf ? endOfJpeg.subarray(1) : endOfJpeg]);
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
