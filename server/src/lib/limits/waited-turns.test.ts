import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { aClock } from '#testing/clock.ts';
import { waitInTurns } from './waited-turns.ts';

test('a process that got no turn has not waited, however late it is', async () => {
  const clock = aClock();
  let isOver = false;
  const { signal } = new AbortController();
  const waited = waitInTurns(clock, 2_000, signal).then(() => (isOver = true));
  clock.advance(60_000);
  await turn();
  assert.equal(isOver, false);
  for (let turns = 0; turns < 3; turns += 1) {
    clock.advance(500);
    await turn();
  }
  await waited;
  assert.equal(isOver, true);
});

test('a wait that is ended rejects', async () => {
  const clock = aClock();
  const end = new AbortController();
  const waited = waitInTurns(clock, 2_000, end.signal);
  end.abort(new Error('ended'));
  await assert.rejects(waited, /ended/);
});
