import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded, shuffled } from './chance.ts';
import { bootstrapped, wilson } from './intervals.ts';

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 0.0005, `${actual} is not ${expected}`);

test("Wilson's interval is as in the tables", () => {
  // 10 of 10 and 45 of 50, from the closed form by hand.
  const all = wilson(10, 10);
  near(all.low, 0.7225);
  near(all.high, 1);
  const most = wilson(45, 50);
  near(most.low, 0.7864);
  near(most.high, 0.9565);
  assert.deepEqual({ ...wilson(0, 0), value: null }, { value: null, low: 0, high: 1, of: 0 });
});

test('one person who is always mistaken makes the interval wide, however many pairs there are', () => {
  // Ten people with 100 pairs each; those of the last are all wrong.
  const statistic = (weights: Float64Array): number =>
    1 - weights[9]! / weights.reduce((sum, weight) => sum + weight, 0);
  const share = bootstrapped(10, 1000, statistic);
  near(share.value, 0.9);
  near(share.high, 1);
  assert.ok(share.low <= 0.7 && share.low > 0.4, `${share.low}`);
  assert.ok(wilson(900, 1000).low > 0.87);
});

test('where nothing went wrong the interval is that of independent trials', () => {
  assert.deepEqual(
    bootstrapped(5, 20, () => 1),
    wilson(20, 20),
  );
});

test('chance comes out the same each time and covers its range', () => {
  const [one, other] = [seeded(7), seeded(7)];
  const drawn = Array.from({ length: 1000 }, one);
  assert.deepEqual(drawn, Array.from({ length: 1000 }, other));
  assert.ok(drawn.every((it) => it >= 0 && it < 1));
  near(Math.round((10 * drawn.reduce((a, b) => a + b)) / 1000) / 10, 0.5);
  assert.deepEqual(new Set(shuffled([1, 2, 3, 4], seeded(1))), new Set([1, 2, 3, 4]));
  assert.notDeepEqual(shuffled([1, 2, 3, 4, 5, 6, 7], seeded(1)), [1, 2, 3, 4, 5, 6, 7]);
});
