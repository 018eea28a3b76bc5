import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { distanceAt, matchLimit, probability } from './confidence.ts';
import { shippedPack } from './shipped-pack.ts';

const { calibration } = shippedPack.embedder;
const good = { iod: 40, sharpness: 200, gallerySize: 50 };

test('SET-016 the open-set threshold reads 75 %', () => {
  assert.ok(Math.abs(probability(calibration.openSet, calibration) - 0.75) < 0.001);
});

test('CFL-047 a limit in percent and a distance are the same thing said twice', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), (percent) => {
      const back = probability(distanceAt(percent, calibration), calibration);
      assert.ok(Math.abs(back - percent) < 1e-9);
    }),
  );
});

test('nearer is surer', () => {
  const sure = [0.2, 0.4, 0.54, 0.6, 0.8].map((it) => probability(it, calibration));
  assert.deepEqual(
    sure.toSorted((a, b) => b - a),
    sure,
  );
});

test('the limit is the open-set threshold, stricter for barely good faces', () => {
  assert.equal(matchLimit(good, calibration), calibration.openSet);
  assert.equal(matchLimit({ ...good, sharpness: 20 }, calibration), calibration.strict);
  assert.equal(matchLimit({ ...good, iod: 14 }, calibration), calibration.strict);
});

test('a larger gallery tightens the limit', () => {
  const limits = [100, 1_000, 10_000].map((gallerySize) =>
    matchLimit({ ...good, gallerySize }, calibration),
  );
  assert.equal(limits[0], calibration.openSet);
  assert.ok(limits[1]! < calibration.openSet - 0.03);
  assert.ok(limits[2]! < limits[1]! - 0.03);
});

test('SET-016 a person may ask for more or less certainty', () => {
  const at = (minProbability: number) => matchLimit({ ...good, minProbability }, calibration);
  assert.ok(at(0.9) < calibration.openSet);
  assert.ok(at(0.6) > calibration.openSet);
});
