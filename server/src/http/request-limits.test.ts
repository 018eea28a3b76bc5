import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#lib/problem.ts';
import { aClock } from '#testing/clock.ts';
import { RequestLimits } from './request-limits.ts';

/** How many of so many are let through. */
function passed(tries: number, take: (n: number) => void): number {
  let count = 0;
  for (let n = 0; n < tries; n += 1) {
    try {
      take(n);
      count += 1;
    } catch (error) {
      assert.ok(error instanceof Problem && error.code === 'too_many_requests');
      assert.ok(Number(error.params['retry_after_s']) >= 1);
    }
  }
  return count;
}

test('C-714 a minute’s worth at once, then as many as come back, for each account by itself', () => {
  const clock = aClock();
  const limits = new RequestLimits(clock, 600);
  const ask = (id: string) => (): void => limits.ofAccount(id, '192.0.2.1', false);
  assert.equal(passed(1_000, ask('a')), 600);
  assert.equal(passed(1_000, ask('b')), 600);
  clock.advance(1_000);
  assert.equal(passed(100, ask('a')), 10);
  clock.advance(3_600_000);
  assert.equal(passed(1_000, ask('a')), 600, 'a quiet hour saves up no more than a minute');
});

test('C-714 an address is its network: a /64 is one caller, and twice an account', () => {
  const limits = new RequestLimits(aClock(), 600);
  assert.equal(
    passed(3_000, (n) => limits.ofAddress(`2001:db8::${n.toString(16)}`)),
    1_200,
  );
  assert.equal(
    passed(3_000, (n) => limits.ofAddress(`198.51.100.${n % 250}`)),
    1_200,
  );
});

test('C-714 uploads are fewer, and loopback has ten times as many of everything', () => {
  const limits = new RequestLimits(aClock(), 600);
  assert.equal(
    passed(200, () => limits.ofAccount('a', '192.0.2.1', true)),
    60,
  );
  assert.equal(
    passed(2_000, () => limits.ofAccount('b', '127.0.0.1', true)),
    600,
  );
  assert.equal(
    passed(20_000, () => limits.ofAddress('::1')),
    12_000,
  );
});

test('C-714 callers without number cost no memory without bound', () => {
  const limits = new RequestLimits(aClock(), 1);
  for (let n = 0; n < 20_000; n += 1) limits.ofAddress(`10.${n >> 8}.${n & 255}.1`);
  // The latest one is still remembered: two of a minute, of which one is used.
  assert.equal(
    passed(5, () => limits.ofAddress('10.78.31.1')),
    1,
  );
});
