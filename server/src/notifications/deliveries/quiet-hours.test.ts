import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quietUntil, type QuietHours } from './quiet-hours.ts';

const nights: QuietHours = { quiet_from: '22:00', quiet_to: '06:30', quiet_days: [1, 2, 3, 4, 5] };
const until = (at: string, zone: string, hours = nights): string | null => {
  const ms = quietUntil(hours, Date.parse(at), zone);
  return ms === null ? null : new Date(ms).toISOString();
};

test('~NSH-007 quiet hours begin on their days and end the next morning, in the zone of the user', () => {
  // Thursday the 15th; Baku is four hours ahead.
  assert.equal(until('2026-01-15T17:59:59Z', 'Asia/Baku'), null);
  assert.equal(until('2026-01-15T18:00:00Z', 'Asia/Baku'), '2026-01-16T02:30:00.000Z');
  assert.equal(until('2026-01-16T02:29:59Z', 'Asia/Baku'), '2026-01-16T02:30:00.000Z');
  assert.equal(until('2026-01-16T02:30:00Z', 'Asia/Baku'), null);
  assert.equal(until('2026-01-15T18:00:00Z', 'UTC'), null);
  // Friday's night ends on Saturday; Saturday's and Sunday's are not quiet.
  assert.equal(until('2026-01-17T05:00:00Z', 'UTC'), '2026-01-17T06:30:00.000Z');
  assert.equal(until('2026-01-17T23:00:00Z', 'UTC'), null);
  assert.equal(until('2026-01-18T05:00:00Z', 'UTC'), null);
});

test('~NSH-007 quiet hours within a day, for a whole day, and none', () => {
  const noon = { quiet_from: '12:00', quiet_to: '13:00', quiet_days: [4] };
  assert.equal(until('2026-01-15T12:30:00Z', 'UTC', noon), '2026-01-15T13:00:00.000Z');
  assert.equal(until('2026-01-16T12:30:00Z', 'UTC', noon), null);
  const whole = { quiet_from: '08:00', quiet_to: '08:00', quiet_days: [4] };
  assert.equal(until('2026-01-16T07:00:00Z', 'UTC', whole), '2026-01-16T08:00:00.000Z');
  assert.equal(until('2026-01-16T08:00:00Z', 'UTC', whole), null);
  const none = { quiet_from: null, quiet_to: null, quiet_days: [4] };
  assert.equal(until('2026-01-15T12:30:00Z', 'UTC', none), null);
});

test('~NSH-007 nights in which clocks change end at the time that they show', () => {
  const all = { ...nights, quiet_days: [1, 2, 3, 4, 5, 6, 7] };
  assert.equal(until('2026-03-28T22:00:00Z', 'Europe/Berlin', all), '2026-03-29T04:30:00.000Z');
  assert.equal(until('2026-10-24T21:00:00Z', 'Europe/Berlin', all), '2026-10-25T05:30:00.000Z');
  const skipped = { ...all, quiet_to: '02:30' };
  assert.equal(until('2026-03-28T22:00:00Z', 'Europe/Berlin', skipped), '2026-03-29T01:00:00.000Z');
});
