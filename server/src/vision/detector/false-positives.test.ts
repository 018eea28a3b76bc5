import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Detection } from './detection.ts';
import { FalsePositives } from './false-positives.ts';

const at = (x: number, score = 0.4, doubtful = true): Detection => ({
  box: { x, y: 100, width: 40, height: 40 },
  score,
  points: null,
  doubtful,
});
const asked = (falsePositives: FalsePositives, ...found: Detection[]): number[] =>
  falsePositives.worthAsking(found).map(({ box }) => box.x);

/** A carpet at 100 that was checked once and is no face. */
function afterCarpet(): FalsePositives {
  const falsePositives = new FalsePositives();
  falsePositives.learn(falsePositives.worthAsking([at(100)]), []);
  return falsePositives;
}

test('a false positive is left alone for ten detections, then checked again', () => {
  const falsePositives = afterCarpet();
  for (let i = 1; i <= 10; i++) assert.deepEqual(asked(falsePositives, at(100)), [], `${i}`);
  assert.deepEqual(asked(falsePositives, at(100)), [100]);
});

test('in another place, and with a clearly higher score, it is checked at once', () => {
  assert.deepEqual(asked(afterCarpet(), at(130)), [130]);
  assert.deepEqual(asked(afterCarpet(), at(100, 0.5)), []);
  assert.deepEqual(asked(afterCarpet(), at(100, 0.6)), [100]);
});

test('a pattern that drifts through the picture is followed, not for longer than one that stays', () => {
  const falsePositives = afterCarpet();
  for (let i = 1; i <= 10; i++)
    assert.deepEqual(asked(falsePositives, at(100 + 8 * i)), [], `${i}`);
  assert.deepEqual(asked(falsePositives, at(188)), [188]);
});

test('a face that is certain is always passed on', () => {
  assert.deepEqual(asked(afterCarpet(), at(100, 0.9, false)), [100]);
});

test('a confirmed face is no false positive, though its box moved by a third', () => {
  const falsePositives = new FalsePositives();
  falsePositives.learn(falsePositives.worthAsking([at(100), at(300)]), [at(112)]);
  assert.deepEqual(asked(falsePositives, at(100), at(300)), [100]);
});

test('a false positive that is found again is remembered once', () => {
  const falsePositives = afterCarpet();
  falsePositives.learn(falsePositives.worthAsking([at(104, 0.6)]), []);
  assert.deepEqual(asked(falsePositives, at(102, 0.7)), []);
  assert.deepEqual(asked(falsePositives, at(102, 0.8)), [102]);
});
