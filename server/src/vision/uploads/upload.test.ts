import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#lib/problem.ts';
import { checkUpload, imageType, limits } from './upload.ts';

const code = (bytes: Buffer): string | null => {
  try {
    checkUpload(bytes);
    return null;
  } catch (error) {
    return error instanceof Problem ? error.code : String(error);
  }
};

test('C-520 an upload is what its first bytes say', () => {
  assert.equal(imageType(Buffer.from([0xff, 0xd8, 0xff, 0xe0])), 'jpeg');
  assert.equal(imageType(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')), 'png');
  assert.equal(imageType(Buffer.from('RIFF....WEBPVP8 ')), 'webp');
  const heif = (...brands: string[]): Buffer =>
    Buffer.from(
      `\0\0\0${String.fromCharCode(12 + 4 * brands.length)}ftyp${brands[0]}\0\0\0\0${brands.slice(1).join('')}`,
    );
  assert.equal(imageType(heif('heic', 'mif1', 'heic')), 'heic');
  assert.equal(imageType(heif('mif1', 'heic')), 'heic');
  assert.equal(imageType(heif('avif', 'mif1', 'avif')), 'avif');
  assert.equal(imageType(heif('mif1', 'avif', 'mif1')), 'avif');
  assert.equal(imageType(heif('mp42', 'isom')), null);
  const others = ['GIF89a', '<svg xmlns', 'II*\0', 'BM', 'RIFF....AVI ', '%PDF-1.7', 'MZ'];
  for (const start of others) assert.equal(code(Buffer.from(start)), 'image_type', start);
  assert.equal(code(Buffer.alloc(0)), 'image_empty');
});

test('C-520 more than 10 MiB is refused before anything looks inside', () => {
  assert.equal(code(Buffer.alloc(limits.bytes + 1, 0xff)), 'image_too_large');
});
