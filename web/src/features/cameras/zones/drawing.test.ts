import { maxPoints } from '@nazar/contract/zones.ts';
import { expect, test } from 'vitest';
import { add, addCorner, asFields, broken, moveCorner, removeCorner } from './drawing.ts';

const [zone] = add([], 'privacy');

test('corners stay inside the picture, and are no finer than a thousandth of it', () => {
  expect(moveCorner(zone!, 0, [-1, 2]).points[0]).toEqual([0, 1]);
  expect(moveCorner(zone!, 0, [0.12345, 0.5]).points[0]).toEqual([0.123, 0.5]);
});

test('a corner is added halfway to the next one, the last one’s next is the first', () => {
  const more = addCorner(zone!, 3);
  expect(more.points).toHaveLength(5);
  expect(more.points[4]).toEqual([0.35, 0.5]);
  let many = zone!;
  for (let corners = 0; corners < 100; corners++) many = addCorner(many, 0);
  expect(many.points).toHaveLength(maxPoints);
});

test('three corners are left at least', () => {
  const three = removeCorner(zone!, 1);
  expect(three.points).toHaveLength(3);
  expect(removeCorner(three, 0).points).toEqual(three.points);
});

test('zones that cannot be kept are named before they are sent', () => {
  const bow = moveCorner(zone!, 0, [0.8, 0.5]);
  expect(broken([zone!])).toEqual([]);
  expect(broken([zone!, bow])).toEqual([bow]);
  expect(asFields([zone!])[0]).toMatchObject({ kind: 'privacy', name: '' });
});
