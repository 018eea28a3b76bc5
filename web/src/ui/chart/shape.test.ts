import { expect, test } from 'vitest';
import { area, niceCeiling, steps } from './shape.ts';

test.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [7, 8],
  [10, 10],
  [11, 12],
  [56, 60],
  [99, 100],
  [101, 120],
  [250, 300],
  [1201, 1600],
])('the axis over %i ends at %i, whose half is whole', (value, ceiling) => {
  expect(niceCeiling(value)).toBe(ceiling);
  expect(Number.isInteger(ceiling / 2)).toBe(true);
});

test('no count fills less than two thirds of its axis, from five on', () => {
  for (let value = 5; value < 5000; value += 1) {
    expect(niceCeiling(value)).toBeGreaterThanOrEqual(value);
    expect(value / niceCeiling(value)).toBeGreaterThan(2 / 3);
  }
});

test('a count is level over its own interval, and not before', () => {
  expect(steps([20, 20, 5, 20], 10)).toBe('M0,20H10V20H20V5H30V20H40');
});

test('the area is closed along the ground, and nothing without intervals', () => {
  expect(area([5, 1], 10, 20)).toBe('M0,5H10V1H20V20H0Z');
  expect(area([], 10, 20)).toBe('');
});
