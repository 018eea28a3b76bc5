/** What is said of a failure, and how often. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aClock } from '#testing/clock.ts';
import { CameraLog } from './camera-log.ts';

function aLog() {
  const clock = aClock(Date.UTC(2026, 0, 15));
  const lines: string[] = [];
  const log = new CameraLog('camera', clock, (message) => {
    if (message.kind === 'log') lines.push(`${message.level} ${message.text}`);
  });
  return { clock, lines, log };
}

const withCode = (code: string) =>
  Object.assign(new Error(`${code}: as the system says`), { code });

test('R-08 a full disk, one that is away and a fault of our own are distinguished', () => {
  const { lines, log } = aLog();
  log.failed('one', withCode('ENOSPC'));
  log.failed('two', withCode('ENODEV'));
  log.failed('three', withCode('EROFS'));
  log.failed('four', withCode('EUNUSUAL'));
  log.failed('five', new TypeError('not a function'));
  log.failed('six', 'thrown text');
  assert.deepEqual(lines.slice(0, 4), [
    'warn one: the disk is full (ENOSPC)',
    'warn two: the disk is not there (ENODEV)',
    'warn three: the disk is read-only (EROFS)',
    'warn four: EUNUSUAL: as the system says',
  ]);
  assert.match(
    lines[4] ?? '',
    /^error five: TypeError: not a function\n {4}at .*camera-log\.test/s,
  );
  assert.equal(lines[5], 'error six: thrown text');
});

test('R-04 each task is reported once a minute, whatever fails it', () => {
  const { clock, lines, log } = aLog();
  for (let second = 0; second < 90; second += 1) {
    log.failed('writing', withCode('ENOSPC'));
    log.paused('looking', new Error('the process ended'));
    clock.advance(1_000);
  }
  assert.deepEqual(lines.toSorted(), [
    'warn looking: the process ended',
    'warn looking: the process ended',
    'warn writing: the disk is full (ENOSPC)',
    'warn writing: the disk is full (ENOSPC)',
  ]);
});
