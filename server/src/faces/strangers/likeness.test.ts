import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Calibration } from '#vision/packs/pack.ts';
import { isComparable, isSame, likeness } from './likeness.ts';

const calibration: Calibration = {
  far1e2: 0.63,
  far1e3: 0.585,
  openSet: 0.54,
  strict: 0.5,
  margin: 0.06,
  split: 0.55,
  logistic: [15.95, -27.5],
};
const at = (distance: number, pack = 'a@1') => ({ pack, vector: Float32Array.of(distance, 0) });
const person = [at(0), at(0, 'b@1')];
interface More {
  readonly quality?: number;
  readonly among?: number;
  readonly pack?: string;
}
/** Whether it is the same face; null: not even offered. */
function compare(distance: number, { quality = 0.9, among = 1, pack }: More = {}): boolean | null {
  const calibrationOf = (of: string) => (of === 'gone@1' ? null : calibration);
  const like = likeness({ person, seen: [at(distance, pack)], among, calibrationOf });
  return like && isSame(like, quality);
}

test('a face that would be named as the person is the same; one that strangers seldom reach is offered; the rest is not', () => {
  const table = [
    [0.53, {}, true],
    [0.55, {}, false],
    [0.62, {}, false],
    [0.64, {}, null],
    // Only just past the gate.
    [0.49, { quality: 0.2 }, true],
    [0.52, { quality: 0.2 }, false],
    // Ten times as many as the limits were measured with.
    [0.53, { among: 1_000 }, false],
    [0.48, { among: 1_000 }, true],
  ] as const;
  for (const [distance, more, expected] of table) {
    assert.equal(compare(distance, more), expected, `${distance} ${JSON.stringify(more)}`);
  }
});

test('vectors are compared by pack alone; of several the most alike counts', () => {
  assert.equal(compare(0.1, { pack: 'c@1' }), null);
  assert.equal(compare(0.1, { pack: 'gone@1' }), null);
  assert.equal(compare(0.1, { pack: 'b@1' }), true);
  const seen = [at(0.6), at(0.2, 'b@1'), at(0.1, 'c@1')];
  const both = likeness({ person, seen, among: 1, calibrationOf: () => calibration });
  assert.equal(both?.isNear, true);
  assert.ok(isComparable(person, seen));
  assert.ok(!isComparable(person, [at(0.1, 'c@1')]));
});
