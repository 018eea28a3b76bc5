import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BelievedTime } from './believed-time.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const at = (wallMs: number, monotonicMs: number) => ({ wallMs, monotonicMs });
const start = Date.UTC(2026, 0, 15);

test('R-15 time that goes on is believed, also after a night switched off', () => {
  const time = new BelievedTime();
  assert.ok(time.isBelieved(at(start, 0), null));
  assert.ok(time.isBelieved(at(start + dayMs, dayMs), start));
  assert.ok(new BelievedTime().isBelieved(at(start + dayMs / 2, 0), start));
});

test('R-15 a jump ahead or back is not believed until it has gone on for 15 minutes', () => {
  for (const jump of [11 * minuteMs, 400 * dayMs, -2 * dayMs]) {
    const time = new BelievedTime();
    assert.ok(time.isBelieved(at(start, 0), null));
    const far = start + jump;
    assert.ok(!time.isBelieved(at(far + minuteMs, minuteMs), start), `${jump}`);
    assert.ok(!time.isBelieved(at(far + 15 * minuteMs, 15 * minuteMs), start));
    assert.ok(time.isBelieved(at(far + 16 * minuteMs, 16 * minuteMs), start));
  }
});

test('R-15 a clock that jumps and is set right again deletes nothing in between', () => {
  const time = new BelievedTime();
  assert.ok(time.isBelieved(at(start, 0), null));
  assert.ok(!time.isBelieved(at(start + 400 * dayMs, minuteMs), start));
  assert.ok(!time.isBelieved(at(start + 14 * minuteMs, 14 * minuteMs), start), 'jumped back');
  assert.ok(!time.isBelieved(at(start + 20 * minuteMs, 20 * minuteMs), start));
  assert.ok(time.isBelieved(at(start + 30 * minuteMs, 30 * minuteMs), start));
});

test('R-15 after a start the hour is compared with the last one believed; a person may confirm it', () => {
  const time = new BelievedTime();
  const late = start + 30 * dayMs;
  assert.ok(!time.isBelieved(at(late, 0), start));
  time.confirm(at(late + minuteMs, minuteMs));
  assert.ok(time.isBelieved(at(late + 2 * minuteMs, 2 * minuteMs), late));
});
