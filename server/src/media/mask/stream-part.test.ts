/** Zones of the main picture on a stream that shows another part of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Polygon } from '@nazar/contract/polygon.ts';
import * as fc from 'fast-check';
import { rotated } from '../codec/rotate.ts';
import { CameraPainters } from './camera-painters.ts';
import { MaskPainter, turnedBack } from './mask-painter.ts';
import { recordedShapes } from './recorded-masks.ts';
import {
  onPart,
  rectOnMain,
  rectOnPart,
  samePicture,
  shapesOnPart,
  turnedPart,
} from './stream-part.ts';

const [width, height] = [64, 48];
const white = (): Buffer => Buffer.alloc(width * height, 255);
const side = fc.double({ min: 0.3, max: 2, noNaN: true });
const place = fc.double({ min: -0.5, max: 0.5, noNaN: true });
const parts = fc.record({ x: place, y: place, width: side, height: side });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const triangles = fc
  .array(fc.tuple(fraction, fraction), { minLength: 3, maxLength: 3 })
  .map((corners): Polygon => corners);

test('C-401 a mask on the main picture hides its place on a stream that shows any part of it', () => {
  fc.assert(
    fc.property(triangles, parts, fraction, fraction, (polygon, part, a, b) => {
      const [u, v] = a + b > 1 ? [1 - a, 1 - b] : [a, b];
      const [one, two, three] = polygon;
      const at = (axis: 0 | 1): number =>
        one![axis] + u * (two![axis] - one![axis]) + v * (three![axis] - one![axis]);
      const [x, y] = onPart([at(0), at(1)], part);
      const [column, row] = [Math.floor(x * width), Math.floor(y * height)];
      fc.pre(column >= 0 && row >= 0 && column < width && row < height);
      const data = white();
      new MaskPainter(shapesOnPart({ hides: [polygon], shows: [] }, part)).paint(
        { width, height, data },
        1,
      );
      assert.equal(data[row * width + column], 0);
    }),
  );
});

test('a place on a part is the same place on the main picture, and back', () => {
  fc.assert(
    fc.property(parts, parts, (part, box) => {
      const back = rectOnMain(rectOnPart(box, part), part);
      for (const key of ['x', 'y', 'width', 'height'] as const) {
        assert.ok(Math.abs(back[key] - box[key]) < 1e-9);
      }
    }),
  );
});

test('a part of a turned picture hides the same pixels as before it is turned', () => {
  const part = { x: 0.125, y: 0.1, width: 0.75, height: 0.8 };
  const hides: Polygon[] = [
    [
      [0.31, 0.21],
      [0.51, 0.21],
      [0.51, 0.41],
      [0.31, 0.41],
    ],
  ];
  for (const rotation of [0, 90, 180, 270] as const) {
    const upright = shapesOnPart({ hides, shows: [] }, turnedPart(part, rotation));
    const before = white();
    new MaskPainter(turnedBack(upright, rotation)).paint({ width, height, data: before }, 1);
    const turnedAfter = rotated({ width, height, data: before }, rotation, 1);
    const after = rotated({ width, height, data: white() }, rotation, 1);
    new MaskPainter(upright).paint(after, 1);
    assert.ok(turnedAfter.data.equals(after.data), String(rotation));
  }
});

test('the part of a stream beyond the main picture is hidden where there are masks', () => {
  const corner: Polygon = [
    [0, 0],
    [0.1, 0],
    [0.1, 0.1],
  ];
  const part = { x: 0, y: -0.25, width: 1, height: 1.5 };
  const data = white();
  new MaskPainter(shapesOnPart({ hides: [corner], shows: [] }, part)).paint(
    { width, height, data },
    1,
  );
  assert.deepEqual([data[2 * width + 32], data[24 * width + 32]], [0, 255]);
  assert.equal(data[46 * width + 32], 0);
  assert.deepEqual(shapesOnPart({ hides: [], shows: [] }, part).hides, []);
});

test('C-401 nothing is shown of a stream whose part is not known while there are masks', () => {
  const mask = {
    kind: 'privacy',
    points: [
      [0, 0],
      [0.1, 0],
      [0.1, 0.1],
    ] as [number, number][],
  };
  const painters = new CameraPainters(0, [{ ...mask, kind: 'privacy' }], null);
  const hiddenOf = (): number => {
    const data = white();
    painters.seen.paint({ width, height, data }, 1);
    return data.filter((value) => value === 0).length;
  };
  assert.equal(painters.isPlaced, false);
  assert.equal(hiddenOf(), width * height);
  painters.align({ x: 0.125, y: 0, width: 0.75, height: 1 });
  assert.ok(hiddenOf() < (width * height) / 4);
  painters.align(null);
  painters.setZones([]);
  assert.deepEqual([painters.isPlaced, hiddenOf()], [true, 0]);
});

test('recognition and motion zones lie where a stream shows what they are over', () => {
  const half = (left: number): Polygon => [
    [left, 0],
    [left + 0.5, 0],
    [left + 0.5, 1],
    [left, 1],
  ];
  const zones = [
    { kind: 'recognition', points: half(0) as [number, number][] },
    { kind: 'motion', points: half(0.5) as [number, number][] },
  ] as const;
  const painters = new CameraPainters(0, [...zones], { x: 0.25, y: 0, width: 0.75, height: 1 });
  const shownOf = ({ recognition, motion }: CameraPainters): number[] =>
    [recognition, motion].map((painter) => {
      const data = white();
      painter.paint({ width, height, data }, 1);
      const columns = data.subarray(0, width).filter((value) => value > 0).length;
      return columns / width;
    });
  const [seen, moved] = shownOf(painters);
  assert.ok(Math.abs(seen! - 1 / 3) < 0.02 && Math.abs(moved! - 2 / 3) < 0.02, `${seen} ${moved}`);
  painters.align(null);
  assert.deepEqual(shownOf(painters), [0, 0], 'where they are is not known');
});

test('a recorded picture hides every place where a mask may be, and all where none is known', () => {
  const polygons: Polygon[] = [
    [
      [0.4, 0.4],
      [0.51, 0.41],
      [0.5, 0.5],
    ],
  ];
  const masks = { polygons, rotation: 0 } as const;
  const cut = { x: 0.125, y: 0, width: 0.75, height: 1 };
  assert.equal(
    recordedShapes({ ...masks, parts: [samePicture, cut], turns: [0] }, 0).hides.length,
    2,
  );
  assert.deepEqual(recordedShapes({ ...masks, parts: [], turns: [0] }, 0).hides[0]?.length, 4);
});
