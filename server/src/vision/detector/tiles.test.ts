import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Rect } from '#lib/geometry.ts';
import { tilesFor, smallestFor, type Tile } from './tiles.ts';
import { mobileFaceNetPack } from '../packs/mobilefacenet-pack.ts';
import { shippedPack } from '../packs/shipped-pack.ts';

const { detector } = shippedPack;
const sides = (tiles: readonly Tile[]): string[] =>
  tiles.map(({ width, height }) => `${width}x${height}`);
const plan = (
  width: number,
  height: number,
  regions: readonly Rect[] = [],
  quickScan = false,
): Tile[] => tilesFor({ width, height }, regions, quickScan, detector);
const scaleOf = ({ part, width }: Tile): number => width / part.width;

const holds = ({ part }: Tile, it: Rect): boolean =>
  part.x <= it.x &&
  part.y <= it.y &&
  part.x + part.width >= it.x + it.width &&
  part.y + part.height >= it.y + it.height;

test('1280x720 is seen from near for small faces, and from further away for large ones', () => {
  const near = ['384x224', '384x224', '384x224', '384x224'];
  assert.deepEqual(sides(plan(1280, 720)), [...near, '256x144', '128x72']);
  assert.ok(scaleOf(plan(1280, 720)[0]!) > 0.5);
});

test('a tile knows that no other shows its part larger: there the smallest faces are searched for', () => {
  const nearest = plan(1280, 720).map((it) => it.nearest);
  assert.deepEqual(nearest, [true, true, true, true, false, false]);
  const person = { x: 600, y: 300, width: 100, height: 230 };
  assert.ok(plan(1280, 720, [], true).every((it) => it.nearest));
  const afar = (regions: Rect[], quickScan: boolean) =>
    plan(1280, 720, regions, quickScan).map((it) => it.afar);
  assert.deepEqual(afar([], true), [true], 'a quickScan of everything');
  assert.deepEqual(afar([person], true), [false], 'a quickScan of somebody');
  assert.ok(!afar([], false).includes(true));
});

test('a photo of many pixels is seen from as near as eight tiles allow', () => {
  const [near, ...others] = plan(1600, 1200);
  assert.ok(others.length < 8);
  assert.ok(scaleOf(near!) > 0.35);
});

test('640x360 is seen in two tiles, upright pictures as well as wide ones', () => {
  assert.deepEqual(sides(plan(640, 360)), ['384x216', '128x72']);
  assert.deepEqual(sides(plan(360, 640)), ['216x384', '72x128']);
});

test('a quick scan of a large picture is one small tile; 640x360 is seen as closely as ever', () => {
  assert.deepEqual(sides(plan(1280, 720, [], true)), ['256x144']);
  assert.deepEqual(sides(plan(640, 360, [], true)), ['256x144']);
});

test('a person who moves is one small tile with as much around as fits', () => {
  const person = { x: 600, y: 300, width: 100, height: 230 };
  const [only, ...others] = plan(1280, 720, [person]);
  assert.equal(others.length, 0);
  assert.ok(holds(only!, person));
  assert.deepEqual([only!.width, only!.height], [159, 256]);
  assert.deepEqual(plan(1280, 720, [person], true), [only]);
});

test('a network that takes any size sees little more than what moves', () => {
  const { detector: any } = mobileFaceNetPack;
  const seen = (width: number, height: number, regions: readonly Rect[] = []) => {
    const tiles = tilesFor({ width, height }, regions, false, any);
    return tiles.map((tile) => {
      const input = smallestFor(tile, any.inputs)!;
      return `${input.width}x${input.height}`;
    });
  };
  assert.deepEqual(seen(1280, 720, [{ x: 400, y: 110, width: 160, height: 600 }]), ['224x448']);
  assert.deepEqual(seen(1280, 720), ['768x448', '256x160']);
  assert.deepEqual(seen(640, 360), ['384x224']);
});

test('a strip is seen near enough for small faces', () => {
  const strip = { x: 100, y: 500, width: 1100, height: 100 };
  const [near] = plan(1920, 1080, [strip]);
  assert.ok(scaleOf(near!) > 0.39);
});

test('regions that overlap are detected in once', () => {
  const regions = [
    { x: 100, y: 100, width: 100, height: 100 },
    { x: 150, y: 150, width: 100, height: 100 },
  ];
  assert.equal(plan(1280, 720, regions).length, 1);
});

test('detection in all that moves never costs more than detection in the whole picture', () => {
  const regions = [0, 1, 2].flatMap((x) =>
    [0, 1].map((y) => ({ x: x * 430, y: y * 370, width: 400, height: 340 })),
  );
  assert.deepEqual(plan(1280, 720, regions), plan(1280, 720));
});

const length = fc.integer({ min: 1, max: 8192 });
const region = fc.record({
  x: fc.integer({ min: -500, max: 9000 }),
  y: fc.integer({ min: -500, max: 9000 }),
  width: fc.integer({ min: 1, max: 4000 }),
  height: fc.integer({ min: 1, max: 4000 }),
});

test('whatever the picture and regions, tiles are few, inside, fit an input, and every region is seen', () => {
  fc.assert(
    fc.property(
      length,
      length,
      fc.array(region, { maxLength: 6 }),
      fc.boolean(),
      (width, height, regions, quickScan) => {
        const tiles = plan(width, height, regions, quickScan);
        assert.ok(tiles.length <= 8, `${tiles.length} tiles`);
        const whole = { x: 0, y: 0, width, height };
        for (const it of tiles) {
          assert.ok(holds({ ...it, part: whole }, it.part));
          assert.ok(smallestFor(it, detector.inputs));
          for (const side of [it.part.x, it.part.y, it.part.width, it.part.height, it.width])
            assert.ok(Number.isInteger(side));
        }
        for (const it of regions) {
          const x = Math.max(0, it.x);
          const y = Math.max(0, it.y);
          const right = Math.min(width, it.x + it.width);
          const bottom = Math.min(height, it.y + it.height);
          if (right <= x || bottom <= y) continue;
          // Its middle, because several tiles show a large region.
          const middle = { x: (x + right) / 2, y: (y + bottom) / 2, width: 0, height: 0 };
          assert.ok(tiles.some((one) => holds(one, middle)));
        }
      },
    ),
  );
});
