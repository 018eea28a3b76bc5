import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { dateAt, daysOfMonth, localDay } from './local-days.ts';

const hours = (date: string, timeZone: string): number => {
  const { from, until } = localDay(date, timeZone);
  return (until.getTime() - from.getTime()) / 3_600_000;
};
const starts = (date: string, timeZone: string): string =>
  localDay(date, timeZone).from.toISOString();

test('days are as long as the clocks of their place make them', () => {
  assert.equal(hours('2026-03-29', 'Europe/Berlin'), 23);
  assert.equal(hours('2026-10-25', 'Europe/Berlin'), 25);
  assert.equal(hours('2026-03-08', 'America/New_York'), 23);
  assert.equal(hours('2026-11-01', 'America/New_York'), 25);
  assert.equal(hours('2026-04-05', 'Australia/Lord_Howe'), 24.5);
  assert.equal(hours('2026-10-04', 'Australia/Lord_Howe'), 23.5);
  assert.equal(hours('2026-03-29', 'Asia/Baku'), 24);
});

test('days begin at the minute, and where clocks change at midnight when the date changes', () => {
  assert.equal(starts('2026-01-15', 'UTC'), '2026-01-15T00:00:00.000Z');
  assert.equal(starts('2026-01-15', 'Asia/Kolkata'), '2026-01-14T18:30:00.000Z');
  assert.equal(starts('2026-01-15', 'Asia/Kathmandu'), '2026-01-14T18:15:00.000Z');
  assert.equal(starts('2026-01-15', 'Pacific/Kiritimati'), '2026-01-14T10:00:00.000Z');
  // It has no midnight: at 0:00 it is 1:00.
  assert.equal(starts('2018-11-04', 'America/Sao_Paulo'), '2018-11-04T03:00:00.000Z');
  assert.equal(hours('2018-11-04', 'America/Sao_Paulo'), 23);
  // It has two: at 1:00 it is 0:00 again.
  assert.equal(hours('2026-11-01', 'America/Havana'), 25);
});

test('a month is its days, one after the other, without one that was left out', () => {
  for (const [month, zone] of [
    ['2026-03', 'Europe/Berlin'],
    ['2024-02', 'Asia/Kathmandu'],
    ['2026-11', 'America/Havana'],
  ] as const) {
    const days = daysOfMonth(month, zone);
    days.slice(1).forEach(({ from }, at) => assert.deepEqual(from, days[at]!.until));
  }
  assert.equal(daysOfMonth('2024-02', 'UTC').length, 29);
  const apia = daysOfMonth('2011-12', 'Pacific/Apia').map(({ date }) => date);
  assert.equal(apia.length, 30);
  assert.ok(!apia.includes('2011-12-30'));
});

test('whatever the moment and the place, it lies in the day that its clocks show', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const moments = fc.integer({ min: Date.UTC(2000), max: Date.UTC(2038) });
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), (ms, zone) => {
      const { from, until } = localDay(dateAt(ms, zone), zone);
      // St. John's went back over midnight: for an hour once a year a date comes again.
      const isTwice = zone === 'America/St_Johns' && ms < Date.UTC(2012);
      assert.ok(isTwice || (from.getTime() <= ms && ms < until.getTime()), `${ms} ${zone}`);
    }),
    { numRuns: 300 },
  );
});

test('a place outside the IANA database is refused', () => {
  for (const zone of ['Mars/Base', '+05:30', '', 'Europe/Berlin ', '../x', 'x'.repeat(60)]) {
    assert.throws(() => dateAt(0, zone), { code: 'time_zone_unknown' }, zone);
  }
  assert.equal(dateAt(0, 'Etc/GMT+5'), '1969-12-31');
});
