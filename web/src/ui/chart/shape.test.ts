import { expect, test } from 'vitest';
import { area, line, niceCeiling } from './shape.ts';

test.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [7, 8],
  [10, 10],
  [11, 20],
  [56, 60],
  [99, 100],
  [250, 400],
])('the axis over %i ends at %i, whose half is whole', (value, ceiling) => {
  expect(niceCeiling(value)).toBe(ceiling);
  expect(Number.isInteger(ceiling / 2)).toBe(true);
});

/** The heights of a path's control points; a Bézier curve stays within theirs. */
const heights = (path: string): number[] =>
  [...path.matchAll(/,(-?[\d.]+)/g)].map((match) => Number(match[1]));

test('a smooth line never shows more or less than was counted', () => {
  const values = [0, 0, 90, 3, 3, 100, 0, 50, 51, 52, 0];
  const dots = values.map((y, x) => ({ x: x * 10, y }));
  for (let from = 1; from < dots.length; from += 1) {
    const piece = line(dots).split('C')[from] ?? '';
    const [low, high] = [dots[from - 1]?.y ?? 0, dots[from]?.y ?? 0].sort((a, b) => a - b);
    for (const height of heights(
      `,${piece
        .replaceAll(' ', ',')
        .split(',')
        .filter((_, i) => i % 2)
        .join(',')}`,
    )) {
      expect(height).toBeGreaterThanOrEqual((low ?? 0) - 0.01);
      expect(height).toBeLessThanOrEqual((high ?? 0) + 0.01);
    }
  }
});

test('the area is the line closed along the ground, and nothing without dots', () => {
  const dots = [
    { x: 0, y: 5 },
    { x: 10, y: 1 },
  ];
  expect(area(dots, 20)).toBe(`${line(dots)}L10,20L0,20Z`);
  expect(area([], 20)).toBe('');
});
