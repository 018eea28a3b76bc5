import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appeared, associate, moved, predicted, type Moving } from './motion.ts';

const box = (x: number, y = 0, size = 50) => ({ x, y, width: size, height: size });
const still: Moving = appeared(box(0), 0);

test('a steady walk is predicted better with each picture', () => {
  let motion = still;
  const misses: number[] = [];
  for (let i = 1; i <= 6; i++) {
    misses.push(Math.abs(predicted(motion, i * 200).x - i * 30));
    motion = moved(motion, box(i * 30), i * 200);
  }
  assert.equal(misses[0], 30);
  assert.ok(misses.at(-1)! < 2);
});

test('after a long gap nothing is known of the speed', () => {
  const fast: Moving = { ...still, vx: 1 };
  assert.equal(predicted(fast, 5_000).x, 1_000, 'not carried out of the picture');
  assert.equal(moved(fast, box(10), 5_000).vx, 0);
  assert.equal(moved(fast, box(10), 0).vx, 0, 'two pictures of the same time');
  const known = [still, moved(still, box(10), 200), moved(fast, box(10), 5_000)];
  assert.deepEqual(
    known.map(({ hasSpeed }) => hasSpeed),
    [false, true, false],
  );
});

test('the nearest pairs come together, each once; what is far stays alone', () => {
  assert.deepEqual(associate([box(0), box(60)], [box(55), box(5), box(900)]), [
    [0, 1],
    [1, 0],
  ]);
  assert.deepEqual(associate([box(0)], [box(45)]), [[0, 0]], 'it left its own box by 90 %');
  assert.deepEqual(associate([box(0)], [box(200)]), []);
});
