import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distanceAt } from '../../server/src/vision/packs/confidence.ts';
import { shippedPack } from '../../server/src/vision/packs/shipped-pack.ts';
import { nearestTenths, pairTenths } from './reliability.ts';

const { calibration } = shippedPack.embedder;
const pair = (shown: number) => ({ a: 0, b: 1, distance: distanceAt(shown, calibration) });

test('eight of ten nearest people shown at 85 % are right: 80 %, and those not found are left out', () => {
  const met = Array.from({ length: 10 }, (_, n) => ({
    person: n,
    enrolled: true,
    right: n < 8,
    distance: distanceAt(0.85, calibration),
  }));
  const lost = { person: 0, enrolled: true, right: false, distance: Infinity };
  const [tenth, ...others] = nearestTenths([...met, lost], calibration);
  assert.deepEqual(others, []);
  assert.deepEqual([tenth!.tenth, tenth!.comparisons, tenth!.right], [8, 10, 0.8]);
  assert.ok(Math.abs(tenth!.shown - 0.85) < 1e-9);
});

test('pairs of one person count together as much as those of two, however many there are', () => {
  const genuine = [pair(0.15), pair(0.95)];
  const impostor = [pair(0.15), pair(0.15), pair(0.05), pair(0.05)];
  const tenths = pairTenths({ people: 2, genuine, impostor }, calibration);
  assert.deepEqual(
    tenths.map(({ tenth, comparisons, right }) => [tenth, comparisons, right]),
    [
      [0, 2, 0],
      [1, 3, 0.5],
      [9, 1, 1],
    ],
  );
});
