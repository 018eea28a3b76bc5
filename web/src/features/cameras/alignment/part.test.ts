import { expect, test } from 'vitest';
import {
  beyondMain,
  moveCentre,
  moveCorner,
  offPart,
  onPart,
  shapeOnPart,
  showingOf,
  suggestions,
  viewOf,
  whole,
  withFigure,
  type Part,
} from './part.ts';

/** A 4:3 cut from the middle of a 16:9 picture, and the other way round. */
const cut: Part = { x: 0.125, y: 0, width: 0.75, height: 1 };
const more: Part = { x: -0.166, y: 0, width: 1.333, height: 1 };

test('a corner is moved while the opposite one stays, and no side becomes too short or runs away', () => {
  expect(moveCorner(cut, 0, [0.2, 0.1])).toEqual({ x: 0.2, y: 0.1, width: 0.675, height: 0.9 });
  expect(moveCorner(cut, 2, [0.6, 0.5])).toEqual({ x: 0.125, y: 0, width: 0.475, height: 0.5 });
  expect(moveCorner(cut, 1, [0, 0.2])).toEqual({ x: 0.125, y: 0.2, width: 0.1, height: 0.8 });
  expect(moveCorner(cut, 3, [-0.3333, 1.25])).toEqual({
    x: -0.333,
    y: 0,
    width: 1.208,
    height: 1.25,
  });
  expect(moveCorner(whole, 0, [-9, -9])).toEqual({ x: -1, y: -1, width: 2, height: 2 });
});

test('the frame is moved as a whole, and by typed figures', () => {
  expect(moveCentre(cut, [0.6, 0.55])).toEqual({ x: 0.225, y: 0.05, width: 0.75, height: 1 });
  // Something of both pictures is always the same.
  expect(moveCentre(cut, [9, 9])).toEqual({ x: 0.95, y: 0.95, width: 0.75, height: 1 });
  expect(moveCentre(cut, [-9, -9])).toEqual({ x: -0.7, y: -0.95, width: 0.75, height: 1 });
  expect(withFigure(cut, 'x', 0.1)).toEqual({ ...cut, x: 0.1 });
  expect(withFigure(cut, 'width', 0.01)).toEqual({ ...cut, width: 0.1 });
  expect(withFigure(cut, 'height', 9)).toEqual({ ...cut, height: 2 });
});

test('a place on the main picture is found on the sub-stream, and back', () => {
  expect(onPart([0.5, 0.25], cut)).toEqual([0.5, 0.25]);
  expect(onPart([0.125, 1], cut)).toEqual([0, 1]);
  expect(onPart([0, 0.5], cut)[0]).toBeLessThan(0);
  expect(offPart(onPart([0.3, 0.7], more), more)).toEqual([
    expect.closeTo(0.3, 9),
    expect.closeTo(0.7, 9),
  ]);
  expect(shapeOnPart([[0.125, 0]], cut)).toEqual([[0, 0]]);
});

test('the part of the sub-stream beyond the main picture is named: masks hide it, too', () => {
  expect(beyondMain(cut)).toEqual([]);
  expect(beyondMain(whole)).toEqual([]);
  const [left, right, ...others] = beyondMain(more);
  expect(others).toEqual([]);
  expect(left![2]![0]).toBeCloseTo(0.125, 2);
  expect(right![0]![0]).toBeCloseTo(0.875, 2);
});

test('the words follow the frame: all of the main picture, a part of it, or more', () => {
  expect(showingOf(whole)).toBe('all');
  expect(showingOf({ x: 0.01, y: -0.01, width: 0.98, height: 1.02 })).toBe('all');
  expect(showingOf(cut)).toBe('part');
  expect(showingOf(more)).toBe('more');
});

test('streams of other proportions are squeezed, cut, or show more; of the same there is one suggestion', () => {
  const [hd, vga] = [
    { width: 1920, height: 1080 },
    { width: 640, height: 480 },
  ];
  expect(suggestions(hd, vga)).toEqual([
    { showing: 'all', part: whole },
    { showing: 'part', part: cut },
    { showing: 'more', part: { x: 0, y: -0.166, width: 1, height: 1.333 } },
  ]);
  expect(suggestions(vga, hd).map(({ part }) => part)).toEqual([
    whole,
    { x: 0, y: 0.125, width: 1, height: 0.75 },
    more,
  ]);
  expect(suggestions(hd, { width: 640, height: 352 })).toHaveLength(1);
});

test('the drawing shows all of both pictures and some room to move in', () => {
  expect(viewOf(cut)).toEqual({ x: -0.05, y: -0.05, width: 1.1, height: 1.1 });
  const { x, width } = viewOf(more);
  expect(x).toBeLessThan(more.x);
  expect(x + width).toBeGreaterThan(more.x + more.width);
});
