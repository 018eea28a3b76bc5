/** Masks on pixels: nothing that a mask touches is left, and what lies apart from it is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Polygon } from '@nazar/contract/polygon.ts';
import * as fc from 'fast-check';
import { rotated } from '../codec/rotate.ts';
import { MaskPainter, turnedBack, shapesOf, type Part } from './mask-painter.ts';

const width = 64;
const height = 48;
const white = (channels: number): Buffer => Buffer.alloc(width * height * channels, 255);
const middle: Polygon = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.75, 0.75],
  [0.25, 0.75],
];
const hiding = (...hides: Polygon[]): MaskPainter => new MaskPainter({ hides, shows: [] });

/** The value at a place in fractions of the picture. */
const at = (data: Buffer, x: number, y: number, channels = 1): number =>
  data[(Math.floor(y * height) * width + Math.floor(x * width)) * channels]!;

test('under a mask all channels are black, beside it nothing changes', () => {
  for (const channels of [1, 3]) {
    const data = white(channels);
    hiding(middle).paint({ width, height, data }, channels);
    assert.deepEqual([at(data, 0.5, 0.5, channels), at(data, 0.26, 0.74, channels)], [0, 0]);
    assert.deepEqual([at(data, 0.1, 0.5, channels), at(data, 0.5, 0.9, channels)], [255, 255]);
  }
});

test('in YUV a mask is black and without colour', () => {
  const data = Buffer.alloc(width * height * 1.5, 200);
  hiding(middle).paintYuv420({ width, height, data });
  const quarter = (width * height) / 4;
  const inColour = (height / 4) * (width / 2) + width / 4;
  assert.equal(at(data, 0.5, 0.5), 16);
  assert.equal(at(data, 0.1, 0.1), 200);
  for (const plane of [0, 1]) {
    const from = width * height + plane * quarter;
    assert.deepEqual([data[from + inColour], data[from]], [128, 200]);
  }
});

test('zones of one kind show what is inside, together, and masks lie over them', () => {
  const left: Polygon = [
    [0, 0],
    [0.5, 0],
    [0.5, 1],
    [0, 1],
  ];
  const { seen, recognition, motion } = shapesOf([
    { kind: 'privacy', points: middle.map(([x, y]) => [x, y]) },
    { kind: 'recognition', points: left.map(([x, y]) => [x, y]) },
  ]);
  const data = white(1);
  new MaskPainter(recognition).paint({ width, height, data }, 1);
  assert.deepEqual([at(data, 0.1, 0.1), at(data, 0.4, 0.5), at(data, 0.9, 0.1)], [255, 0, 0]);
  assert.deepEqual(motion, seen, 'without motion zones the whole picture counts');
  assert.ok(new MaskPainter(shapesOf([]).seen).hidesNothing);
});

/** A triangle somewhere, however thin. */
const triangle = fc
  .array(
    fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    ),
    {
      minLength: 3,
      maxLength: 3,
    },
  )
  .map((corners): Polygon => corners);

/** A place inside it. */
const inside = fc
  .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([a, b]): [number, number] => (a + b > 1 ? [1 - a, 1 - b] : [a, b]));
const placeIn = ([a, b, c]: Polygon, [u, v]: readonly [number, number]): [number, number] => [
  a![0] + u * (b![0] - a![0]) + v * (c![0] - a![0]),
  a![1] + u * (b![1] - a![1]) + v * (c![1] - a![1]),
];

/** So flat that no line between two rows of pixels meets more of it than its ends. */
const flat: Polygon = [
  [0.5, 1e-150],
  [0, 0],
  [0, 0],
];
const sliver: Polygon = [
  [0, 0],
  [0.5, 0.01],
  [0, 0.005],
];
const beside: Part = { x: 0, y: 0, width: 0.5, height: 0.1, margin: 1 };

test('C-401 no pixel that a mask touches keeps what it showed, whatever part is taken and however large', () => {
  const part = fc.record({
    x: fc.double({ min: 0, max: 0.5, noNaN: true }),
    y: fc.double({ min: 0, max: 0.5, noNaN: true }),
    width: fc.double({ min: 0.1, max: 0.5, noNaN: true }),
    height: fc.double({ min: 0.1, max: 0.5, noNaN: true }),
    margin: fc.constantFrom(1, 4),
  });
  fc.assert(
    fc.property(
      triangle,
      part,
      fc.array(inside, { maxLength: 30 }),
      (polygon, shown: Part, places) => {
        const data = white(1);
        hiding(polygon).paint({ width, height, data }, 1, shown);
        for (const place of places) {
          const [x, y] = placeIn(polygon, place);
          const column = Math.floor(((x - shown.x) / shown.width) * width);
          const row = Math.floor(((y - shown.y) / shown.height) * height);
          if (column < 0 || row < 0 || column >= width || row >= height) continue;
          assert.equal(data[row * width + column], 0);
        }
      },
    ),
    {
      numRuns: 300,
      examples: [
        [flat, beside, [[0.2, 0]]],
        [sliver, beside, [[0.95, 0]]],
      ],
    },
  );
});

test('a mask lies over the same place whether it is painted before the picture is turned or after', () => {
  for (const rotation of [0, 90, 180, 270] as const) {
    const corner: Polygon = [
      [0, 0],
      [0.4, 0],
      [0.4, 0.3],
      [0, 0.3],
    ];
    const before = white(1);
    new MaskPainter(turnedBack({ hides: [corner], shows: [] }, rotation)).paint(
      { width, height, data: before },
      1,
    );
    const turnedAfter = rotated({ width, height, data: before }, rotation, 1);
    const after = rotated({ width, height, data: white(1) }, rotation, 1);
    hiding(corner).paint(after, 1);
    const different = turnedAfter.data.filter((value, index) => value !== after.data[index]);
    assert.equal(different.length, 0, String(rotation));
  }
});
