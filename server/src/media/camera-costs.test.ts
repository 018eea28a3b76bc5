import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aClock } from '#testing/clock.ts';
import { CameraCosts } from './camera-costs.ts';
import type { StageTimes } from './protocol/stage-times.ts';

const times = (overMs: number, decode: number, detect = 0, record = 0): StageTimes => ({
  overMs,
  spentMs: { decode, detect, record },
});

test('a camera costs what its host spent and what was embedded meanwhile, in cores', () => {
  const clock = aClock(Date.UTC(2026, 0, 15, 12));
  const costs = new CameraCosts(clock);
  costs.embedded('a', 500);
  costs.reported('a', times(10_000, 1_200, 3_000, 50));
  assert.deepEqual(costs.of('a'), {
    measured_at: '2026-01-15T12:00:00.000Z',
    over_s: 10,
    decode: 0.12,
    detect: 0.3,
    // It was not counted over the time of the report.
    embed: null,
    record: 0.005,
  });
  costs.embedded('a', 100);
  costs.embedded('a', 60);
  clock.advance(8_000);
  costs.reported('a', times(10_000, 20_000));
  const { decode, embed, record } = costs.of('a');
  assert.deepEqual({ decode, embed, record }, { decode: 2, embed: 0.02, record: 0 });
  clock.advance(8_000);
  costs.reported('a', times(8_000, 0));
  assert.equal(costs.of('a').embed, 0, 'what was embedded earlier is not counted again');
});

test('what is old, of a camera that is gone or of no time is no figure', () => {
  const clock = aClock();
  const costs = new CameraCosts(clock);
  const isMeasured = (id: string): boolean => costs.of(id).decode !== null;
  costs.reported('a', times(0, 0));
  assert.equal(isMeasured('a'), false);
  costs.reported('a', times(10_000, 10));
  costs.reported('b', times(10_000, 10));
  clock.advance(30_000);
  assert.deepEqual([isMeasured('a'), isMeasured('b'), isMeasured('c')], [true, true, false]);
  costs.forget('b');
  assert.equal(isMeasured('b'), false);
  clock.advance(1);
  assert.equal(isMeasured('a'), false);
  assert.equal(costs.of('a').measured_at, null);
});
