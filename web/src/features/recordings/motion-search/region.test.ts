import { expect, test } from 'vitest';
import { asQuery, drawn, isBroken, middle, moved, reshaped, withCorner } from './region.ts';

test('a rectangle stays one whichever corner is moved, also over and back from its other edges', () => {
  for (const index of [0, 1, 2, 3]) {
    const flat = moved(middle, index, middle.corners[(index + 2) % 4]!);
    const [x, y] = [0.9, 0.2];
    const { corners } = moved(flat, index, [x, y]);
    expect(corners[index]).toEqual([x, y]);
    const [opposite] = [middle.corners[(index + 2) % 4]!];
    expect(corners[(index + 2) % 4]).toEqual(opposite);
    const others = [corners[(index + 1) % 4], corners[(index + 3) % 4]];
    expect(others).toContainEqual([x, opposite[1]]);
    expect(others).toContainEqual([opposite[0], y]);
  }
});

test('a drawn region lies inside the picture, from whichever end', () => {
  expect(asQuery(drawn([0.5, 0.6], [-1, 0.2]))).toBe('0,0.2,0.5,0.2,0.5,0.6,0,0.6');
});

test('a polygon takes a corner into its nearest edge, and becomes the rectangle around it', () => {
  const grown = withCorner(reshaped(middle, 'polygon'), [0.9, 0.5]);
  expect(grown?.index).toBe(2);
  expect(grown?.region.corners[2]).toEqual([0.9, 0.5]);
  expect(reshaped(grown!.region, 'rectangle').corners).toEqual([
    [0.3, 0.3],
    [0.9, 0.3],
    [0.9, 0.7],
    [0.3, 0.7],
  ]);
});

test('edges that cross and an area of nothing are broken', () => {
  const polygon = reshaped(middle, 'polygon');
  expect(isBroken(polygon)).toBe(false);
  expect(isBroken(moved(polygon, 0, [0.8, 0.5]))).toBe(true);
  expect(isBroken(drawn([0.5, 0.5], [0.5, 0.9]))).toBe(true);
});
