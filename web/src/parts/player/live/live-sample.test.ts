import { expect, test } from 'vitest';
import { ratesBetween, type LiveSample } from './live-sample.ts';

const at = (atMs: number, over: Partial<LiveSample> = {}): LiveSample => ({
  transport: 'mse',
  atMs,
  codec: null,
  width: 0,
  height: 0,
  pictures: 0,
  dropped: 0,
  bytes: 0,
  delayS: null,
  ...over,
});

test('pictures and bits a second are those between two samples', () => {
  const later = at(3000, { pictures: 50, bytes: 250_000 });
  expect(ratesBetween(at(1000), later)).toEqual({ picturesPerS: 25, bitsPerS: 1_000_000 });
});

test.each([
  ['the first says nothing yet', null, at(1000)],
  ['another transport counts anew', at(0, { transport: 'jpeg' }), at(1000)],
  ['the same moment has no rate', at(1000), at(1000, { pictures: 9 })],
  ['one that was opened anew counts less', at(0, { pictures: 9, bytes: 9 }), at(1000)],
  ['what the browser does not tell', at(0), at(1000, { pictures: null, bytes: null })],
])('%s', (_title, before, now) => {
  expect(ratesBetween(before, now)).toEqual({ picturesPerS: null, bitsPerS: null });
});
