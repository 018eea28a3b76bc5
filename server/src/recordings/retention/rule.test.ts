import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agedAt, isTight, reserveBytes } from './rule.ts';

const GiB = 1024 ** 3;
const now = Date.UTC(2026, 2, 30, 12);

test('~REC-035 each camera loses what ended before its own days, to the millisecond', () => {
  const kept = [
    { cameraId: 'gate', days: 7 },
    { cameraId: 'hall', days: 1 },
  ];
  assert.deepEqual(agedAt(now, kept), [
    { cameraId: 'gate', before: new Date('2026-03-23T12:00:00.000Z') },
    { cameraId: 'hall', before: new Date('2026-03-29T12:00:00.000Z') },
  ]);
  assert.deepEqual(agedAt(now + 1, kept)[1]?.before, new Date('2026-03-29T12:00:00.001Z'));
});

test('R-08 of a disk stay free 5 %, 2 GiB or an hour, whichever is most, and a fifth at most', () => {
  assert.equal(reserveBytes(1000 * GiB, 0), 50 * GiB);
  assert.equal(reserveBytes(20 * GiB, 0), 2 * GiB);
  assert.equal(reserveBytes(20 * GiB, 3 * GiB), 3 * GiB);
  assert.equal(reserveBytes(GiB, 3 * GiB), GiB / 5);
});

test('~R-26 a disk is tight below what stays free, and neither at it nor while it is away', () => {
  const space = (freeBytes: number) => ({ totalBytes: 100 * GiB, freeBytes });
  assert.equal(isTight(space(5 * GiB - 1), GiB), true);
  assert.equal(isTight(space(5 * GiB), GiB), false);
  assert.equal(isTight(space(5 * GiB), 6 * GiB), true, 'an hour takes more');
  assert.equal(isTight(null, GiB), false);
});
