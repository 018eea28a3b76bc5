import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ballastStep } from './ballast.ts';

const MiB = 1024 * 1024;

test('R-08 reserved space is made on a roomy disk, given up on a full one, and left alone in between', () => {
  const cases = [
    { free: 5_000 * MiB, present: false, step: 'make' },
    { free: 5_000 * MiB, present: true, step: 'keep' },
    { free: 500 * MiB, present: false, step: 'keep' },
    { free: 500 * MiB, present: true, step: 'keep' },
    { free: 10 * MiB, present: true, step: 'free' },
    { free: 0, present: true, step: 'free' },
    { free: 0, present: false, step: 'keep' },
  ] as const;
  for (const { free, present, step } of cases) assert.equal(ballastStep(free, present), step);
});

test('giving it up never leads to making it again at once', () => {
  for (let free = 0; free < 64; free += 1) {
    assert.equal(ballastStep(free * MiB, true), 'free');
    assert.equal(ballastStep((free + 64) * MiB, false), 'keep');
  }
});
