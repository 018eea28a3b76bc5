import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Point } from '#lib/geometry.ts';
import { chipTransform, meanFace, misfit, similarity, templateOf } from './align.ts';
import { squareCrop, uprightCrop } from './landmarks.ts';

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const cloud = Array.from({ length: 12 }, (_, i): Point => [
  Math.sin(i) * 50,
  Math.cos(i * 1.7) * 50,
]);

test('the similarity that made the points is found again', () => {
  fc.assert(
    fc.property(
      real(-3, 3),
      real(0.2, 5),
      real(-900, 900),
      real(-900, 900),
      (angle, size, tx, ty) => {
        const a = size * Math.cos(angle);
        const b = size * Math.sin(angle);
        const to = cloud.map(([x, y]): Point => [a * x - b * y + tx, b * x + a * y + ty]);
        const found = similarity(cloud, to);
        for (const [key, value] of Object.entries({ a, b, tx, ty })) {
          assert.ok(Math.abs(found[key as 'a'] - value) < 1e-6, key);
        }
      },
    ),
  );
});

/** 68 points of a plain frontal face, 100 px between its temples. */
function plainFace(): Point[] {
  const points = Array.from({ length: 68 }, (): Point => [0, 0]);
  const put = (first: number, ...list: Point[]): void => {
    for (const [i, point] of list.entries()) points[first + i] = point;
  };
  put(27, [50, 20], [50, 31], [50, 41], [50, 52]);
  put(31, [38, 59], [44, 61], [50, 63], [56, 61], [62, 59]);
  put(36, [13, 22], [19, 18], [27, 18], [34, 23], [27, 25], [19, 25]);
  put(42, [65, 23], [72, 18], [80, 18], [86, 22], [80, 25], [72, 25]);
  put(48, [26, 78], [34, 75], [43, 73], [50, 74], [56, 73], [64, 75], [73, 78]);
  put(55, [64, 86], [56, 90], [50, 91], [43, 90], [34, 86]);
  put(60, [29, 78], [43, 78], [50, 79], [56, 78], [69, 78], [56, 82], [50, 83], [43, 82]);
  return points;
}

test('a frontal face lands on the mean face; the chip is twice its height with a quarter around', () => {
  const { a, b } = chipTransform({ five: [], all: plainFace() }, meanFace);
  // 100 px of face become 100 px of the 150 px chip.
  assert.ok(Math.abs(a - 1) < 0.03, `scale ${a}`);
  assert.ok(Math.abs(b) < 0.01, `turn ${b}`);
  assert.ok(misfit(plainFace()) < 2);
});

test('points strewn about are no face, however large', () => {
  const points = plainFace().map(([x, y], i): Point => [
    x * 3 + Math.sin(i * 5.1) * 90,
    y * 3 + Math.cos(i * 3.3) * 90,
  ]);
  assert.ok(misfit(points) > 10);
});

test('a box is read whole: the first and last patch pixel lie half a step inside it', () => {
  const { a, tx, ty } = squareCrop({ x: 40, y: 60, width: 224, height: 200 }, 112);
  assert.equal(a, 2);
  assert.equal(tx, 40 + 1 - 0.5);
  assert.equal(ty, 60 - 12 + 1 - 0.5);
});

test('the second crop turns the eyes level', () => {
  const angle = 0.4;
  const turned = plainFace().map(([x, y]): Point => [
    x * Math.cos(angle) - y * Math.sin(angle) + 300,
    x * Math.sin(angle) + y * Math.cos(angle) + 200,
  ]);
  const { a, b } = uprightCrop(turned, 112, 1.3);
  assert.ok(Math.abs(Math.atan2(b, a) - angle) < 0.02);
});

type Five = [Pixel, Pixel, Pixel, Pixel, Pixel];
type Pixel = [number, number];

test('five points of a face become those of the template, whatever it is', () => {
  const found: Point[] = [
    [210, 130],
    [250, 138],
    [226, 160],
    [206, 172],
    [240, 179],
  ];
  const wide: Five = [
    [60, 70],
    [120, 70],
    [90, 100],
    [70, 130],
    [110, 130],
  ];
  for (const [template, side] of [
    ['arcface-112', 112],
    [wide, 180],
  ] as const) {
    const of = templateOf({ template, side });
    assert.equal(of.all, null);
    const { a, b, tx, ty } = chipTransform({ five: found, all: null }, of);
    const squares = of.five.map(([x, y], i) => {
      const [u, v] = found[i]!;
      return (a * x - b * y + tx - u) ** 2 + (b * x + a * y + ty - v) ** 2;
    });
    assert.ok(Math.max(...squares) < 5 ** 2, `${Math.sqrt(Math.max(...squares))} px off`);
  }
});

test('the eyes of the mean face are level, 53 pixels apart on a chip of 150', () => {
  const [left, right] = meanFace.five;
  assert.ok(Math.abs(right![0] - left![0] - 52.9) < 0.1 && Math.abs(right![1] - left![1]) < 0.1);
});
