import { expect, test } from 'vitest';
import { Drift } from './drift.ts';

/** The answer for a player that is so far behind, measured once. */
function behind(ms: number): Drift {
  const drift = new Drift();
  drift.measure(ms);
  return drift;
}

test('a picture or two stays, more is mended until next to nothing is left', () => {
  expect(behind(59).correction(1)).toBe(1);
  const drift = behind(200);
  expect(drift.correction(1)).toBeCloseTo(1.1);
  while ((drift.behindMs ?? 0) > 20) drift.measure(0);
  expect(drift.correction(1)).toBeGreaterThan(1);
  while ((drift.behindMs ?? 0) > 14) drift.measure(0);
  expect(drift.correction(1)).toBe(1);
  expect(behind(-100).correction(1)).toBeCloseTo(0.95);
});

test('at four times as fast, four times as much of the recording is the same to a viewer', () => {
  expect(behind(230).correction(4)).toBe(1);
  expect(behind(400).correction(4)).toBeCloseTo(1.05);
  expect([behind(3900).isFar(4, true), behind(4100).isFar(4, true)]).toEqual([false, true]);
});

test('a picture of a camera that sends one a second is not sought while it stands', () => {
  expect(behind(1000).isFar(1, false)).toBe(false);
  expect(behind(1600).isFar(1, false)).toBe(true);
  expect(behind(-1600).isFar(1, false)).toBe(true);
});

test('an unknown drift is not mended; a move of the moment is known', () => {
  const drift = new Drift();
  drift.moved(5000);
  expect([drift.behindMs, drift.correction(1), drift.isFar(1, true)]).toEqual([null, 1, false]);
  drift.measure(100);
  drift.moved(5000);
  expect(drift.behindMs).toBe(5100);
  drift.forget();
  expect(drift.behindMs).toBeNull();
});
