/** What an upload may be, checked before anything decodes it. Pure. */
import { maxFileBytes } from '@nazar/contract/uploads.ts';
import { Problem } from '#lib/problem.ts';
import { heifType } from './heif-boxes.ts';

const imageTypes = ['jpeg', 'png', 'webp', 'avif', 'heic'] as const;
export type ImageType = (typeof imageTypes)[number];

export const limits = {
  bytes: maxFileBytes,
  pixels: 40_000_000,
  sidePx: 8192,
} as const;

/** The longest sides of what is stored. */
export const fullSidePx = 1600;
export const thumbnailSidePx = 320;

/** Detects the type by the first bytes alone; names and content types are only claims. */
export function imageType(bytes: Buffer): ImageType | null {
  if (bytes.subarray(0, 3).equals(jpegStart)) return 'jpeg';
  if (bytes.subarray(0, 8).equals(pngStart)) return 'png';
  const riff = bytes.toString('latin1', 0, 4) === 'RIFF';
  if (riff && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp';
  return heifType(bytes);
}

const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);
const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Refuses what can be refused without decoding. */
export function checkUpload(bytes: Buffer): void {
  if (bytes.length === 0) throw new Problem('image_empty');
  if (bytes.length > limits.bytes) throw new Problem('image_too_large', { limit: limits.bytes });
  if (imageType(bytes) === null) throw new Problem('image_type');
}
