import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OverlapTracker } from './overlap.ts';
import type { Truth } from './scene.ts';
import { judgeTracking, type Numbered, type Tracked } from './tracking.ts';

const box = (x: number) => ({ x, y: 100, width: 100, height: 100 });
const truth = (appearance: number, x: number, shown = 1): Truth => ({
  who: `person ${appearance}`,
  appearance,
  box: box(x),
  shown,
});
const drawn = (id: string, x: number): Numbered => ({ id, box: box(x) });
const picture = (people: Truth[], boxes: Numbered[]): Tracked => ({ truth: people, boxes });

test('two who are followed all the way count nothing', () => {
  const all = [0, 1, 2].map((i) =>
    picture(
      [truth(0, i * 50), truth(1, 900 - i * 50)],
      [drawn('a', i * 50), drawn('b', 900 - i * 50)],
    ),
  );
  assert.deepEqual(judgeTracking(all), {
    inPlainView: 6,
    followed: 6,
    switches: 0,
    passedOn: 0,
    fragmentations: 0,
    ghosts: 0,
  });
});

test('two who exchange their numbers are two switches, both passed on', () => {
  const people = [truth(0, 100), truth(1, 500)];
  const { switches, passedOn, fragmentations } = judgeTracking([
    picture(people, [drawn('a', 100), drawn('b', 500)]),
    picture(people, [drawn('b', 100), drawn('a', 500)]),
  ]);
  assert.deepEqual([switches, passedOn, fragmentations], [2, 2, 0]);
});

test('a new number is a switch and belongs to no one; a face lost in plain view is a fragmentation, a hidden one is not', () => {
  const lost = (shown: number) =>
    judgeTracking([
      picture([truth(0, 100)], [drawn('a', 100)]),
      picture([truth(0, 100, shown)], []),
      picture([truth(0, 100)], [drawn('b', 100)]),
    ]);
  const plain = lost(1);
  assert.deepEqual([plain.switches, plain.passedOn, plain.fragmentations], [1, 0, 1]);
  assert.deepEqual([plain.inPlainView, plain.followed], [3, 2]);
  assert.equal(lost(0.4).fragmentations, 0);
});

test('a box where no face is at all is a ghost', () => {
  assert.equal(judgeTracking([picture([truth(0, 100)], [drawn('a', 700)])]).ghosts, 1);
});

test('the baseline keeps a number while boxes overlap, gives it up after 1.5 s, and never gives it twice', () => {
  const tracker = new OverlapTracker();
  const ids = (at: number, ...xs: number[]) =>
    tracker
      .update(
        at,
        xs.map((x) => ({ box: box(x), score: 0.9 })),
      )
      .map(({ id }) => id);
  assert.deepEqual(ids(0, 100), ['1']);
  assert.deepEqual(ids(200, 140, 500), ['1', '2']);
  assert.deepEqual(ids(400, 260), ['3'], 'too far');
  assert.deepEqual(ids(1_600, 500), ['2']);
  assert.deepEqual(ids(3_200, 500), ['4']);
});
