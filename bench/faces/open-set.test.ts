import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encounters, tpir, tpirAt, type Encounter, type Matcher } from './open-set.ts';
import type { Sample } from './verification.ts';

const met = (enrolled: boolean, distance: number, right = enrolled, person = 0): Encounter => ({
  person,
  enrolled,
  right,
  distance,
});
const sorted = (all: Encounter[]): Encounter[] => all.toSorted((a, b) => a.distance - b.distance);

test('TPIR is who is rightly named below the first stranger too many', () => {
  const all = sorted([
    met(true, 0.1),
    met(true, 0.2, false),
    met(true, 0.35),
    met(true, 0.45),
    met(false, 0.3),
    met(false, 0.4),
    met(false, 0.9),
    met(false, 0.9),
  ]);
  assert.equal(tpir(all, 0), 0.25, 'below 0.3 one of four, for a wrong name is none');
  assert.equal(tpir(all, 0.25), 0.5);
  assert.equal(tpir(all, 0.5), 0.75);
});

test('a face that was not found is not named, and no false alarm', () => {
  const all = sorted([met(true, 0.1), met(true, Infinity, false), met(false, Infinity)]);
  assert.equal(tpir(all, 0), 0.5);
});

test('people who count more, count more', () => {
  const all = sorted([met(true, 0.1, true, 0), met(true, 0.5, true, 1), met(false, 0.3, false, 2)]);
  assert.equal(tpir(all, 0, Float64Array.of(3, 1, 1)), 0.75);
  assert.equal(tpir(all, 0, Float64Array.of(3, 1, 0)), 1, 'the stranger was not met');
});

/** The nearest of all enrolled vectors, which have one number each. */
const nearest: Matcher = (gallery) => (probe) =>
  gallery
    .flatMap(({ person, vectors }) =>
      vectors.map((vector) => ({ person, distance: Math.abs(vector[0]! - probe[0]!) })),
    )
    .toSorted((a, b) => a.distance - b.distance)[0]!;

const samples: Sample[] = [0, 1, 2, 3].flatMap((person) =>
  [0, 1, 2].map((photo) => ({ person, vector: Float32Array.of(10 * person + photo / 4) })),
);

test('people who lie apart are all named, with one photo and with two', () => {
  for (const photos of [1, 2]) {
    const all = encounters(samples, photos, nearest);
    const enrolled = all.filter((it) => it.enrolled);
    const strangers = all.filter((it) => !it.enrolled);
    assert.ok(enrolled.every(({ right, distance }) => right && distance <= 0.5));
    assert.ok(strangers.every(({ right, distance }) => !right && distance > 9));
    // Each person is enrolled in one half of each of ten draws, and a stranger in the other.
    assert.deepEqual([enrolled.length, strangers.length], [10 * 4 * (3 - photos), 10 * 4 * 3]);
    assert.deepEqual([tpirAt(all, 0.01).value, tpirAt(all, 0.01).of], [1, 4 * (3 - photos)]);
  }
});

test('a person without another photo to be met with is not enrolled; a lost face is met all the same', () => {
  const all = encounters(
    [...samples, { person: 4, vector: Float32Array.of(99) }, { person: 0, vector: null }],
    1,
    nearest,
  );
  assert.ok(!all.some(({ person, enrolled }) => person === 4 && enrolled));
  const lost = all.filter(({ distance }) => distance === Infinity);
  assert.deepEqual([lost.length, lost.filter(({ enrolled }) => enrolled).length], [20, 10]);
  assert.equal(tpirAt(all, 0.01).value, 8 / 9);
});
