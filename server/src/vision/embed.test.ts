import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distance, planes } from './embed.ts';
import { chipBytes, chipSide } from './messages.ts';

test('a chip becomes three planes, and its mirror image three more', () => {
  const chip = new Uint8Array(chipBytes).map((_, i) => i % 253);
  const input = new Float32Array(2 * chipBytes);
  planes(chip, input);
  const area = chipSide * chipSide;
  for (const [x, y, channel] of [
    [0, 0, 0],
    [149, 149, 2],
    [17, 80, 1],
  ] as const) {
    const value = chip[(y * chipSide + x) * 3 + channel];
    assert.equal(input[channel * area + y * chipSide + x], value);
    assert.equal(input[chipBytes + channel * area + y * chipSide + chipSide - 1 - x], value);
  }
});

test('distance is Euclidean', () => {
  assert.equal(distance(Float32Array.of(1, 2, 3), Float32Array.of(1, 5, 7)), 5);
});
