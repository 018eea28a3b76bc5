import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aClock } from '#testing/clock.ts';
import { MaskingLimit } from './masking-limit.ts';

const full = { code: 'too_many_masked_views', params: { max: 4, retry_after_s: 10 } };

test('live cameras and players together are four; who has a place keeps it', () => {
  const room = new MaskingLimit(aClock());
  let live = 2;
  room.countLive(() => live);
  room.play('a');
  room.play('b');
  assert.throws(() => room.mustHaveRoom(), full);
  assert.throws(() => room.play('c'), full);
  room.play('a');
  live = 1;
  room.play('c');
  assert.ok(room.has('c'));
});

test('a player that asked for nothing a while has no place any more', () => {
  const clock = aClock();
  const room = new MaskingLimit(clock);
  for (const player of ['a', 'b', 'c', 'd']) room.play(player);
  clock.advance(19_000);
  room.play('a');
  assert.throws(() => room.play('e'), full);
  clock.advance(1_000);
  assert.deepEqual([room.has('a'), room.has('b')], [true, false]);
  room.play('e');
});
