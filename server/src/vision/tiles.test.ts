import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { tilesFor, type Tile } from './tiles.ts';
import type { Rect } from './messages.ts';

const holds = ({ x, y, side }: Tile, it: Rect): boolean =>
  x <= it.x && y <= it.y && x + side >= it.x + it.width && y + side >= it.y + it.height;

test('640x360 is one look', () => {
  assert.deepEqual(tilesFor(640, 360, []), [{ x: 0, y: -140, side: 640 }]);
});

test('a small moving region is seen alone and large', () => {
  const [tile, ...others] = tilesFor(1280, 720, [{ x: 600, y: 300, width: 120, height: 140 }]);
  assert.equal(others.length, 0);
  assert.ok(tile!.side <= 2.6 * 120);
  assert.ok(holds(tile!, { x: 600, y: 300, width: 120, height: 140 }));
});

test('a large picture is cut up: no look shrinks by more than 720 to 256, one sees everything', () => {
  const [whole, ...tiles] = tilesFor(1280, 720, []);
  assert.equal(whole!.side, 1280);
  assert.ok(tiles.length >= 2);
  for (const { side } of tiles) assert.ok(side <= 720);
});

test('a strip is seen in squares along it', () => {
  const tiles = tilesFor(1920, 1080, [{ x: 100, y: 500, width: 900, height: 200 }]);
  assert.ok(tiles.length >= 2);
  assert.ok(tiles.slice(1).every(({ side }) => side < 720));
});

test('regions that overlap are looked at once', () => {
  const tiles = tilesFor(1280, 720, [
    { x: 100, y: 100, width: 200, height: 200 },
    { x: 150, y: 150, width: 200, height: 200 },
  ]);
  assert.equal(tiles.length, 1);
});

const length = fc.integer({ min: 64, max: 8192 });
const region = fc.record({
  x: fc.integer({ min: -500, max: 9000 }),
  y: fc.integer({ min: -500, max: 9000 }),
  width: fc.integer({ min: 1, max: 4000 }),
  height: fc.integer({ min: 1, max: 4000 }),
});

test('whatever the picture and regions, looks are few and every face in a region is whole in one', () => {
  fc.assert(
    fc.property(length, length, fc.array(region, { maxLength: 6 }), (width, height, regions) => {
      const tiles = tilesFor(width, height, regions);
      assert.ok(tiles.length <= 8, `${tiles.length} looks`);
      for (const it of regions) {
        const x = Math.max(0, it.x);
        const y = Math.max(0, it.y);
        const right = Math.min(width, it.x + it.width);
        const bottom = Math.min(height, it.y + it.height);
        if (right <= x || bottom <= y) continue;
        const inside = { x, y, width: right - x, height: bottom - y };
        assert.ok(tiles.some((tile) => holds(tile, inside)));
      }
    }),
  );
});

test('a glimpse of a large picture is one look; a small region is looked at as closely as ever', () => {
  assert.equal(tilesFor(1280, 720, [], true).length, 1);
  assert.ok(tilesFor(1280, 720, []).length > 1);
  const region = { x: 100, y: 100, width: 120, height: 120 };
  assert.deepEqual(tilesFor(1280, 720, [region], true), tilesFor(1280, 720, [region]));
});
