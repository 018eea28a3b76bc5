import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, withoutDoubles } from './detect.ts';

/** The network's answer with one proposal: number `index` of the 16 x 16 grid. */
function output(index: number, logit: number, box: readonly number[]) {
  const scores16 = new Float32Array(512).fill(-20);
  const boxes16 = new Float32Array(512 * 16);
  scores16[index] = logit;
  boxes16.set(box, index * 16);
  return {
    scores16,
    boxes16,
    scores8: new Float32Array(384).fill(-20),
    boxes8: new Float32Array(384 * 16),
  };
}

test('a proposal lies around the middle of its cell, in pixels of the picture', () => {
  // Cell 16 + 2 = second row, third column: middle 40, 24 of 256.
  const answer = output((16 + 2) * 2 + 1, 0, [4, -4, 20, 30]);
  const [face, ...others] = decode(answer, { x: 100, y: 50, side: 512 }, 256, 0.3);
  assert.equal(others.length, 0);
  assert.equal(face!.score, 0.5);
  assert.deepEqual(face!.box, { x: 100 + 2 * 34, y: 50 + 2 * 5, width: 40, height: 60 });
});

test('a proposal below the least score is no face, nor is one without extent', () => {
  const tile = { x: 0, y: 0, side: 256 };
  assert.deepEqual(decode(output(0, -1, [0, 0, 20, 20]), tile, 256, 0.3), []);
  assert.deepEqual(decode(output(0, 5, [0, 0, -20, 20]), tile, 256, 0.3), []);
});

const found = (x: number, score: number, width = 100) => ({
  box: { x, y: 0, width, height: width },
  score,
});

test('the best of overlapping boxes stays, neighbours stay both', () => {
  const kept = withoutDoubles([found(0, 0.7), found(20, 0.9), found(200, 0.6)], 0.3);
  assert.deepEqual(
    kept.map(({ score }) => score),
    [0.9, 0.6],
  );
});

test('a face cut by the edge of a look is not counted beside the whole one', () => {
  const part = { box: { x: 10, y: 10, width: 40, height: 40 }, score: 0.8 };
  assert.deepEqual(withoutDoubles([part, found(0, 0.9)], 0.3), [found(0, 0.9)]);
});
