/** The ruler of a timeline, also on days on which clocks are changed, and what is typed on such days. */
import { expect, test } from 'vitest';
import { startSentences } from '#lib/i18n.ts';
import { ticksOf, stepOf } from './ticks.ts';
import { shownMoment, typedMoment } from './typed-moment.ts';

const hourMs = 3_600_000;
const zone = 'Europe/Berlin';

const hours = (from: string, until: string): string[] =>
  ticksOf({ fromMs: Date.parse(from), untilMs: Date.parse(until) }, 26, zone).map(
    ({ label }) => label,
  );

test('a day of 23 hours has no line for the hour that clocks skip, one of 25 has two for the one they repeat', () => {
  const short = hours('2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00');
  expect(short).toHaveLength(23);
  expect(short.slice(0, 4)).toEqual(['Mar 29', '01:00', '03:00', '04:00']);
  const long = hours('2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00');
  expect(long).toHaveLength(25);
  expect(long.slice(1, 5)).toEqual(['01:00', '02:00', '02:00', '03:00']);
});

test('in New York, too, days have 23 and 25 hours; in Baku clocks are not changed, the years before 2016 they were', () => {
  const days = (from: string, until: string, timezone: string): number =>
    ticksOf({ fromMs: Date.parse(from), untilMs: Date.parse(until) }, 26, timezone).length;
  const newYork = 'America/New_York';
  expect(days('2026-03-08T00:00:00-05:00', '2026-03-09T00:00:00-04:00', newYork)).toBe(23);
  expect(days('2026-11-01T00:00:00-04:00', '2026-11-02T00:00:00-05:00', newYork)).toBe(25);
  const baku = 'Asia/Baku';
  expect(days('2026-03-29T00:00:00+04:00', '2026-03-30T00:00:00+04:00', baku)).toBe(24);
  expect(days('2015-03-29T00:00:00+04:00', '2015-03-30T00:00:00+05:00', baku)).toBe(23);
});

test('a day whose midnight clocks skip begins when they are changed', () => {
  // In Cairo 24 April 2026 begins at one o'clock.
  const fromMs = Date.parse('2026-04-23T00:00:00+02:00');
  const view = { fromMs, untilMs: fromMs + 72 * hourMs };
  const days = ticksOf(view, 3, 'Africa/Cairo');
  expect(days.map(({ label }) => label)).toEqual(['Apr 23', 'Apr 24', 'Apr 25', 'Apr 26']);
  expect(days[1]).toMatchObject({ ms: Date.parse('2026-04-24T01:00:00+03:00'), isDay: true });
  const hoursOf = ticksOf(
    { fromMs: fromMs + 23 * hourMs, untilMs: fromMs + 26 * hourMs },
    4,
    'Africa/Cairo',
  );
  expect(hoursOf.map(({ label }) => label)).toEqual(['23:00', 'Apr 24', '02:00']);
});

test('lines stand at round times of the zone, however it differs from UTC', () => {
  const fromMs = Date.UTC(2026, 5, 1, 3, 7);
  const view = { fromMs, untilMs: fromMs + 6 * hourMs };
  const labels = ticksOf(view, 6, 'Asia/Kathmandu').map(({ label }) => label);
  expect(labels).toEqual(['09:00', '10:00', '11:00', '12:00', '13:00', '14:00']);
});

test('as near as two minutes lines show seconds; over a month they stand at Mondays', () => {
  const fromMs = Date.UTC(2026, 0, 14, 8);
  expect(
    ticksOf({ fromMs, untilMs: fromMs + 120_000 }, 4, 'UTC').map(({ label }) => label),
  ).toEqual(['08:00:00', '08:00:30', '08:01:00', '08:01:30']);
  const month = { fromMs, untilMs: fromMs + 30 * 24 * hourMs };
  expect(stepOf(month, 5)).toBe(7 * 24 * hourMs);
  const days = ticksOf(month, 5, 'UTC');
  expect(days.map(({ label }) => label)).toEqual(['Jan 19', 'Jan 26', 'Feb 2', 'Feb 9']);
  expect(days.every(({ isDay }) => isDay)).toBe(true);
});

test('labels speak the language of the reader', async () => {
  await startSentences('ru');
  const fromMs = Date.UTC(2026, 0, 14);
  const [first] = ticksOf({ fromMs, untilMs: fromMs + 24 * hourMs }, 12, 'UTC');
  await startSentences('en');
  expect(first?.label).toBe('14 янв.');
});

test('a typed time is a moment of the zone; an invalid one says why', () => {
  const nowMs = Date.UTC(2026, 11, 1);
  const nearMs = Date.parse('2026-03-29T12:00:00+02:00');
  const typed = (text: string) => typedMoment(text, { timezone: zone, nearMs, nowMs });
  expect(typed('2026-01-14 08:30')).toEqual({ ms: Date.parse('2026-01-14T08:30:00+01:00') });
  expect(typed('01/14/2026 08:30')).toEqual(typed('2026-01-14 08:30'));
  expect(typed(' 8:30:05 ')).toEqual({ ms: Date.parse('2026-03-29T08:30:05+02:00') });
  expect(typed('02:30')).toEqual({ fault: 'skipped' });
  expect(typed('2026-10-25 02:30')).toEqual({ ms: Date.parse('2026-10-25T02:30:00+02:00') });
  expect(typed('2026-12-02 00:00')).toEqual({ fault: 'future' });
  for (const text of ['', 'noon', '25:00', '12:60', '2026-02-30 12:00', '2026-13-40 10:00']) {
    expect(typed(text), text).toEqual({ fault: 'unreadable' });
  }
  expect(shownMoment(nearMs, zone)).toBe('03/29/2026 12:00:00');
});
