import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DetectionSchedule } from './detection-schedule.ts';

const still = { regions: [], cut: false };
const cut = { regions: [], cut: true };
const region = { x: 0, y: 0, width: 100, height: 100 };
const moving = { regions: [region], cut: false };
const face = { x: 20, y: 20, width: 40, height: 40 };
const other = { x: 300, y: 20, width: 40, height: 40 };

/** The times of detections in seconds, when the schedule is asked five times a second. */
function detections(
  schedule: DetectionSchedule,
  seconds: number,
  from: number,
  faces: (typeof face)[] = [],
): number[] {
  const times: number[] = [];
  for (let ms = from * 1000; ms < (from + seconds) * 1000; ms += 200) {
    const plan = schedule.next(ms, still);
    if (!plan) continue;
    times.push(ms / 1000);
    schedule.found(plan, faces);
  }
  return times;
}

test('a still picture without a face is scanned once a second, soon every ten seconds', () => {
  assert.deepEqual(detections(new DetectionSchedule(), 20, 0), [0, 1, 2, 12]);
});

test('motion is scanned each time, the first scan and every third one thoroughly', () => {
  const schedule = new DetectionSchedule();
  assert.equal(schedule.next(0, cut)?.quickScan, false);
  const quickScans = [1, 2, 3, 4, 5, 6].map((i) => schedule.next(i * 200, moving)?.quickScan);
  assert.deepEqual(quickScans, [true, true, false, true, true, false]);
});

test('after motion a still picture is scanned once a second again', () => {
  const schedule = new DetectionSchedule();
  detections(schedule, 20, 0);
  assert.ok(schedule.next(20_000, moving));
  assert.deepEqual(detections(schedule, 10, 20.2), [21, 22, 23]);
});

test('in a still picture only the faces are scanned, and the whole of it every ten seconds', () => {
  const schedule = new DetectionSchedule();
  schedule.found(schedule.next(0, cut)!, [face]);
  const regions: number[] = [];
  for (let ms = 1000; ms < 12_000; ms += 1000) {
    const plan = schedule.next(ms, still)!;
    regions.push(plan.regions.length);
    schedule.found(plan, [face]);
  }
  assert.deepEqual(regions, [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1]);
});

test('a face that stands still while another moves is not forgotten', () => {
  const schedule = new DetectionSchedule();
  schedule.found(schedule.next(0, cut)!, [face, other]);
  const plans = [1, 2, 3].map((i) => {
    const plan = schedule.next(i * 200, moving)!;
    schedule.found(plan, plan.quickScan ? [face] : [face, other]);
    return plan.regions;
  });
  assert.deepEqual(plans, [[region], [region], [region, other]]);
});

test('a face that is gone from its scanned region is forgotten; a cut forgets all', () => {
  const schedule = new DetectionSchedule();
  schedule.found(schedule.next(0, cut)!, [face, other]);
  schedule.found(schedule.next(200, moving)!, []);
  assert.deepEqual(schedule.next(400, moving)?.regions, [region]);
  assert.deepEqual(schedule.next(600, moving)?.regions, [region, other]);
  assert.deepEqual(schedule.next(800, cut)?.regions, []);
  assert.deepEqual(schedule.next(1800, still)?.regions, []);
});
