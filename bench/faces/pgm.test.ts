import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPgm, pgm } from './pgm.ts';

const image = (header: string, ...greys: number[]): Buffer =>
  Buffer.concat([Buffer.from(header), Buffer.from(greys)]);

test('a graymap becomes RGB, its brightest grey white', () => {
  const bytes = image('P5\n# by hand\n2 1\n100\n', 0, 100);
  assert.ok(isPgm(bytes));
  const { width, height, rgb } = pgm(bytes);
  assert.deepEqual([width, height, [...rgb]], [2, 1, [0, 0, 0, 255, 255, 255]]);
});

test('bytes that look like white space belong to the picture', () => {
  const { rgb } = pgm(image('P5 2 1 255\n', 10, 32));
  assert.deepEqual([...rgb], [10, 10, 10, 32, 32, 32]);
});

test('a file that is cut off, or has 16 bits, is refused', () => {
  assert.throws(() => pgm(image('P5 2 2 255\n', 1, 2, 3)), /cut off/);
  assert.throws(() => pgm(image('P5 1 1 65535\n', 1, 2)), /65535/);
  assert.ok(!isPgm(Buffer.from([0xff, 0xd8, 0xff])));
});
