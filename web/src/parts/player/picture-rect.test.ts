import { expect, test } from 'vitest';
import { pictureRect } from './picture-rect.ts';

test.each([
  ['bars left and right', { width: 400, height: 200 }, { x: 100, y: 0, width: 200, height: 200 }],
  ['bars above and below', { width: 100, height: 300 }, { x: 0, y: 100, width: 100, height: 100 }],
  ['no bars', { width: 50, height: 50 }, { x: 0, y: 0, width: 50, height: 50 }],
])('LIVE-007 a square picture in its element: %s', (_title, element, rect) => {
  expect(pictureRect(element, { width: 720, height: 720 })).toEqual(rect);
});

test('before the size is known the element stands for the picture', () => {
  expect(pictureRect({ width: 4, height: 3 }, { width: 0, height: 0 })).toEqual({
    x: 0,
    y: 0,
    width: 4,
    height: 3,
  });
});
