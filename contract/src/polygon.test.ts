import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { areaOf, turnBetween, turnedPolygon, type Point } from './polygon.ts';

const turn = fc.constantFrom(0, 90, 180, 270);
const eighth = fc.integer({ min: 0, max: 8 }).map((at) => at / 8);
const polygon = fc.array(fc.tuple(eighth, eighth), { minLength: 3, maxLength: 6 });

test('a place goes along with its picture: the corner at the top left is at the top right after a quarter turn', () => {
  const corner: Point[] = [
    [0, 0],
    [0.25, 0],
    [0, 0.5],
  ];
  assert.deepEqual(turnedPolygon(corner, 90), [
    [1, 0],
    [1, 0.25],
    [0.5, 0],
  ]);
});

test('turns add up, four quarters are none, and no turn changes an area', () => {
  fc.assert(
    fc.property(polygon, turn, turn, (points, first, second) => {
      const both = ((first + second) % 360) as 0 | 90 | 180 | 270;
      const twice = turnedPolygon(turnedPolygon(points, first), second);
      assert.deepEqual(twice, turnedPolygon(points, both));
      assert.deepEqual(turnedPolygon(twice, turnBetween(both, 0)), points);
      assert.equal(areaOf(twice), areaOf(points));
    }),
  );
});
