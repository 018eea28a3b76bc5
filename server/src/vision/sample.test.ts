import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Picture } from './picture.ts';
import { Scaler, warp } from './sample.ts';

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

test('a picture of one colour stays that colour at any scale, and beyond it is black', () => {
  const scaler = new Scaler({ side: 32, mean: 100, deviation: 50 });
  const orange = picture(90, 45, () => [200, 150, 50]);
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 45 }), fc.integer({ min: 0, max: 45 }), (side, x) => {
      const planes = scaler.scale(orange, { x, y: 0, side });
      for (let i = 0; i < 32 * 32; i++) {
        assert.ok(Math.abs(planes[i]! - 2) < 1e-4);
        assert.ok(Math.abs(planes[i + 1024]! - 1) < 1e-4);
        assert.ok(Math.abs(planes[i + 2048]! + 1) < 1e-4);
      }
    }),
  );
  const beyond = scaler.scale(orange, { x: 0, y: -45, side: 90 });
  assert.equal(beyond[0], -2);
  assert.ok(Math.abs(beyond[16 * 32]! - 2) < 1e-4);
});

test('shrinking takes the mean of what a pixel covers', () => {
  const scaler = new Scaler({ side: 2, mean: 0, deviation: 1 });
  const steps = picture(4, 4, (x, y) => [x * 10 + y, 0, 0]);
  const planes = scaler.scale(steps, { x: 0, y: 0, side: 4 });
  assert.deepEqual([...planes.subarray(0, 4)], [5.5, 25.5, 7.5, 27.5]);
});

test('a slope keeps its place: pixel centres, not corners, are aligned', () => {
  const scaler = new Scaler({ side: 64, mean: 0, deviation: 1 });
  const slope = picture(160, 160, (x) => [x, 0, 0]);
  const planes = scaler.scale(slope, { x: 0, y: 0, side: 160 });
  for (let x = 2; x < 62; x++) {
    // A pixel has one value throughout, so the mean of a slope is off by up to 0.1.
    assert.ok(Math.abs(planes[32 * 64 + x]! - ((x + 0.5) * 2.5 - 0.5)) < 0.11);
  }
});

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
