import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountWaitMs, afterFailure, type Failures } from './throttle.ts';

const minuteMs = 60_000;

test('C-104 five guesses are free, then waits double from 30 s to 15 min and no further', () => {
  let failures: Failures | null = null;
  const waits: number[] = [];
  for (let guess = 1; guess <= 14; guess += 1) {
    failures = afterFailure(failures, 0);
    waits.push(accountWaitMs(failures, 0) / 1000);
  }
  assert.deepEqual(waits, [0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900, 900, 900]);
  assert.equal(accountWaitMs(failures, 15 * minuteMs), 0, 'nobody is locked out for ever');
});

test('C-104 a quiet day forgets', () => {
  const failures: Failures = { count: 12, lastAtMs: 0 };
  const later = 24 * 60 * minuteMs + 1;
  assert.equal(accountWaitMs(failures, later), 0);
  assert.equal(afterFailure(failures, later).count, 1);
});
