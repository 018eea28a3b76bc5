import { expect, test } from 'vitest';
import { dayAfter, dayInMonth, dayOf, isDay, monthOf, timesOf, weeksOf } from './local-day.ts';

const hourMs = 60 * 60_000;

test('a day is of the calendar, or none', () => {
  expect(['2026-02-28', '2028-02-29', '1999-12-31'].filter(isDay)).toHaveLength(3);
  for (const text of ['2026-13-40', '2026-02-29', '2026-00-10', '2026-2-3', '0026-01-01', '']) {
    expect(isDay(text), text).toBe(false);
  }
});

test('NSH-044 the day of a moment is the reader’s, whatever the date of UTC is', () => {
  expect(dayOf(new Date(2026, 0, 15, 0, 0, 0).getTime())).toBe('2026-01-15');
  expect(dayOf(new Date(2026, 0, 15, 23, 59, 59).getTime())).toBe('2026-01-15');
});

test('a day lasts from its first moment to the next day’s, however many hours that is', () => {
  for (const day of ['2026-03-28', '2026-03-29', '2026-10-25', '2026-12-31']) {
    const { fromMs, untilMs } = timesOf(day);
    expect([dayOf(fromMs), dayOf(untilMs - 1)], day).toEqual([day, day]);
    expect([dayOf(fromMs - 1), dayOf(untilMs)]).toEqual([dayAfter(day, -1), dayAfter(day, 1)]);
    expect([23, 24, 25]).toContain((untilMs - fromMs) / hourMs);
  }
});

test('days and months beside one another', () => {
  expect([dayAfter('2026-02-28', 1), dayAfter('2026-01-01', -1)]).toEqual([
    '2026-03-01',
    '2025-12-31',
  ]);
  expect([dayInMonth('2026-01-31', 1), dayInMonth('2026-03-31', -1)]).toEqual([
    '2026-02-28',
    '2026-02-28',
  ]);
  expect(dayInMonth('2026-12-15', 1)).toBe('2027-01-15');
});

test.each([
  ['2026-11', '2026-10-26', '2026-12-06', 6],
  ['2027-02', '2027-02-01', '2027-02-28', 4],
  ['2026-12', '2026-11-30', '2027-01-03', 5],
])('the weeks of %s are whole ones from Monday on', (month, first, last, count) => {
  const weeks = weeksOf(month);
  expect(weeks).toHaveLength(count);
  expect([weeks[0]?.[0], weeks.at(-1)?.[6]]).toEqual([first, last]);
  expect(weeks.every((week) => week.length === 7)).toBe(true);
  expect(weeks.flat().filter((day) => monthOf(day) === month).length).toBeGreaterThan(27);
});
