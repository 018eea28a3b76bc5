import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MotionDetector } from './motion.ts';
import { rotated } from '../../codec/rotate.ts';

const width = 320;
const height = 180;

function scene(x: number, y: number, side: number, noise = 0): Uint8Array {
  const grey = new Uint8Array(width * height).fill(100);
  for (const index of grey.keys()) grey[index]! += noise * ((index * 7919) % 5);
  for (let row = y; row < y + side; row++) grey.fill(220, row * width + x, row * width + x + side);
  return grey;
}

test('a still picture costs nothing, noise included', () => {
  const detector = new MotionDetector(width, height);
  detector.push(scene(40, 40, 32));
  for (let index = 0; index < 20; index++) {
    const { regions, cut } = detector.push(scene(40, 40, 32, index % 3));
    assert.deepEqual([regions.length, cut], [0, false]);
  }
});

test('motion is inside a region, where it was and where it is', () => {
  const detector = new MotionDetector(width, height);
  detector.push(scene(40, 40, 32));
  const { regions } = detector.push(scene(100, 60, 32));
  const inside = (x: number, y: number): boolean =>
    regions.some((r) => x >= r.x && y >= r.y && x < r.x + r.width && y < r.y + r.height);
  for (const [x, y] of [
    [44, 44],
    [104, 64],
    [131, 91],
  ] as const) {
    assert.ok(inside(x, y), `${x},${y}`);
  }
  assert.ok(!inside(300, 170));
  for (const region of regions) {
    assert.ok(region.x >= 0 && region.x + region.width <= width);
    assert.ok(region.y >= 0 && region.y + region.height <= height);
  }
});

test('far movements get regions of their own', () => {
  const detector = new MotionDetector(width, height);
  detector.push(scene(0, 0, 0));
  const two = scene(16, 16, 24);
  for (let row = 140; row < 164; row++) two.fill(220, row * width + 280, row * width + 304);
  assert.equal(detector.push(two).regions.length, 2);
});

test('a picture that changes everywhere is a cut, and the new scene is at rest at once', () => {
  const detector = new MotionDetector(width, height);
  assert.ok(detector.push(scene(40, 40, 32)).cut, 'so is the first');
  const other = new Uint8Array(width * height).fill(200);
  const changed = detector.push(other);
  assert.deepEqual([changed.regions, changed.cut], [[], true]);
  assert.equal(changed.moved.length, (width / 8) * Math.ceil(height / 8), 'every cell of it');
  assert.deepEqual(detector.push(other), { regions: [], cut: false, moved: [] });
});

/** A wall of large, soft patterns seen from `x`, with fine texture: everything changes when it moves. */
function wall(x: number): Uint8Array {
  const grey = new Uint8Array(width * height);
  for (const index of grey.keys()) {
    const across = (index % width) + x;
    const down = Math.floor(index / width);
    const soft = Math.sin(across / 40) * Math.cos(down / 30) * 60;
    grey[index] = 128 + soft + 50 * Math.sign(Math.sin(across / 1.7) * Math.sin(down / 1.9));
  }
  return grey;
}

test('a camera that turns makes no cut: the whole picture is a region, again and again', () => {
  const detector = new MotionDetector(width, height);
  detector.push(wall(0));
  for (let x = 5; x < 100; x += 5) {
    const whole = { x: 0, y: 0, width, height };
    const { regions, cut } = detector.push(wall(x));
    assert.deepEqual([regions, cut], [[whole], false], `at ${x}`);
  }
  assert.ok(
    detector.push(wall(225)).cut,
    'the same wall, half a pattern further, is another scene',
  );
});

test('four quarter turns are no turn, and one is clockwise', () => {
  const pixels = { width: 3, height: 2, data: Buffer.from([1, 2, 3, 4, 5, 6]) };
  const once = rotated(pixels, 90, 1);
  assert.deepEqual([once.width, once.height, [...once.data]], [2, 3, [4, 1, 5, 2, 6, 3]]);
  const back = rotated(rotated(pixels, 270, 1), 90, 1);
  assert.deepEqual(back, pixels);
  assert.deepEqual([...rotated(pixels, 180, 1).data], [6, 5, 4, 3, 2, 1]);
  assert.deepEqual(rotated(rotated(rotated(once, 90, 1), 90, 1), 90, 1), pixels);
});
