import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isSimple, type Point } from '@nazar/contract/polygon.ts';
import type { Rect } from '#lib/geometry.ts';
import { rotated } from '../codec/rotate.ts';
import { MaskPainter, type Painted } from './mask-painter.ts';
import { hiddenUnder, nameOfMasks, touches } from './picture-place.ts';

const side = 100;
const rotation = fc.constantFrom(0, 90, 180, 270);
const hundredth = fc.integer({ min: 0, max: side }).map((at) => at / side);
const polygon = fc
  .array(fc.tuple(hundredth, hundredth), { minLength: 3, maxLength: 7 })
  .filter((points) => isSimple(points));
const rect = fc
  .tuple(
    fc.integer({ min: 0, max: 90 }),
    fc.integer({ min: 0, max: 90 }),
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 1, max: 40 }),
  )
  .map(([x, y, w, h]) => ({
    x: x / side,
    y: y / side,
    width: Math.min(w, side - x) / side,
    height: Math.min(h, side - y) / side,
  }));

/** A picture that was all white, as it is with these masks. */
function painted(polygons: readonly (readonly Point[])[]): Painted {
  const picture = { width: side, height: side, data: Buffer.alloc(side * side, 1) };
  const whole = { x: 0, y: 0, width: 1, height: 1, margin: 0 };
  new MaskPainter({ hides: polygons, shows: [] }).paint(picture, 1, whole);
  return picture;
}

function hasBlack({ data }: Painted, { x, y, width, height }: Rect): boolean {
  const [left, top] = [Math.round(x * side), Math.round(y * side)];
  const [right, bottom] = [Math.round((x + width) * side), Math.round((y + height) * side)];
  for (let row = top; row < bottom; row += 1) {
    for (let column = left; column < right; column += 1) {
      if (data[row * side + column] === 0) return true;
    }
  }
  return false;
}

const unknownMasks = 'others';

test('C-401 no picture of which a mask hides a pixel is let through, however the camera was turned since', () => {
  fc.assert(
    fc.property(
      fc.array(polygon, { minLength: 1, maxLength: 3 }),
      rect,
      rotation,
      rotation,
      (polygons, box, now, then) => {
        const isHidden = hiddenUnder({ polygons, rotation: now })(
          {
            ...box,
            rotation: then,
            masks: unknownMasks,
          },
          [0],
        );
        // As the masks were drawn, and as they are when the camera's own pixels are turned as they were then.
        const since = ((((then - now) % 360) + 360) % 360) as 0 | 90 | 180 | 270;
        const places = [painted(polygons), rotated(painted(polygons), since, 1)];
        if (places.some((picture) => hasBlack(picture, box))) assert.ok(isHidden);
      },
    ),
  );
});

test('a picture beside all masks is let through', () => {
  fc.assert(
    fc.property(polygon, rect, fc.boolean(), (points, box, isAbove) => {
      const left = points.map(([x, y]): Point => [x * 0.49, y]);
      const turn = ([x, y]: Point): Point => (isAbove ? [y, x] : [x, y]);
      const [x, y] = turn([0.5 + box.x / 2, box.y]);
      const aside = { ...box, x, y, width: box.width / 2 };
      assert.equal(touches(left.map(turn), aside), false);
    }),
  );
});

const square: Point[] = [
  [0.2, 0.2],
  [0.4, 0.2],
  [0.4, 0.4],
  [0.2, 0.4],
];
const masks = { polygons: [square], rotation: 0 } as const;
const inside = { x: 0.25, y: 0.25, width: 0.05, height: 0.05, rotation: 0 } as const;

test('a picture that was painted with the masks of now hides what they hide already', () => {
  const isHidden = hiddenUnder(masks);
  const painted = { ...inside, masks: nameOfMasks([square]) };
  assert.equal(isHidden({ ...inside, masks: nameOfMasks([]) }, [0]), true);
  assert.equal(isHidden(painted, [0]), false);
  // Turned since: they lay elsewhere, or did when the camera was turned there and back.
  assert.equal(isHidden({ ...painted, x: 0.65 }, [0]), false);
  assert.equal(isHidden({ ...painted, x: 0.65 }, [0, 90, 270]), true);
  assert.equal(isHidden({ ...painted, rotation: 90 }, [0]), true);
  assert.equal(isHidden({ ...inside, x: 0.5, masks: nameOfMasks([]) }, [0]), false);
});

test('a picture whose place is not known is hidden while there is a mask', () => {
  assert.equal(hiddenUnder(masks)(null, [0]), true);
  assert.equal(hiddenUnder({ polygons: [], rotation: 0 })(null, [0]), false);
});

test('a mask around a picture, inside of it or across it touches it, one that leaves it out does not', () => {
  const box = { x: 0.4, y: 0.4, width: 0.2, height: 0.2 };
  const squareOf = (from: number, to: number, down = [from, to] as const): Point[] => [
    [from, down[0]],
    [to, down[0]],
    [to, down[1]],
    [from, down[1]],
  ];
  assert.ok(touches(squareOf(0, 1), box));
  assert.ok(touches(squareOf(0.45, 0.5), box));
  assert.ok(touches(squareOf(0, 1, [0.45, 0.5]), box));
  assert.ok(!touches(squareOf(0, 1, [0.7, 0.9]), box));
  // Open to the right, with the picture between its arms.
  const arms = [...squareOf(0.1, 0.9).slice(0, 2), [0.9, 0.2], [0.2, 0.2], [0.2, 0.8], [0.9, 0.8]];
  assert.ok(!touches([...arms, [0.9, 0.9], [0.1, 0.9]] as Point[], box));
});
