import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aClock } from '#testing/clock.ts';
import { until } from '#testing/until.ts';
import { every } from './every.ts';

test('work is done after each interval, one at a time, and goes on after it failed', async () => {
  const clock = aClock();
  const stop = new AbortController();
  const faults: unknown[] = [];
  let done = 0;
  let release = Promise.withResolvers<void>();
  const running = every(
    { clock, everyMs: 1_000, signal: stop.signal },
    async () => {
      done += 1;
      await release.promise;
    },
    (error) => faults.push(error),
  );
  clock.advance(999);
  assert.equal(done, 0, 'not before its time');
  clock.advance(1);
  await until(() => done === 1);
  clock.advance(5_000);
  assert.equal(done, 1, 'the one before is not over');
  const { reject } = release;
  release = Promise.withResolvers();
  reject(new Error('failed'));
  await until(() => faults.length === 1);
  release.resolve();
  await until(() => clock.waiting === 1);
  clock.advance(1_000);
  await until(() => done === 2 && clock.waiting === 1);
  stop.abort();
  await running;
  clock.advance(10_000);
  assert.equal(done, 2, 'nothing after its end');
});
