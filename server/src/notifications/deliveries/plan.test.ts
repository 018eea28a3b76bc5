import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lateMs, perHour, planOf, type Waiting } from './plan.ts';

const nowMs = Date.UTC(2026, 0, 15, 12);
const one = (id: string, agoMs = 0, isCritical = false): Waiting => ({
  id,
  atMs: nowMs - agoMs,
  isCritical,
});
const many = (count: number, agoMs = 0) =>
  Array.from({ length: count }, (_, nth) => one(`${agoMs}-${nth}`, agoMs));
const calm = { nowMs, quietUntilMs: null, sentAtMs: [] };
const counts = ({ alone, summed, later }: ReturnType<typeof planOf>) =>
  [alone, summed, later].map(({ length }) => length);

test('~NSH-007 quiet hours hold all but what is critical', () => {
  const plan = planOf([one('a'), one('b', 0, true)], { ...calm, quietUntilMs: nowMs + 5 });
  assert.deepEqual(
    [plan.alone.map(({ id }) => id), plan.later.map(({ id }) => id)],
    [['b'], ['a']],
  );
  assert.equal(plan.laterAtMs, nowMs + 5);
});

test('~NOTE-008 20 an hour go out alone, what is late in one summary, and the rest when there is room', () => {
  assert.deepEqual(counts(planOf(many(25), calm)), [perHour, 0, 5]);
  assert.deepEqual(counts(planOf(many(25, lateMs + 1), calm)), [0, 25, 0]);
  assert.deepEqual(counts(planOf([...many(30, lateMs + 1), ...many(30)], calm)), [19, 30, 11]);
  const sentAtMs = Array.from({ length: perHour }, (_, nth) => nowMs - 1_000 + nth);
  const full = planOf([...many(2), ...many(3, lateMs + 1), one('c', 0, true)], {
    ...calm,
    sentAtMs,
  });
  assert.deepEqual(counts(full), [1, 0, 5]);
  assert.equal(full.laterAtMs, nowMs - 1_000 + 60 * 60_000);
});
