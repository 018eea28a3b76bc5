import { expect, test } from 'vitest';
import { aCamera, someHealth } from '#testing/cameras.ts';
import { aspectOf, GAP, gridFor, moved, neighbour, spanOf, tileAt, type Span } from './geometry.ts';

const sized = (width: number, height: number, rotation: 0 | 90 = 0) =>
  aCamera({ rotation, health: someHealth({ width, height }) });
const usual: Span = { columns: 1, rows: 1 };
const many = (count: number): Span[] => Array.from({ length: count }, () => usual);

/** Three columns of two rows of 100 by 50. */
const boxes = [0, 1, 2, 3, 4, 5].map((place) => {
  const [left, top] = [(place % 3) * 100, Math.floor(place / 3) * 50];
  return { left, right: left + 100, top, bottom: top + 50 };
});

test('a camera is shown in its own aspect, as it is turned', () => {
  expect(aspectOf(sized(1280, 720))).toBeCloseTo(16 / 9);
  expect(aspectOf(sized(1280, 720, 90))).toBeCloseTo(9 / 16);
  const silent = aCamera({
    resolution: '640x480',
    health: someHealth({ width: null, height: null }),
  });
  expect(aspectOf(silent)).toBeCloseTo(4 / 3);
});

test('a wide camera takes two columns, one that stands upright two rows', () => {
  expect(spanOf(sized(1280, 720))).toEqual(usual);
  expect(spanOf(sized(5120, 1440))).toEqual({ columns: 2, rows: 1 });
  expect(spanOf(sized(1280, 720, 90))).toEqual({ columns: 1, rows: 2 });
});

test.each([
  [1, 1],
  [4, 2],
  [9, 3],
  [16, 4],
  [36, 6],
])(
  '%i tiles stand in %i columns on a screen of 1920 by 1080, and none is out of sight',
  (count, columns) => {
    const grid = gridFor(many(count), { width: 1920, height: 1080 });
    expect(grid.columns).toBe(columns);
    const rows = Math.ceil(count / columns);
    expect(rows * grid.rowHeight + (rows - 1) * GAP).toBeLessThanOrEqual(1080);
    expect(grid.columns * grid.cellWidth + (columns - 1) * GAP).toBeLessThanOrEqual(1920);
  },
);

test('where tiles would be too small to see a person the wall is scrolled', () => {
  const grid = gridFor(many(36), { width: 640, height: 400 });
  expect(grid.cellWidth).toBeGreaterThanOrEqual(150);
  expect(grid.columns).toBe(4);
});

test('a wide camera alone has two columns to stand in', () => {
  expect(gridFor([{ columns: 2, rows: 1 }], { width: 1920, height: 1080 }).columns).toBe(2);
});

test('left and right follow the order, up and down the nearest tile of the row there', () => {
  expect(neighbour(boxes, 2, 'ArrowRight')).toBe(3);
  expect(neighbour(boxes, 0, 'ArrowLeft')).toBe(0);
  expect(neighbour(boxes, 5, 'ArrowRight')).toBe(5);
  expect(neighbour(boxes, 1, 'ArrowDown')).toBe(4);
  expect(neighbour(boxes, 5, 'ArrowUp')).toBe(2);
  expect(neighbour(boxes, 0, 'ArrowUp')).toBe(0);
});

test('an element is put to a place, and the point under it is found', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  expect(tileAt(boxes, 250, 75)).toBe(5);
  expect(tileAt(boxes, 301, 10)).toBe(-1);
});
