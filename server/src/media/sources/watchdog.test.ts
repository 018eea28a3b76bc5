import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { aClock, type StoppedClock } from '#testing/clock.ts';
import { Watchdog } from './watchdog.ts';

interface Watched extends Disposable {
  readonly watchdog: Watchdog;
  readonly said: string[];
  /** Time passes; the process has a turn at the end of each step. */
  pass(ms: number, stepMs?: number): Promise<void>;
}

function watched(clock: StoppedClock = aClock()): Watched {
  const said: string[] = [];
  const watchdog = new Watchdog({
    clock,
    silent: () => said.push('silent'),
    hung: () => said.push('hung'),
  });
  return {
    watchdog,
    said,
    pass: async (ms, stepMs = 500) => {
      for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
        clock.advance(stepMs);
        await turn();
      }
    },
    [Symbol.dispose]: () => watchdog[Symbol.dispose](),
  };
}

test('R-07 a camera that sends nothing for 5 s is silent; one that sends is not', async () => {
  using silent = watched();
  await silent.pass(4_500);
  assert.deepEqual(silent.said, []);
  await silent.pass(500);
  assert.deepEqual(silent.said, ['silent']);
  using sends = watched();
  for (let second = 0; second < 60; second += 1) {
    await sends.pass(1_000);
    sends.watchdog.alive();
  }
  assert.deepEqual(sends.said, []);
});

test('a process that was held up for a minute says nothing of a camera whose packets wait to be read', async () => {
  using starved = watched();
  for (let times = 0; times < 10; times += 1) {
    await starved.pass(60_000, 60_000);
    starved.watchdog.alive();
  }
  assert.deepEqual(starved.said, []);
});

test('a camera that sends nothing is silent for a starved process, too, once it had its turns', async () => {
  using starved = watched();
  await starved.pass(12_000, 3_000);
  assert.deepEqual(starved.said, []);
  await starved.pass(3_000, 3_000);
  assert.deepEqual(starved.said, ['silent']);
});

test('while a picture is worked on the camera is not waited for; work that does not end hangs', async () => {
  using slow = watched();
  slow.watchdog.working();
  await slow.pass(14_500);
  slow.watchdog.alive();
  await slow.pass(4_500);
  assert.deepEqual(slow.said, []);
  slow.watchdog.working();
  await slow.pass(15_000);
  assert.deepEqual(slow.said, ['hung']);
});

test('R-07 a read that does not end 10 s after its source was ended hangs', async () => {
  using stuck = watched();
  await stuck.pass(5_000);
  await stuck.pass(9_500);
  assert.deepEqual(stuck.said, ['silent']);
  // What comes from an ended source is no sign of life.
  stuck.watchdog.alive();
  await stuck.pass(500);
  assert.deepEqual(stuck.said, ['silent', 'hung']);
});
