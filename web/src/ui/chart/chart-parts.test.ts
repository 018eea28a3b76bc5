import { expect, test } from 'vitest';
import { largestTotal, reading, total } from './chart-data.ts';
import { mixOf, stepOf, steps } from './ramp.ts';
import { placesOf } from './places.ts';
import { slice } from './ring.ts';
import { stacked } from './stack.ts';

const row = (key: string, ...values: number[]) => ({ key, label: key, values });

test('LDC-002 pieces stand one on another, as shares of the largest total', () => {
  const rows = [row('a', 30, 10), row('b', 5, 15), row('c', 0, 0)];
  expect(largestTotal(rows)).toBe(40);
  expect(rows.map(({ values }) => stacked(values, 40))).toEqual([
    [
      { from: 0, until: 0.75 },
      { from: 0.75, until: 1 },
    ],
    [
      { from: 0, until: 0.125 },
      { from: 0.125, until: 0.5 },
    ],
    [
      { from: 0, until: 0 },
      { from: 0, until: 0 },
    ],
  ]);
});

test('where nothing was counted nothing is divided by zero', () => {
  expect(largestTotal([])).toBe(0);
  expect(total([])).toBe(0);
  expect(stacked([0, 0], 0)).toEqual([
    { from: 0, until: 0 },
    { from: 0, until: 0 },
  ]);
});

test('LDH-004 colours scale against the largest value, which counts as 1 at least', () => {
  expect([0, 1, 50, 100].map((value) => stepOf(value, 100))).toEqual([0, 1, 3, steps]);
  expect(stepOf(0, 0)).toBe(0);
  expect(stepOf(1, 0)).toBe(steps);
  // One visit is never the colour of none.
  expect(stepOf(1, 100_000)).toBe(1);
  expect([0, steps].map(mixOf)).toEqual([0, 100]);
});

test('slices of a ring: none for nothing, two circles for everything, the long way round from a half on', () => {
  expect(slice({ from: 0.5, until: 0.5 }, 10, 6)).toBe('');
  expect(slice({ from: 0, until: 1 }, 10, 6).match(/M/g)).toHaveLength(2);
  expect(slice({ from: 0, until: 0.25 }, 10, 6)).toBe(
    'M0,-10A10,10 0 0 1 10,0L6,0A6,6 0 0 0 0,-6Z',
  );
  expect(slice({ from: 0.25, until: 1 }, 10, 6)).toContain('A10,10 0 1 1 0,-10');
});

test('a row is read with every series', () => {
  const series = [
    { key: 'r', label: 'Recognized', color: '' },
    { key: 'u', label: 'Unknown', color: '' },
  ];
  expect(reading({ series, formatValue: String }, row('Monday', 12))).toBe(
    'Monday · Recognized 12 · Unknown 0',
  );
});

test('names under a chart are equally far apart, and the newest has one', () => {
  expect([0, 1, 2, 4, 5].map(placesOf)).toEqual([[], [0], [0, 1], [0, 1, 2, 3], [0, 1, 2, 3, 4]]);
  expect(placesOf(6)).toEqual([1, 3, 5]);
  expect(placesOf(7)).toEqual([0, 2, 4, 6]);
  expect(placesOf(8)).toEqual([1, 3, 5, 7]);
  expect(placesOf(24)).toEqual([3, 8, 13, 18, 23]);
  expect(placesOf(31)).toEqual([0, 10, 20, 30]);
});
