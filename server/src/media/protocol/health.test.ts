import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StreamHealth } from '@nazar/contract/cameras.ts';
import { aClock } from '#testing/clock.ts';
import { Health } from './health.ts';

test('since when a stream is down is kept through each cause, and ends when it is live', () => {
  const clock = aClock();
  const reports: StreamHealth[] = [];
  const health = new Health(clock, (one) => reports.push(one));
  const last = (): StreamHealth => reports.at(-1)!;
  const iso = (): string => new Date(clock.now()).toISOString();
  const live = { width: 640, height: 360, codec: 'h264', fps: 25 } as never;
  health.set('connecting', 'starting');
  health.live(live, null);
  assert.equal(last().down_since, null);
  clock.advance(60_000);
  const downAt = iso();
  health.set('stalled', 'no_packets', 1_000);
  clock.advance(60_000);
  health.set('offline', 'unreachable', 1_000);
  assert.deepEqual([last().since, last().down_since], [iso(), downAt]);
  clock.advance(60_000);
  health.live(live, null);
  assert.equal(last().down_since, null);
});
