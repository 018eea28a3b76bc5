import { expect, test } from 'vitest';
import type { Pace } from '#parts/player/live/pace.ts';
import { WallLoad } from './wall-load.ts';

/** Pictures a second that come and that are shown. */
type Rate = readonly [came: number, shown: number];

const same = (count: number, rate: Rate): Rate[] => Array.from({ length: count }, () => rate);
/** What was seen of nine tiles: three at 10 pictures a second, two never. */
const starved: readonly Rate[] = [...same(3, [25, 10]), ...same(4, [25, 25]), ...same(2, [25, 0])];
const well = same(9, [25, 25]);
/** A key frame each four seconds. */
const keysWell = same(9, [0.25, 0.25]);
const keysStarved: readonly Rate[] = [...same(6, [0.25, 0.25]), ...same(3, [0.25, 0])];

/** A wall by whole pictures and whole seconds, as it is measured. */
class Wall {
  readonly load = new WallLoad();
  nowS = 0;
  readonly #counted = new Map<number, { came: number; shown: number }>();

  pass(seconds: number, rates: readonly Rate[], turns = 1): Pace {
    for (let second = 0; second < seconds; second += 1) {
      this.nowS += 1;
      const tiles = rates.map(([came, shown], index) => {
        const before = this.#counted.get(index) ?? { came: 0, shown: 0 };
        const now = { came: before.came + came, shown: before.shown + shown };
        this.#counted.set(index, now);
        const whole = { came: Math.floor(now.came), shown: Math.floor(now.shown), fps: 25 };
        return [`camera-${index}`, whole] as const;
      });
      this.load.measure({ atMs: this.nowS * 1000, tiles: new Map(tiles), turns });
    }
    return this.load.pace;
  }
}

test('a device that keeps up shows the streams, also after a busy start', () => {
  const wall = new Wall();
  expect(wall.pass(8, starved)).toBe('streams');
  expect(wall.pass(3600, well)).toBe('streams');
});

test('one that does not shows less of every camera, step by step, each given time to help', () => {
  const wall = new Wall();
  expect(wall.pass(12, starved)).toBe('keyFrames');
  expect(wall.pass(20, keysStarved)).toBe('keyFrames');
  expect(wall.pass(15, keysStarved)).toBe('stills');
  expect(wall.pass(30, [])).toBe('stills');
});

test('key frames that come each few seconds are enough where they are all that is shown', () => {
  const wall = new Wall();
  wall.pass(12, starved);
  expect(wall.pass(60, keysWell)).toBe('keyFrames');
});

test('after a minute in which all is well more is tried again, and later each time that failed', () => {
  const wall = new Wall();
  const tried: number[] = [];
  wall.pass(12, starved);
  for (let second = 0; second < 900; second += 1) {
    const before = wall.load.pace;
    const pace = wall.pass(1, before === 'streams' ? starved : keysWell);
    if (before === 'keyFrames' && pace === 'streams') tried.push(wall.nowS);
  }
  const pauses = tried.slice(1).map((at, index) => at - (tried[index] ?? 0));
  expect(tried.length).toBeGreaterThanOrEqual(3);
  expect(pauses[0]).toBeGreaterThanOrEqual(120);
  expect(pauses[1]).toBeGreaterThan((pauses[0] ?? 0) * 1.5);
});

test('from stills more is tried again as well, up to the streams where the device is free again', () => {
  const wall = new Wall();
  wall.pass(12, starved);
  expect(wall.pass(35, keysStarved)).toBe('stills');
  expect(wall.pass(75, [])).toBe('keyFrames');
  expect(wall.pass(75, keysWell)).toBe('streams');
  expect(wall.pass(600, well)).toBe('streams');
});

test('one tile of nine with trouble of its own takes nothing from the others; three are too many', () => {
  const others = same(6, [25, 25]);
  expect(new Wall().pass(60, [[25, 0], ...others])).toBe('streams');
  expect(new Wall().pass(12, [...same(3, [25, 0]), ...others])).toBe('keyFrames');
});

test('cameras that send nothing, and a connection that lets little through, say nothing of the device', () => {
  expect(new Wall().pass(600, [...same(5, [0, 0]), [25, 25]])).toBe('streams');
  expect(new Wall().pass(600, same(9, [2, 2]))).toBe('streams');
  expect(new Wall().pass(600, [])).toBe('streams');
});

test('where nothing comes, nothing more is tried: it would not be seen whether that works', () => {
  const wall = new Wall();
  wall.pass(12, starved);
  expect(wall.pass(600, same(9, [0, 0]))).toBe('keyFrames');
});

test('a page that does not get its turns is too slow, whatever it counts', () => {
  const wall = new Wall();
  expect(wall.pass(12, well, 0.4)).toBe('keyFrames');
  expect(wall.pass(25, keysWell, 0.4)).toBe('stills');
  expect(wall.pass(300, [], 0.4)).toBe('stills');
  expect(wall.pass(66, [])).toBe('keyFrames');
});

test('a page that has a turn each five seconds only is seen as well', () => {
  const load = new WallLoad();
  const paces: Pace[] = [];
  for (let atMs = 5000; atMs <= 60_000; atMs += 5000)
    paces.push(load.measure({ atMs, tiles: new Map(), turns: 0.02 }));
  expect(paces.slice(0, 3)).toEqual(['streams', 'streams', 'streams']);
  expect(paces).toContain('keyFrames');
  expect(paces.at(-1)).toBe('stills');
});

test('a busy page owes what the cameras send: the server leaves out what it does not fetch in time', () => {
  const little = same(9, [2, 2]);
  expect(new Wall().pass(14, little, 0.7)).toBe('keyFrames');
  expect(new Wall().pass(600, little, 0.95)).toBe('streams');
  expect(new Wall().pass(600, well, 0.7)).toBe('streams');
});

test('figures from before the page was out of sight count no more', () => {
  const wall = new Wall();
  for (let time = 0; time < 20; time += 1) {
    wall.pass(7, starved);
    wall.load.forget();
  }
  expect(wall.load.pace).toBe('streams');
});

test('a player that was made anew begins to count at 0, which is no lag', () => {
  const load = new WallLoad();
  for (let second = 1; second <= 60; second += 1) {
    const counted = (second % 3) * 25;
    const tiles = new Map([['camera', { came: counted, shown: counted, fps: 25 }]]);
    load.measure({ atMs: second * 1000, tiles, turns: 1 });
  }
  expect(load.pace).toBe('streams');
});
