import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { aClock } from '#testing/clock.ts';
import { Paced } from './paced.ts';

const pauseMs = 100;

/** Lets promises that are over be followed by what waits for them. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the first want is followed at once, those of a pause by one at its end, none by nothing', async () => {
  const clock = aClock();
  let done = 0;
  await using paced = new Paced({ clock, pauseMs, failed: assert.ifError }, () => void done++);
  paced.want();
  assert.equal(done, 1);
  await settled();
  for (let times = 0; times < 5; times += 1) paced.want();
  await settled();
  assert.equal(done, 1, 'it pauses');
  clock.advance(pauseMs);
  await settled();
  assert.equal(done, 2);
  clock.advance(10 * pauseMs);
  await settled();
  assert.equal(done, 2, 'nothing was wanted since');
  paced.want();
  assert.equal(done, 3, 'at once again');
});

test('whenever it is wanted, the last want is followed within a pause, and there is a pause between any two', async () => {
  const steps = fc.array(fc.record({ afterMs: fc.integer({ min: 1, max: 150 }) }), {
    minLength: 1,
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (wants) => {
      const clock = aClock();
      const doneAtMs: number[] = [];
      await using paced = new Paced({ clock, pauseMs, failed: assert.ifError }, () => {
        doneAtMs.push(clock.monotonicMs());
      });
      for (const { afterMs } of wants) {
        for (let ms = 0; ms < afterMs; ms += 1) {
          clock.advance(1);
          await settled();
        }
        paced.want();
        await settled();
      }
      const lastWantMs = clock.monotonicMs();
      for (let ms = 0; ms < pauseMs; ms += 1) {
        clock.advance(1);
        await settled();
      }
      assert.ok(doneAtMs.at(-1)! >= lastWantMs, 'the last want was followed');
      const gaps = doneAtMs.slice(1).map((ms, index) => ms - doneAtMs[index]!);
      assert.ok(gaps.every((ms) => ms >= pauseMs));
    }),
    { numRuns: 20 },
  );
});

test('a failure is reported, and the next want is followed all the same', async () => {
  const clock = aClock();
  const failures: unknown[] = [];
  let times = 0;
  const work = async (): Promise<void> => {
    times += 1;
    if (times === 1) throw new Error('away');
  };
  await using paced = new Paced({ clock, pauseMs, failed: (error) => failures.push(error) }, work);
  paced.want();
  await settled();
  assert.equal(failures.length, 1);
  paced.want();
  clock.advance(pauseMs);
  await settled();
  assert.deepEqual([times, failures.length], [2, 1]);
});

test('disposing ends the pause, and nothing is done any more', async () => {
  const clock = aClock();
  let done = 0;
  const paced = new Paced({ clock, pauseMs, failed: assert.ifError }, () => void done++);
  paced.want();
  paced.want();
  await paced[Symbol.asyncDispose]();
  paced.want();
  assert.equal(done, 1);
});
