import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { everyMs, paceOf } from './email-pace.ts';

const began = Date.UTC(2026, 0, 1);
const at = (minutes: number): Date => new Date(began + minutes * 60_000);

/** When emails go about what happens at these minutes. */
function emails(minutes: readonly number[]): Date[] {
  let nextAt: Date | null = null;
  return minutes.flatMap((minute) => {
    const pace = paceOf(nextAt ?? at(minute), at(minute));
    nextAt = pace?.nextAt ?? nextAt;
    return pace ? [pace.dueAt] : [];
  });
}

test('C-808 the first goes at once, the next at the end of the hour and for all that came meanwhile', () => {
  assert.deepEqual(emails([0]), [at(0)]);
  assert.deepEqual(emails([0, 1, 2, 59]), [at(0), at(60)]);
  assert.deepEqual(emails([0, 60, 121]), [at(0), at(60), at(121)]);
  assert.deepEqual(emails([0, 1, 60, 61, 119, 200]), [at(0), at(60), at(120), at(200)]);
});

test('C-808 whatever happens when: emails are an hour apart, and none is later than an hour', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 150 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(gaps, (between) => {
      let now = 0;
      const minutes = between.map((gap) => (now += gap));
      const sent = emails(minutes).map((date) => date.getTime());
      for (const [index, time] of sent.entries()) {
        assert.ok(index === 0 || time - sent[index - 1]! >= everyMs);
      }
      for (const minute of minutes) {
        const happened = at(minute).getTime();
        assert.ok(sent.some((time) => time >= happened && time - happened <= everyMs));
      }
    }),
  );
});

test('a clock that was set back by days holds nothing up', () => {
  assert.deepEqual(paceOf(at(3 * 24 * 60), at(0))?.dueAt, at(0));
});
