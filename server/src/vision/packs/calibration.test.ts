import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calibrationOf, interval, partBelow } from './calibration.ts';
import { distanceAt, probability } from './confidence.ts';

/** Distances spread evenly from one to another. */
const spread = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from + ((to - from) * i) / count);

test('limits are read off the pairs of two people, whatever their order; the rest follows in steps', () => {
  const impostor = spread(0.5, 1.5, 10_000).toReversed();
  const calibration = calibrationOf({ genuine: spread(0.1, 0.6, 500), impostor });
  const { far1e2, far1e3, openSet, strict, margin, split } = calibration;
  assert.deepEqual([far1e2, far1e3, openSet, strict], [0.51, 0.501, 0.492, 0.483]);
  assert.deepEqual([margin, split], [0.012, 0.494]);
  assert.equal(partBelow(impostor, far1e2), 0.01);
  assert.equal(partBelow(impostor, far1e3), 0.001);
});

test('SET-016 a named person reads at least 75 %, and the curve falls where both kinds meet', () => {
  for (const genuine of [spread(0.1, 0.7, 500), spread(0.1, 0.3, 500)]) {
    const calibration = calibrationOf({ genuine, impostor: spread(0.6, 1.6, 5_000) });
    assert.ok(Math.abs(probability(calibration.openSet, calibration) - 0.75) < 0.005);
    assert.ok(probability(genuine[0]!, calibration) > 0.95);
    assert.ok(probability(1.2, calibration) < 0.01);
    assert.ok(distanceAt(0.99, calibration) < calibration.openSet);
  }
});

test('kinds that overlap more have a flatter curve', () => {
  const impostor = spread(0.5, 1.5, 5_000);
  const slope = (to: number): number =>
    calibrationOf({ genuine: spread(0.2, to, 500), impostor }).logistic[1];
  assert.ok(slope(0.5) < slope(0.8) && slope(0.8) < slope(1.1) && slope(1.1) < 0);
});

test('an interval is Wilson’s, and within 0 and 1', () => {
  const [low, high] = interval(0.9, 100);
  assert.ok(Math.abs(low - 0.8256) < 1e-4 && Math.abs(high - 0.9448) < 1e-4);
  assert.equal(interval(0, 50)[0], 0);
  assert.ok(Math.abs(interval(1, 50)[1] - 1) < 1e-9);
});
