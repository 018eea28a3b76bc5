/**
 * Answers worked out by hand from the families' published definitions: no weights of YuNet and SCRFD are available
 * here.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Proposal } from './detection.ts';
import { scrfd } from './scrfd.ts';
import { ssd } from './ssd.ts';
import { tiny } from './tiny.ts';
import { ultraface } from './ultraface.ts';
import { yunet } from './yunet.ts';

const input = { width: 96, height: 64 };
const cells = (side: number): number => (input.width / side) * (input.height / side);

/** Outputs of three grids, with `per` proposals a cell, all zero. */
function grids(names: Record<string, number>, per = 1): Record<string, Float32Array> {
  const outputs: Record<string, Float32Array> = {};
  for (const side of [8, 16, 32]) {
    for (const [name, numbers] of Object.entries(names)) {
      outputs[`${name}_${side}`] = new Float32Array(cells(side) * per * numbers);
    }
  }
  return outputs;
}

function near(found: Proposal | undefined, expected: Proposal): void {
  assert.ok(found);
  const close = (a: number, b: number, what: string): void =>
    assert.ok(Math.abs(a - b) < 1e-4, `${what}: ${a}, not ${b}`);
  for (const side of ['x', 'y', 'width', 'height'] as const) {
    close(found.box[side], expected.box[side], side);
  }
  close(found.score, expected.score, 'score');
  assert.equal(found.points?.length, expected.points?.length);
  for (const [i, [x, y]] of (expected.points ?? []).entries()) {
    close(found.points![i]![0], x, `x of point ${i}`);
    close(found.points![i]![1], y, `y of point ${i}`);
  }
}

test('YuNet: the middle is measured from the corner of the cell, sizes are powers of e, the score is a geometric mean', () => {
  const answer = grids({ cls: 1, obj: 1, bbox: 4, kps: 10 });
  // Cells of 16: six in a row; number 8 is the third of the second row, its corner at 32, 16.
  answer['cls_16']![8] = 0.9;
  answer['obj_16']![8] = 0.4;
  answer['bbox_16']!.set([0.5, 0.25, Math.log(2), Math.log(3)], 8 * 4);
  answer['kps_16']!.set([0, 0, 1, 0, 0.5, 0.5, 0.25, 1, 0.75, 1], 8 * 10);
  const found = yunet(answer, input, 0.5);
  assert.equal(found.length, 1);
  near(found[0], {
    box: { x: 40 - 16, y: 20 - 24, width: 32, height: 48 },
    score: 0.6,
    points: [
      [32, 16],
      [48, 16],
      [40, 24],
      [36, 32],
      [44, 32],
    ],
  });
  assert.deepEqual(yunet(answer, input, 0.61), []);
});

test('YuNet: what the network says beyond 0 and 1 counts as 0 and 1', () => {
  const answer = grids({ cls: 1, obj: 1, bbox: 4, kps: 10 });
  answer['cls_8']![0] = 1.2;
  answer['obj_8']![0] = 1.1;
  answer['cls_32']![0] = -0.9;
  answer['obj_32']![0] = -0.9;
  const found = yunet(answer, input, 0.5);
  assert.deepEqual(
    found.map(({ score, box }) => [score, box.width]),
    [[1, 8]],
  );
});

test('SCRFD: sides and points are so many cells from the corner of the cell, two proposals in each', () => {
  const answer = grids({ score: 1, bbox: 4, kps: 10 }, 2);
  // Cells of 8: twelve in a row; the second proposal of the fourth cell of the third row, its corner at 24, 16.
  const at = (2 * 12 + 3) * 2 + 1;
  answer['score_8']![at] = 0.7;
  answer['bbox_8']!.set([1, 2, 3, 2.5], at * 4);
  answer['kps_8']!.set([0, -1, 2, -1, 1, 0, 0.25, 1, 1.75, 1], at * 10);
  const found = scrfd(answer, input, 0.5);
  assert.equal(found.length, 1);
  near(found[0], {
    box: { x: 16, y: 0, width: 32, height: 36 },
    score: 0.7,
    points: [
      [24, 8],
      [40, 8],
      [32, 16],
      [26, 24],
      [38, 24],
    ],
  });
  answer['bbox_8']!.set([-1, 2, 0.5, 2], at * 4);
  assert.deepEqual(scrfd(answer, input, 0.5), [], 'nothing without extent');
});

