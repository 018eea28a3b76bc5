import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shippedPack } from '../../server/src/vision/packs/shipped-pack.ts';
import { planted, rounds, wrongPhotos, type Labelled } from './wrong-photos.ts';

const { calibration } = shippedPack.embedder;

/** `each` photos of each of 20 people; `spread`: how far they are from their face. */
function photos(each: number, spread: number): Labelled[] {
  return Array.from({ length: 20 * each }, (_, n) => {
    const face = n % 20;
    const vector = new Float32Array(256);
    vector[face] = 1;
    vector[20 + n] = spread;
    return { person: `p${face}`, photo: `p${face}-${n}`, vector };
  });
}

test('all wrong photos of unmistakable faces are found, and no right one', () => {
  const { clean, wrong, right, missed, lost } = wrongPhotos(photos(6, 0.1), calibration);
  assert.deepEqual(clean, { of: 120, aside: 0, marked: 0 });
  assert.deepEqual(wrong, { of: rounds * planted, aside: rounds * planted, marked: 0 });
  assert.deepEqual([right.aside, right.marked, missed, lost], [0, 0, 0, 0]);
});

test('photos that are not found are counted: those that match no person are only marked', () => {
  const { clean, missed } = wrongPhotos(photos(4, 2), calibration);
  assert.deepEqual(clean, { of: 80, aside: 0, marked: 80 });
  assert.ok(missed > 0);
});
