import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Breaker } from './breaker.ts';

const minuteMs = 60_000;

/** Five crashes in a row, a second apart, from that time on. */
function crashFive(breaker: Breaker, fromMs: number): (number | null)[] {
  return [0, 1, 2, 3, 4].map((second) => breaker.crashed('a', fromMs + second * 1_000));
}

test('R-05 the fifth crash within a minute gives a camera a minute of rest, crashes further apart none', () => {
  const breaker = new Breaker();
  for (let death = 0; death < 20; death++) {
    assert.equal(breaker.crashed('slow', death * 15_001), null);
  }
  assert.deepEqual(crashFive(breaker, 0), [null, null, null, null, minuteMs]);
  assert.equal(breaker.isResting('a'), true);
  assert.equal(breaker.isResting('slow'), false);
  assert.equal(breaker.isResting('unknown'), false);
});

test('R-05 rests grow to five minutes as long as each trial fails, and one that succeeds begins anew', () => {
  const breaker = new Breaker();
  let nowMs = 4_000;
  crashFive(breaker, 0);
  const rests: (number | null)[] = [];
  for (const restMs of [1, 2, 4, 5].map((minutes) => minutes * minuteMs)) {
    assert.equal(breaker.wakes('a', nowMs + restMs - 1), false);
    nowMs += restMs;
    assert.equal(breaker.wakes('a', nowMs), true);
    assert.equal(breaker.isResting('a'), false);
    nowMs += 1_000;
    rests.push(breaker.crashed('a', nowMs));
  }
  assert.deepEqual(
    rests,
    [2, 4, 5, 5].map((minutes) => minutes * minuteMs),
  );
  nowMs += 5 * minuteMs;
  assert.equal(breaker.wakes('a', nowMs), true);
  nowMs += minuteMs;
  assert.deepEqual(crashFive(breaker, nowMs), [null, null, null, null, minuteMs]);
});

test('R-05 a camera that was changed does not rest for what it was', () => {
  const breaker = new Breaker();
  crashFive(breaker, 0);
  breaker.forget('a');
  assert.equal(breaker.isResting('a'), false);
  assert.equal(breaker.wakes('a', 10 * minuteMs), false, 'it rests no more');
  assert.deepEqual(crashFive(breaker, 10_000), [null, null, null, null, minuteMs]);
});
