import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as always, double, property } from 'fast-check';
import { between, look, type Planes } from './pan.ts';

/** Brightness rises by one each pixel to the right; colour says how far down. */
function ramp(width: number, height: number): Planes {
  const data = new Uint8Array((width * height * 3) / 2);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data[y * width + x] = x;
  }
  for (let i = 0; i < (width * height) / 2; i++) {
    data[width * height + i] = (Math.floor(i / (width / 2)) % (height / 2)) * 2;
  }
  return { width, height, data };
}

test('a part of its own size comes out as it is, luma and chroma', () => {
  const picture = ramp(128, 96);
  const seen = look(picture, { x: 64, y: 48, width: 32 }, { width: 32, height: 16 });
  assert.deepEqual([...seen.subarray(0, 4)], [48, 49, 50, 51]);
  assert.equal(seen[32 * 16], 40, 'the first row of chroma lies 20 rows down in its plane');
  assert.equal(seen.length, (32 * 16 * 3) / 2);
});

test('movement by half a pixel is seen: brightness between two neighbours', () => {
  const picture = ramp(128, 96);
  picture.data.set(picture.data.map((value) => value * 2));
  const size = { width: 32, height: 16 };
  const [still] = look(picture, { x: 64, y: 48, width: 32 }, size);
  const [moved] = look(picture, { x: 64.5, y: 48, width: 32 }, size);
  assert.deepEqual([still, moved], [96, 97]);
});

test('whatever is aimed at, only the picture is seen', () => {
  const picture = { width: 64, height: 48, data: new Uint8Array((64 * 48 * 3) / 2).fill(200) };
  const number = double({ min: -500, max: 500, noNaN: true });
  always(
    property(number, number, double({ min: 2, max: 500, noNaN: true }), (x, y, width) => {
      const seen = look(picture, { x, y, width }, { width: 32, height: 18 });
      return seen.every((value) => value === 200);
    }),
  );
});

test('a movement begins and ends where it should, gently', () => {
  const from = { x: 0, y: 100, width: 400 };
  const to = { x: 100, y: 0, width: 200 };
  assert.deepEqual(between(from, to, 0), from);
  assert.deepEqual(between(from, to, 1), to);
  assert.deepEqual(between(from, to, 0.5), { x: 50, y: 50, width: 300 });
  assert.ok(between(from, to, 0.01).x < 0.1);
});
