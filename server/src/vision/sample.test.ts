import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Picture } from './picture.ts';
import { warp } from './sample.ts';

function picture(
  width: number,
  height: number,
  colour: (x: number, y: number) => readonly [number, number, number],
): Picture {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rgb.set(colour(x, y), (y * width + x) * 3);
  return { width, height, rgb };
}

test('a warp that changes nothing copies, in both layouts', () => {
  const source = picture(20, 20, (x, y) => [x * 12, y * 12, 77]);
  const same = { a: 1, b: 0, tx: 0, ty: 0 };
  const bytes = new Uint8Array(20 * 20 * 3);
  warp(source, same, 20, { kind: 'bytes', data: bytes });
  assert.deepEqual(bytes, source.rgb);
  const planes = new Float32Array(20 * 20 * 3);
  warp(source, same, 20, { kind: 'planes', data: planes });
  assert.equal(planes[3 * 20 + 5], 60);
  assert.equal(planes[400 + 3 * 20 + 5], 36);
});

test('a warp turns about the origin and reads black outside', () => {
  const source = picture(10, 10, (x, y) => [x * 20, y * 20, 255]);
  const quarter = { a: 0, b: 1, tx: 9, ty: 0 };
  const bytes = new Uint8Array(12 * 12 * 3);
  warp(source, quarter, 12, { kind: 'bytes', data: bytes });
  // Patch (x 2, y 3) reads picture (9 - 3, 2).
  assert.deepEqual([...bytes.subarray((3 * 12 + 2) * 3, (3 * 12 + 2) * 3 + 3)], [120, 40, 255]);
  assert.deepEqual([...bytes.subarray((11 * 12 + 2) * 3, (11 * 12 + 2) * 3 + 3)], [0, 0, 0]);
});
