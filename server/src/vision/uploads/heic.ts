/**
 * Reads photos of phones (HEIC: H.265 in HEIF, ISO/IEC 23008-12) with libheif and libde265. Each photo gets a
 * WebAssembly instance of its own, so that nothing of one is there when the next is read.
 */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { Size } from '#lib/geometry.ts';
import { colourProfileOf } from './heif-boxes.ts';
import type { Refusal } from './image-messages.ts';
import { HeifPicture, type Tile } from './libheif.ts';
import { fullSidePx, limits } from './upload.ts';

/** The processor time and the memory of an image host are enough for so many; figures: `images.ts`. */
const maxHeicPixels = 25_000_000;

/** The photo as a PNG of the size that is kept, turned and cut as its file says, with its colour profile. */
export async function heicAsPng(bytes: Buffer): Promise<Buffer | Refusal> {
  const read = await decoded(bytes).catch(() => 'image_unreadable' as const);
  if (typeof read === 'string') return read;
  const { width, height, rgb } = read;
  const png = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(fullSidePx, fullSidePx, { fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const profile = colourProfileOf(bytes);
  return profile ? withProfile(png, profile) : png;
}

interface Canvas extends Size {
  readonly rgb: Buffer;
}

async function decoded(bytes: Buffer): Promise<Canvas | Refusal> {
  const picture = await HeifPicture.open(bytes);
  const { columns, rows, tileWidth, tileHeight, width, height, left, top } = picture.tiling();
  if (Math.max(width, height) > limits.sidePx) return 'image_too_many_pixels';
  if (width * height > limits.pixels) return 'image_too_many_pixels';
  if (width * height > maxHeicPixels) return 'image_heic_too_many_pixels';
  if (columns * rows === 1) return picture.readWhole(reduced);
  const canvas = { width, height, rgb: Buffer.alloc(width * height * 3, 255) };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const place = { x: column * tileWidth - left, y: row * tileHeight - top };
      picture.readTile(column, row, (tile) => paste(canvas, tile, place));
    }
  }
  return canvas;
}

/** A copy with half the side where that is large enough: a picture that is not divided leaves no memory for a whole one. */
function reduced({ width, height, pixels, strideBytes }: Tile): Canvas {
  const by = Math.max(width, height) >= 2 * fullSidePx ? 2 : 1;
  const small = { width: Math.floor(width / by), height: Math.floor(height / by) };
  const rgb = Buffer.allocUnsafe(small.width * small.height * 3);
  for (let to = 0, y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width * 3; x++, to++) {
      const at = y * by * strideBytes + Math.floor(x / 3) * by * 3 + (x % 3);
      const below = at + (by - 1) * strideBytes;
      const right = (by - 1) * 3;
      rgb[to] =
        (pixels[at]! + pixels[at + right]! + pixels[below]! + pixels[below + right]! + 2) >> 2;
    }
  }
  return { ...small, rgb };
}

/** What lies beyond the edges of the canvas is cut off. */
function paste(
  canvas: Canvas,
  tile: Tile,
  { x, y }: { readonly x: number; readonly y: number },
): void {
  const from = Math.max(0, -x);
  const to = Math.min(tile.width, canvas.width - x);
  const end = Math.min(tile.height, canvas.height - y);
  if (from >= to) return;
  for (let line = Math.max(0, -y); line < end; line++) {
    const at = ((y + line) * canvas.width + x + from) * 3;
    const start = line * tile.strideBytes;
    tile.pixels.copy(canvas.rgb, at, start + from * 3, start + to * 3);
  }
}

/** The signature and IHDR, behind which a profile stands (PNG specification, 11.3.2.3). */
const pngStartBytes = 8 + 25;

function withProfile(png: Buffer, profile: Buffer): Buffer {
  const name = Buffer.from('icc\0\0', 'latin1');
  const body = Buffer.concat([Buffer.from('iCCP'), name, deflateSync(profile)]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  checksum.writeUInt32BE(crc32(body));
  const [start, rest] = [png.subarray(0, pngStartBytes), png.subarray(pngStartBytes)];
  return Buffer.concat([start, length, body, checksum, rest]);
}
