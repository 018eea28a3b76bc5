import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blazeface } from './blazeface.ts';

/** The network's answer to an input of 320 x 192, with one proposal: number `index` of the finer grid. */
function output(index: number, logit: number, box: readonly number[]) {
  const proposals = (320 / 16) * (192 / 16) * 2;
  const scores16 = new Float32Array(proposals).fill(-20);
  const boxes16 = new Float32Array(proposals * 16);
  scores16[index] = logit;
  boxes16.set(box, index * 16);
  const coarse = (320 / 32) * (192 / 32) * 6;
  const scores32 = new Float32Array(coarse).fill(-20);
  return { scores16, boxes16, scores32, boxes32: new Float32Array(coarse * 16) };
}

const input = { width: 320, height: 192 };

test('a proposal lies around the middle of its cell, whatever the shape of the input', () => {
  // Cell 20 + 2 = second row, third column: middle 40, 24.
  const answer = output((20 + 2) * 2 + 1, 0, [4, -4, 20, 30]);
  const [face, ...others] = blazeface(answer, input, 0.3);
  assert.equal(others.length, 0);
  assert.equal(face!.score, 0.5);
  assert.deepEqual(face!.box, { x: 34, y: 5, width: 20, height: 30 });
});

test('the coarser grid has cells twice as large and six proposals in each', () => {
  const answer = output(0, -20, []);
  // Cell 10 + 3: middle 112, 48.
  answer.scores32[(10 + 3) * 6 + 5] = 3;
  answer.boxes32.set([0, 0, 80, 90], ((10 + 3) * 6 + 5) * 16);
  const [face] = blazeface(answer, input, 0.3);
  assert.deepEqual(face!.box, { x: 72, y: 3, width: 80, height: 90 });
});

test('a proposal below the least score is no face, nor is one without extent', () => {
  assert.deepEqual(blazeface(output(0, -1, [0, 0, 20, 20]), input, 0.3), []);
  assert.deepEqual(blazeface(output(0, 5, [0, 0, -20, 20]), input, 0.3), []);
});
