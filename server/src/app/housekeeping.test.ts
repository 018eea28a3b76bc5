import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aClock } from '#testing/clock.ts';
import { until } from '#testing/until.ts';
import { quietLog } from '#testing/world.ts';
import { Housekeeping } from './housekeeping.ts';

test('chores are done each hour, and one that fails keeps no other from being done', async () => {
  const clock = aClock();
  let failures = 0;
  let done = 0;
  const chores = {
    broken: () => Promise.reject(new Error(`no luck ${(failures += 1)}`)),
    fine: async () => void (done += 1),
  };
  await using _house = new Housekeeping({ chores, clock, log: quietLog });
  for (const hour of [1, 2]) {
    clock.advance(60 * 60_000 - 1);
    assert.equal(done, hour - 1);
    clock.advance(1);
    await until(() => done === hour);
  }
  assert.equal(failures, 2);
});
