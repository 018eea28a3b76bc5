import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aClock } from '#testing/clock.ts';
import { MaskingLimit } from './masking-limit.ts';

const full = { code: 'too_many_masked_views', params: { max: 4, retry_after_s: 10 } };

test('live cameras and players together are four; an admitted player stays', () => {
  const limit = new MaskingLimit(aClock());
  let live = 2;
  limit.countLive(() => live);
  limit.play('a');
  limit.play('b');
  assert.throws(() => limit.mustHaveRoom(), full);
  assert.throws(() => limit.play('c'), full);
  limit.play('a');
  live = 1;
  limit.play('c');
  assert.ok(limit.has('c'));
});

test('a player that asked for nothing for a while is not admitted any more', () => {
  const clock = aClock();
  const limit = new MaskingLimit(clock);
  for (const player of ['a', 'b', 'c', 'd']) limit.play(player);
  clock.advance(19_000);
  limit.play('a');
  assert.throws(() => limit.play('e'), full);
  clock.advance(1_000);
  assert.deepEqual([limit.has('a'), limit.has('b')], [true, false]);
  limit.play('e');
});
