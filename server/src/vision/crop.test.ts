import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { shownBox } from './crop.ts';
import { warp, type Similarity } from './sample.ts';

const side = 12;
const part = { x: 20, y: 30, width: 40, height: 40 };
const crop = { part, width: 40, height: 40 };

/** Whether a chip shows a pixel of its crop that lies outside the box, made smaller by so much on each side. */
function hasMark(transform: Similarity, by: number): boolean {
  const box = shownBox(crop, transform, side);
  const rgb = new Uint8Array(crop.width * crop.height * 3);
  for (let y = 0; y < crop.height; y += 1) {
    for (let x = 0; x < crop.width; x += 1) {
      const [left, top] = [part.x + x, part.y + y];
      const isOutside =
        left + 1 <= box.x + by ||
        top + 1 <= box.y + by ||
        left >= box.x + box.width - by ||
        top >= box.y + box.height - by;
      if (isOutside) rgb.fill(255, (y * crop.width + x) * 3, (y * crop.width + x) * 3 + 3);
    }
  }
  const data = new Uint8Array(side * side * 3);
  warp({ width: crop.width, height: crop.height, rgb }, transform, side, { kind: 'bytes', data });
  return data.some((value) => value > 0);
}

test('a chip shows nothing from outside the box that it shows, and something from near its edge', () => {
  const transform = fc.record({
    a: fc.double({ min: -2, max: 2, noNaN: true }),
    b: fc.double({ min: -2, max: 2, noNaN: true }),
    tx: fc.double({ min: 0, max: 39, noNaN: true }),
    ty: fc.double({ min: 0, max: 39, noNaN: true }),
  });
  fc.assert(fc.property(transform, (one) => assert.equal(hasMark(one, 0), false)));
  const upright = { a: 1.5, b: 0, tx: 10, ty: 10 };
  assert.equal(hasMark(upright, 3.5), true);
});
