import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isScheduled, type WeekSchedule } from './week-schedule.ts';

const nights: WeekSchedule = {
  timeZone: 'Asia/Baku',
  spans: [
    { day: 1, from: '20:00', until: '24:00' },
    { day: 2, from: '00:00', until: '06:30' },
  ],
};
const at = (iso: string): number => Date.parse(iso);

test('a table goes by the clocks of its place, from its first minute to before its last', () => {
  // Baku is four hours ahead of UTC; 19 January 2026 is a Monday.
  const expected: Record<string, boolean> = {
    '2026-01-19T15:59:59Z': false,
    '2026-01-19T16:00:00Z': true,
    '2026-01-19T19:59:59Z': true,
    '2026-01-19T20:00:00Z': true,
    '2026-01-20T02:29:59Z': true,
    '2026-01-20T02:30:00Z': false,
    '2026-01-20T17:00:00Z': false,
  };
  for (const [iso, is] of Object.entries(expected))
    assert.equal(isScheduled(nights, at(iso)), is, iso);
});

test('R-15 where clocks are set twice a year, the hour that people see counts', () => {
  const mornings: WeekSchedule = {
    timeZone: 'Europe/Berlin',
    spans: [{ day: 7, from: '08:00', until: '09:00' }],
  };
  assert.equal(isScheduled(mornings, at('2026-03-22T07:30:00Z')), true, 'winter');
  assert.equal(isScheduled(mornings, at('2026-03-29T06:30:00Z')), true, 'summer begins that day');
  assert.equal(isScheduled(mornings, at('2026-03-29T07:30:00Z')), false);
});

test('midnight belongs to the day that begins', () => {
  assert.equal(
    isScheduled(
      { ...nights, spans: [{ day: 2, from: '00:00', until: '00:01' }] },
      at('2026-01-19T20:00:30Z'),
    ),
    true,
  );
});
