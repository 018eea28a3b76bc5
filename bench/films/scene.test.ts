import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headAt, placeAt, truthAt, type Appearance, type Scene } from './scene.ts';

const walker: Appearance = {
  who: 'ada',
  photo: 'ada.jpg',
  path: [
    { at: 1, x: 100, y: 300, size: 100 },
    { at: 3, x: 300, y: 300, size: 120 },
  ],
  depth: 1,
};
const scene = (...appearances: Appearance[]): Scene => ({ name: 'test', seconds: 5, appearances });
const standing = (who: string, x: number, depth: number): Appearance => ({
  who,
  photo: who,
  path: [
    { at: 0, x, y: 300, size: 100 },
    { at: 5, x, y: 300, size: 100 },
  ],
  depth,
});

test('between two stops a person walks evenly; before the first and after the last they are not there', () => {
  assert.deepEqual(placeAt(walker, 2), { x: 200, y: 300, size: 110 });
  assert.deepEqual(placeAt(walker, 1)?.x, 100);
  assert.equal(placeAt(walker, 0.9), null);
  assert.equal(placeAt(walker, 3.1), null);
});

test('a person who stands before another hides them, and is not hidden by them', () => {
  const [behind, before] = truthAt(scene(standing('ada', 400, 1), standing('bob', 400, 2)), 1);
  assert.deepEqual([behind?.shown, before?.shown], [0, 1]);
  const [apart] = truthAt(scene(standing('ada', 400, 1), standing('bob', 700, 2)), 1);
  assert.equal(apart?.shown, 1);
  const [half] = truthAt(scene(standing('ada', 400, 1), standing('bob', 480, 2)), 1);
  assert.ok(half!.shown > 0.3 && half!.shown < 0.7, `${half!.shown}`);
});

test('the part outside the picture is not shown, and a person all outside is not there', () => {
  assert.equal(truthAt(scene(standing('ada', 0, 1)), 1)[0]?.shown, 0.5);
  assert.deepEqual(truthAt(scene(standing('ada', -60, 1)), 1), []);
});

test('a head is whole in the middle and ends softly', () => {
  assert.equal(headAt(0, 0), 1);
  assert.equal(headAt(0.9, 0), 0);
  const border = headAt(0.78, 0);
  assert.ok(border > 0 && border < 1);
});
