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

test('a patch inside a picture is read as one at its edge: each pixel is the mean of what it spans', () => {
  const source = picture(60, 60, (x, y) => [(x * 37 + y * 11) % 256, (x * y) % 256, 255 - x]);
  const framed = picture(62, 62, (x, y) => {
    const at = (Math.min(59, Math.max(0, y - 1)) * 60 + Math.min(59, Math.max(0, x - 1))) * 3;
    return [source.rgb[at]!, source.rgb[at + 1]!, source.rgb[at + 2]!];
  });
  const side = 20;
  // Spans all 60 pixels: its outermost samples need those beyond the edge, which the frame repeats.
  const whole = { a: 3, b: 0, tx: 1, ty: 1 };
  const bytes = (from: Picture, tx: number): Float32Array => {
    const data = new Float32Array(side * side * 3);
    warp(from, { ...whole, tx, ty: tx }, side, { kind: 'planes', data });
    return data;
  };
  const mean = (x: number, y: number): number => {
    let sum = 0;
    for (let j = 0; j < 3; j++)
      for (let i = 0; i < 3; i++) sum += source.rgb[((3 * y + j) * 60 + 3 * x + i) * 3]!;
    return sum / 9;
  };
  const [atEdge, inside] = [bytes(source, 1), bytes(framed, 2)];
  for (const [i, value] of inside.entries()) assert.ok(Math.abs(value - atEdge[i]!) < 1e-3, `${i}`);
  for (const [x, y] of [
    [0, 0],
    [7, 13],
    [19, 19],
  ] as const)
    assert.ok(Math.abs(atEdge[y * side + x]! - mean(x, y)) < 1e-3, `${x},${y}`);
});
