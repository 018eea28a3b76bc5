import { expect, test } from 'vitest';
import { bufferS } from './hls-settings.ts';

test('a paused player reads a few seconds ahead, a playing one half a minute, and a fast one more', () => {
  expect(bufferS(1, false)).toBe(6);
  expect(bufferS(16, false)).toBe(6);
  expect([0.25, 1, 2, 4, 16].map((speed) => bufferS(speed, true))).toEqual([30, 30, 30, 60, 240]);
});
