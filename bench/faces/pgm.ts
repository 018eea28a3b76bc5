/** Portable graymaps (binary, 8 bits): the format of old collections of faces, which sharp does not read. */
import type { Picture } from '../../server/src/vision/picture.ts';

const header = /^P5\s(?:\s|#[^\n]*\n)*(\d+)\s+(?:#[^\n]*\n)*(\d+)\s+(?:#[^\n]*\n)*(\d+)\s/;

export function isPgm(bytes: Buffer): boolean {
  return header.test(startOf(bytes));
}

export function pgm(bytes: Buffer): Picture {
  const [head = '', ...numbers] = header.exec(startOf(bytes)) ?? [];
  const [width = 0, height = 0, brightest = 0] = numbers.map(Number);
  const grey = bytes.subarray(head.length, head.length + width * height);
  if (brightest < 1 || brightest > 255) throw new Error(`${brightest} greys are not read`);
  if (grey.length < width * height) throw new Error('the graymap is cut off');
  const rgb = Buffer.allocUnsafe(grey.length * 3);
  for (let i = 0; i < grey.length; i++) {
    rgb.fill(Math.round((grey[i]! * 255) / brightest), i * 3, i * 3 + 3);
  }
  return { width, height, rgb };
}

/** Comments are short; a picture's bytes must not be searched for a header. */
function startOf(bytes: Buffer): string {
  return bytes.toString('latin1', 0, 512);
}
