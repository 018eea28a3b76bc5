import { expect, test } from 'vitest';
import { backOffMs } from './back-off.ts';

const pauses = (random: number): number[] =>
  [1, 2, 3, 4, 5, 100].map((tries) => backOffMs(tries, 1000, 15_000, random));

test('pauses double up to the longest, and half of each is chance', () => {
  expect(pauses(1)).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000]);
  expect(pauses(0)).toEqual([500, 1000, 2000, 4000, 7500, 7500]);
});
