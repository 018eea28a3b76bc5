import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock, type Clock } from '#lib/clock.ts';
import { exceededLimit, type PictureLimits } from './picture-watch.ts';
import { cpuMsIn, type ProcessUse } from './process-use.ts';

const limits: PictureLimits = { rssBytes: 256, cpuMs: 5_000, stallMs: 30_000 };

/** Watches a process for ten minutes in which each wait takes a second; says what it exceeded, and after how long. */
async function watched(usageAt: (nowMs: number) => ProcessUse) {
  let nowMs = 0;
  const done = new AbortController();
  const clock: Clock = {
    ...systemClock,
    monotonicMs: () => nowMs,
    wait: async () => {
      nowMs += 1_000;
      if (nowMs >= 600_000) done.abort();
    },
  };
  const usage = async (): Promise<ProcessUse> => usageAt(nowMs);
  return { reason: await exceededLimit({ clock, limits, usage }, done.signal), afterMs: nowMs };
}

test('C-523 both cores busy: a picture that gets 5 ms of each second is waited for, not refused', async () => {
  const starved = await watched((nowMs) => ({ rssBytes: 1, cpuMs: 700 + nowMs / 200 }));
  assert.deepEqual(starved, { reason: null, afterMs: 600_000 });
  // 10 ms is the least that the system reports: it shows progress every 29 s only.
  const hardlyAny = (nowMs: number): number => 10 * Math.floor(nowMs / 29_000);
  assert.equal((await watched((nowMs) => ({ rssBytes: 1, cpuMs: hardlyAny(nowMs) }))).reason, null);
});

test('C-523 a picture has 5 s of processor time, beside what its process took for earlier ones', async () => {
  const two = await watched((nowMs) => ({ rssBytes: 1, cpuMs: 90_000 + 2 * nowMs }));
  assert.deepEqual(two, { reason: 'processor', afterMs: 3_000 });
});

test('C-523 a process that gets nowhere for 30 s is found, also where nothing is reported of it', async () => {
  for (const cpuMs of [700, null]) {
    const stalled = await watched(() => ({ rssBytes: 1, cpuMs }));
    assert.deepEqual(stalled, { reason: 'stalled', afterMs: 31_000 });
  }
});

test('C-523 a process that outgrows its memory is found at once', async () => {
  const large = await watched((nowMs) => ({ rssBytes: nowMs < 2_000 ? 256 : 257, cpuMs: nowMs }));
  assert.deepEqual(large, { reason: 'memory', afterMs: 2_000 });
});

test('the processor time of a process is read past whatever its name holds', () => {
  const stat = '812 (a) 9 (b)) S 1 812 812 0 -1 4194560 5000 0 0 0 123 45 0 0 20 0 11 0 5331 9 9';
  assert.equal(cpuMsIn(stat), 1_680);
  assert.equal(cpuMsIn(''), null);
});
