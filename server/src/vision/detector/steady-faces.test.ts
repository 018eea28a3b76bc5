import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aFace } from '#testing/vision.ts';
import type { FaceView } from '../messages.ts';
import type { Detection } from './detection.ts';
import { SteadyFaces } from './steady-faces.ts';

const box = (x: number, width = 40) => ({ x, y: 100, width, height: width });
const found = (x: number, { score = 0.3, doubtful = true, width = 40 } = {}): Detection => ({
  box: box(x, width),
  score,
  points: null,
  doubtful,
});
const measured = (x: number): FaceView =>
  aFace({
    box: box(x),
    score: 0.9,
    chip: 0,
    points: [
      [x + 10, 110],
      [x + 30, 110],
    ],
  });

/** A face that came 10 px further with each of so many detections, at 100 in the last of them. */
function walked(detections: number, ...others: FaceView[]): SteadyFaces {
  const steady = new SteadyFaces();
  for (let i = detections - 1; i >= 0; i--) steady.learn([measured(100 - 10 * i), ...others]);
  return steady;
}

test('a face found five times in a row that goes on is moved, with the size and the score of before', () => {
  const { carried, others } = walked(5).carryOn([found(112, { width: 44 })]);
  assert.deepEqual(others, []);
  const [face] = carried;
  assert.deepEqual(face?.box, { x: 114, y: 102, width: 40, height: 40 }, 'around the same middle');
  assert.deepEqual(face?.points, [
    [124, 112],
    [144, 112],
  ]);
  assert.deepEqual([face?.score, face?.chip], [0.9, null]);
});

test('a face found four times, stopped or turned back is measured, and confirmed where that is in doubt', () => {
  const asked = (steady: SteadyFaces, x: number): Detection[] => {
    const { carried, others } = steady.carryOn([found(x)]);
    assert.deepEqual(carried, []);
    return [...others];
  };
  assert.deepEqual(asked(walked(4), 110), [found(110)]);
  assert.deepEqual(asked(walked(5), 90), [found(90)], 'expected at 110');
  const missed = walked(5);
  missed.learn([]);
  assert.deepEqual(asked(missed, 110), [found(110)], 'it was away in between');
});

test('where another person is near, the one who continues is measured and no longer doubted', () => {
  const { carried, others } = walked(5).carryOn([found(110), found(185)]);
  assert.deepEqual(carried, []);
  assert.deepEqual(others, [found(110, { score: 0.9, doubtful: false }), found(185)]);
  const beside = walked(5, measured(170)).carryOn([found(110)]);
  assert.deepEqual(beside.carried, [], 'the other was there, and may be whom the scan found');
  assert.equal(walked(5).carryOn([found(110), found(191)]).carried.length, 1, 'a box apart');
});

test('a face that could be either of two is measured as if new', () => {
  const { carried, others } = walked(5, measured(104)).carryOn([found(108)]);
  assert.deepEqual(carried, []);
  assert.deepEqual(others, [found(108)]);
});

test('a face that is carried on stays steady', () => {
  const steady = walked(5);
  for (let i = 1; i <= 10; i++) {
    const { carried } = steady.carryOn([found(100 + 10 * i)]);
    assert.equal(carried.length, 1, `${i}`);
    steady.learn(carried);
  }
});
