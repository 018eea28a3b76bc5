/** Every figure here was worked out by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptedBelow,
  allPairs,
  balancedAccuracy,
  curve,
  farBelow,
  pairsOf,
  probePairs,
  tarAt,
  thresholdAt,
  type Pair,
  type Sample,
} from './verification.ts';

const genuine = (...distances: number[]): Pair[] =>
  distances.map((distance, i) => ({ a: i % 2, b: i % 2, distance }));
const impostor = (...distances: number[]): Pair[] =>
  distances.map((distance) => ({ a: 0, b: 1, distance }));
const tar = (pairs: Pair[], far: number): number => tarAt(pairsOf(pairs), far).value;

test('TAR at a FAR is what lies nearer than the first impostor too many', () => {
  const pairs = [...genuine(0.1, 0.3, 0.5, 0.7), ...impostor(0.2, 0.4, 0.6, 0.8)];
  assert.equal(thresholdAt(pairsOf(pairs), 0), 0.2);
  assert.equal(tar(pairs, 0), 0.25);
  assert.equal(thresholdAt(pairsOf(pairs), 0.25), 0.4, 'one of four may pass');
  assert.equal(tar(pairs, 0.25), 0.5);
  assert.equal(tar(pairs, 0.49), 0.5, 'not interpolated: half an impostor does not exist');
  assert.equal(tar(pairs, 0.5), 0.75);
  assert.equal(tar(pairs, 1), 1);
});

test('shares that binary numbers cannot hold are not one impostor off', () => {
  const strangers = Array.from({ length: 100 }, (_, i) => i + 1);
  // 0.07 * 100 is 7.000000000000001, 0.29 * 100 is 28.999999999999996.
  assert.equal(thresholdAt(pairsOf(impostor(...strangers)), 0.07), 8);
  assert.equal(thresholdAt(pairsOf(impostor(...strangers)), 0.29), 30);
});

test('equal distances are accepted together or not at all', () => {
  const pairs = [...genuine(0.4, 0.4), ...impostor(0.4, 0.4, 0.9, 0.9)];
  assert.equal(tar(pairs, 0.25), 0, 'accepting one of the two at 0.4 accepts both, which is 50 %');
  assert.equal(tar(pairs, 0.5), 1);
});

test('a face that was not found is never accepted, at no limit', () => {
  const pairs = [...genuine(0.1, Infinity), ...impostor(0.5, Infinity)];
  for (const far of [0, 0.5, 1]) assert.equal(tar(pairs, far), 0.5);
  assert.equal(balancedAccuracy(pairsOf(pairs)).value, 0.75);
});

test('a person counted twice counts twice in genuine pairs and as each of two strangers', () => {
  const pairs = pairsOf([
    { a: 0, b: 0, distance: 0.3 },
    { a: 1, b: 1, distance: 0.6 },
    { a: 0, b: 1, distance: 0.2 },
    { a: 0, b: 2, distance: 0.5 },
    { a: 1, b: 2, distance: 0.7 },
  ]);
  const weights = Float64Array.of(1, 3, 1);
  // Impostors weigh 3, 1, 3 of 7: at 3/7 the first may pass, and the limit is the second, at 0.5.
  assert.equal(thresholdAt(pairs, 3 / 7, weights), 0.5);
  assert.equal(acceptedBelow(pairs, 0.5, weights), 0.25);
  assert.equal(thresholdAt(pairs, 0.4, weights), 0.2);
});

test('accuracy is the best mean of accepted friends and refused strangers', () => {
  const pairs = [...genuine(0.1, 0.3, 0.5, 0.7), ...impostor(0.6, 0.8, 0.9, 1, 1, 1, 1, 1)];
  // At 0.5: 3 of 4 and 8 of 8, 0.875. At 0.7: 4 of 4 and 7 of 8, 0.9375.
  assert.equal(balancedAccuracy(pairsOf(pairs)).value, 0.9375);
});

const sample = (person: number, ...vector: number[]): Sample => ({
  person,
  vector: vector.length > 0 ? Float32Array.from(vector) : null,
});
const apart = (a: Float32Array, b: Float32Array): number => Math.abs(a[0]! - b[0]!);

test('all pairs, each once; a missing vector is infinitely far', () => {
  const pairs = allPairs([sample(0, 1), sample(0, 3), sample(1, 10), sample(1)], apart);
  assert.deepEqual(
    pairs.genuine.map(({ distance }) => distance),
    [2, Infinity],
  );
  assert.deepEqual(
    pairs.impostor.map(({ distance }) => distance),
    [7, 9, Infinity, Infinity],
  );
  assert.equal(pairs.people, 2);
});

test('a probe is not compared with the photo it was made from', () => {
  const gallery = [sample(0, 1), sample(0, 3), sample(1, 10)];
  const pairs = probePairs([sample(0, 2), null, sample(1, 9)], gallery, apart);
  assert.deepEqual(
    pairs.genuine.map(({ distance }) => distance),
    [1],
  );
  assert.deepEqual(
    pairs.impostor.map(({ distance }) => distance),
    [6, 8, 8],
  );
});

test('a limit found elsewhere has the FAR it has here', () => {
  assert.equal(farBelow(pairsOf(impostor(0.1, 0.2, 0.3, 0.4)), 0.3), 0.5);
});

test('the curve never falls', () => {
  const points = curve(pairsOf([...genuine(0.1, 0.3, 0.5), ...impostor(0.2, 0.4, 0.6)]));
  assert.deepEqual([points[0]!.tar, points.at(-1)!.tar], [1 / 3, 1]);
  for (const [i, point] of points.entries()) {
    if (i > 0) assert.ok(point.tar >= points[i - 1]!.tar && point.far > points[i - 1]!.far);
  }
});
