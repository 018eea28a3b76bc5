/** What masks leave of a picture, as polygons. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaOf, type Point, type Polygon } from '@nazar/contract/polygon.ts';
import { isZone, maxPoints, maxZones } from '@nazar/contract/zones.ts';
import * as fc from 'fast-check';
import { outside } from './outside.ts';

const square = (x: number, y: number, side: number): Polygon => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
];
const areas = (parts: readonly Polygon[] | null) =>
  parts?.reduce((sum, part) => sum + areaOf(part), 0) ?? NaN;

test('nothing masked is the whole picture, and all of it nothing', () => {
  assert.deepEqual(outside([]), [
    [
      [0, 0],
      [0, 1],
      [1, 1],
      [1, 0],
    ],
  ]);
  assert.deepEqual(outside([square(0, 0, 1)]), []);
  assert.deepEqual(outside([square(-1, -1, 3)]), []);
});

test('masks inside, at the border, over one another and across each other leave the rest', () => {
  const near = (parts: Polygon[] | null, area: number) =>
    assert.ok(Math.abs(areas(parts) - area) < 1e-3, `${areas(parts)}`);
  near(outside([square(0.4, 0.4, 0.2)]), 0.96);
  near(outside([square(0, 0, 0.5), square(0.5, 0.5, 0.5)]), 0.5);
  near(outside([square(0.1, 0.1, 0.4), square(0.3, 0.3, 0.4)]), 1 - 0.28);
  near(outside([square(0.2, 0.2, 0.6), square(0.3, 0.3, 0.2)]), 1 - 0.36);
  const bow: Polygon = [
    [0, 0],
    [1, 1],
    [1, 0],
    [0, 1],
  ];
  near(outside([bow]), 0.5);
});

test('edges that cross right beside a corner take no part away', () => {
  const triangle: Polygon = [
    [0, 0],
    [0.25, 0],
    [0, 0.25],
  ];
  const beside: Polygon = [
    [0.241, 0],
    [1, 0],
    [0.25, 0.75],
    [0.5, 0.001],
  ];
  const parts = outside([triangle, beside]);
  assert.equal(parts?.filter((part) => holds(part, [0.395, 0.613])).length, 1);
});

test('a part goes on in the one above it, not in one beside it that ends as wide', () => {
  const twice: Polygon = [
    [0.75, 1],
    [0, 0],
    [1, 1],
    [0.5, 0.5],
    [0, 0],
  ];
  const left: Polygon = [
    [0, 0.75],
    [0, 0],
    [0, 0.5],
  ];
  const parts = outside([twice, left]);
  assert.equal(parts?.filter((part) => holds(part, [0.99, 0.77])).length, 1);
  assert.ok(Math.abs(areas(parts) - 1) < 1e-3, `${areas(parts)}`);
});

test('more corners or parts than zones may have are refused, not cut', () => {
  const comb = Array.from({ length: 40 }, (_, n) => square(n / 40, 0.1, 0.01));
  assert.equal(outside(comb), null);
  const round = Array.from({ length: 500 }, (_, n): Point => [
    0.5 + 0.4 * Math.cos(n / 80),
    0.5 + 0.4 * Math.sin(n / 80),
  ]);
  assert.equal(outside([round]), null);
});

const coordinate = fc.oneof(
  fc.integer({ min: 0, max: 1_000 }).map((n) => n / 1_000),
  fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
);
const points = fc.array(fc.tuple(coordinate, coordinate), { minLength: 20, maxLength: 20 });
const polygon = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 8 });

test('a point counts in a zone or lies in a mask, never both, whatever the masks', () => {
  let made = 0;
  fc.assert(
    fc.property(fc.array(polygon, { minLength: 1, maxLength: 3 }), points, (masks, places) => {
      const parts = outside(masks);
      if (parts === null) return;
      made += 1;
      assert.ok(parts.length <= maxZones);
      for (const part of parts) assert.ok(isZone(part) && part.length <= maxPoints);
      for (const point of places) {
        // What is smaller than any zone is left out: a corner of the picture, at most, of 0.0113 around.
        if ([...masks, ...parts].some((one) => distance(one, point) < 2e-2)) continue;
        const isMasked = masks.some((mask) => holds(mask, point));
        assert.equal(parts.filter((part) => holds(part, point)).length, isMasked ? 0 : 1);
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(made > 100, `${made}`);
});

function holds(polygon: Polygon, [x, y]: Point): boolean {
  let isInside = false;
  for (const [index, [x1, y1]] of polygon.entries()) {
    const [x2, y2] = polygon[(index + 1) % polygon.length]!;
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
  }
  return isInside;
}

/** To the nearest edge. */
function distance(polygon: Polygon, [x, y]: Point): number {
  return Math.min(
    ...polygon.map(([x1, y1], index) => {
      const [x2, y2] = polygon[(index + 1) % polygon.length]!;
      const length = (x2 - x1) ** 2 + (y2 - y1) ** 2;
      const along = length === 0 ? 0 : ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length;
      const share = Math.min(1, Math.max(0, along));
      return Math.hypot(x - x1 - share * (x2 - x1), y - y1 - share * (y2 - y1));
    }),
  );
}
