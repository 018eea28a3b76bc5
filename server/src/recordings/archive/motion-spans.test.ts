import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { MotionSpans, type FoundSpan } from './motion-spans.ts';

const times = fc
  .array(fc.record({ gapMs: fc.nat(6_000), lastsMs: fc.integer({ min: 1, max: 3_000 }) }), {
    maxLength: 60,
  })
  .map((parts) => {
    let atMs = 0;
    return parts.map(({ gapMs, lastsMs }): FoundSpan => {
      const fromMs = (atMs += gapMs);
      return { fromMs, untilMs: (atMs += lastsMs) };
    });
  });

const period = (from: number) => ({
  from: new Date(from),
  until: new Date(1_000_000),
  resolutionMs: 0,
});

/** One answer; `read`: how many times are read. */
function answer(all: readonly FoundSpan[], from: number, limit: number, read = Infinity) {
  const spans = new MotionSpans(period(from), limit);
  const some = all.filter(({ untilMs }) => untilMs > from).slice(0, read);
  for (const { fromMs, untilMs } of some) spans.add(fromMs, untilMs);
  if (some.length < read) spans.end();
  return spans.take();
}

test('many short answers together give what one long answer gives', () => {
  fc.assert(
    fc.property(
      times,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 2, max: 20 }),
      (all, limit, read) => {
        const { found: whole, nextMs: none } = answer(all, 0, 1_000);
        assert.equal(none, null);
        const answered: FoundSpan[] = [];
        let from: number | null = 0;
        for (let asked = 0; from !== null; asked++) {
          assert.ok(asked <= all.length, 'each answer leads further');
          const { found, nextMs } = answer(all, from, limit, read);
          assert.ok(found.length <= limit);
          for (const span of found) {
            // A span that was cut goes on with the next answer.
            const last = answered.at(-1);
            if (last && span.fromMs - last.untilMs <= 1_500) {
              answered[answered.length - 1] = { fromMs: last.fromMs, untilMs: span.untilMs };
            } else answered.push(span);
          }
          from = nextMs;
        }
        assert.deepEqual(answered, whole);
      },
    ),
  );
});

test('spans lie within the time asked for', () => {
  const { found } = answer([{ fromMs: 0, untilMs: 9_000 }], 4_000, 1);
  assert.deepEqual(found, [{ fromMs: 4_000, untilMs: 9_000 }]);
});