test('tiny YOLO: places within the cell by sigmoids, sizes in those of five shapes', () => {
  // Three cells in a row, two rows: six in a plane. The third shape in the fifth cell, whose corner is 32, 32.
  const answer = { grid: new Float32Array(25 * 6).fill(-20) };
  const put = (number: number, value: number): void => {
    answer.grid[(2 * 5 + number) * 6 + 4] = value;
  };
  for (const [number, value] of [0, 0, Math.log(2), 0, Math.log(3)].entries()) put(number, value);
  const found = tiny(answer, input, 0.5);
  assert.equal(found.length, 1);
  const [width, height] = [2 * 2.882459 * 32, 3.518061 * 32];
  near(found[0], {
    box: { x: 48 - width / 2, y: 48 - height / 2, width, height },
    score: 0.75,
    points: null,
  });
});

test('SSD: differences from prior boxes, ten times in place and five times in size', () => {
  const answer = {
    anchors: Float32Array.of(0, 0, 1, 1, 0.25, 0.5, 0.75, 1),
    boxes: Float32Array.of(0, 0, 0, 0, 1, -2, 5 * Math.log(0.5), 5 * Math.log(2)),
    classes: Float32Array.of(9, -9, 0, -9, Math.log(4), 0),
  };
  const found = ssd(answer, { width: 100, height: 200 }, 0.5);
  assert.equal(found.length, 1);
  // The prior's middle is 0.75, 0.5, its sides 0.5: moved by -0.1 and 0.05, twice as wide, half as high.
  near(found[0], {
    box: { x: 65 - 50, y: 110 - 25, width: 100, height: 50 },
    score: 0.8,
    points: null,
  });
});

/** An answer of UltraFace in which nothing is a face: of each proposal the first class is the likelier one. */
function ultraFaceAnswer(): Record<string, Float32Array> {
  const answer: Record<string, Float32Array> = {};
  for (const [grid, squares] of [3, 2, 2, 3].entries()) {
    const cell = 8 * 2 ** grid;
    const count = Math.ceil(input.width / cell) * Math.ceil(input.height / cell);
    const scores = Array.from({ length: 2 * squares }, (_, plane) => (plane % 2 === 0 ? 20 : -20));
    answer[`scores${grid}`] = Float32Array.from(scores.flatMap((it) => Array(count).fill(it)));
    answer[`boxes${grid}`] = new Float32Array(4 * squares * count);
  }
  return answer;
}

test('UltraFace: boxes differ from squares of fixed sizes; what is given are eyes to mouth of them', () => {
  const answer = ultraFaceAnswer();
  // Cells of 16: six in a row, four rows. The second square (48 px) of the third cell of the second row, whose
  // middle is 40, 24.
  const [cells, at] = [24, 8];
  answer['scores1']!.set([0], 2 * cells + at);
  answer['scores1']!.set([Math.log(9)], 3 * cells + at);
  for (const [number, value] of [1, -2, 5 * Math.log(2), 0].entries()) {
    answer['boxes1']![(4 + number) * cells + at] = value;
  }
  const found = ultraface(answer, input, 0.5);
  assert.equal(found.length, 1);
  const [middleX, middleY, width, height] = [40 + 4.8, 24 - 9.6, 96, 48];
  near(found[0], {
    box: {
      x: middleX - 0.536 * width,
      y: middleY - 0.37 * height,
      width: 1.072 * width,
      height: 0.78 * height,
    },
    score: 0.9,
    points: null,
  });
  assert.deepEqual(ultraface(answer, input, 0.91), []);
});

test('UltraFace: where its largest cells do not divide the input, one more begins in it', () => {
  const answer = ultraFaceAnswer();
  // 96 px are one cell of 64 and a half.
  answer['scores3']!.set([0], 0 * 2 + 1);
  answer['scores3']!.set([4], 1 * 2 + 1);
  const found = ultraface(answer, input, 0.5);
  assert.equal(found.length, 1);
  const { x, width } = found[0]!.box;
  const middle = Math.round(x + width / 2);
  assert.deepEqual([middle, width], [96, 128 * 1.072], 'the first square of the second cell');
});
