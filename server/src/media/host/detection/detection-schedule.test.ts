import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DetectionSchedule } from './detection-schedule.ts';

const still = { regions: [], cut: false };
const cut = { regions: [], cut: true };
const region = { x: 0, y: 0, width: 100, height: 100 };
const moving = { regions: [region], cut: false };
const face = { x: 20, y: 20, width: 40, height: 40 };
const other = { x: 300, y: 20, width: 40, height: 40 };

/** Times at which something was looked at, in seconds, when asked five times a second. */
function looked(
  pace: DetectionSchedule,
  seconds: number,
  from: number,
  faces: (typeof face)[] = [],
): number[] {
  const times: number[] = [];
  for (let ms = from * 1000; ms < (from + seconds) * 1000; ms += 200) {
    const plan = pace.next(ms, still);
    if (!plan) continue;
    times.push(ms / 1000);
    pace.saw(plan, faces);
  }
  return times;
}

test('a still picture without a face is looked at once a second, soon every ten seconds', () => {
  assert.deepEqual(looked(new DetectionSchedule(), 20, 0), [0, 1, 2, 12]);
});

test('what moves is looked at each time, the first look and one in three of all regions closely', () => {
  const pace = new DetectionSchedule();
  assert.equal(pace.next(0, cut)?.quickScan, false);
  const quickScans = [1, 2, 3, 4, 5, 6].map((i) => pace.next(i * 200, moving)?.quickScan);
  assert.deepEqual(quickScans, [true, true, false, true, true, false]);
});

test('after it moved a picture is watched closely again', () => {
  const pace = new DetectionSchedule();
  looked(pace, 20, 0);
  assert.ok(pace.next(20_000, moving));
  assert.deepEqual(looked(pace, 10, 20.2), [21, 22, 23]);
});

test('of a still picture only the faces are looked at, and all of it every ten seconds', () => {
  const pace = new DetectionSchedule();
  pace.saw(pace.next(0, cut)!, [face]);
  const regions: number[] = [];
  for (let ms = 1000; ms < 12_000; ms += 1000) {
    const plan = pace.next(ms, still)!;
    regions.push(plan.regions.length);
    pace.saw(plan, [face]);
  }
  assert.deepEqual(regions, [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1]);
});

test('somebody who stands still while another moves is not forgotten', () => {
  const pace = new DetectionSchedule();
  pace.saw(pace.next(0, cut)!, [face, other]);
  const plans = [1, 2, 3].map((i) => {
    const plan = pace.next(i * 200, moving)!;
    pace.saw(plan, plan.quickScan ? [face] : [face, other]);
    return plan.regions;
  });
  assert.deepEqual(plans, [[region], [region], [region, other]]);
});

test('a face that is gone from where it was looked for is known no more; a cut ends all', () => {
  const pace = new DetectionSchedule();
  pace.saw(pace.next(0, cut)!, [face, other]);
  pace.saw(pace.next(200, moving)!, []);
  assert.deepEqual(pace.next(400, moving)?.regions, [region]);
  assert.deepEqual(pace.next(600, moving)?.regions, [region, other]);
  assert.deepEqual(pace.next(800, cut)?.regions, []);
  assert.deepEqual(pace.next(1800, still)?.regions, []);
});
