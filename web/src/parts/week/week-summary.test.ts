import { expect, test } from 'vitest';
import { daysAlike } from './week-summary.ts';

const on = (days: readonly number[], from: string, until: string) =>
  days.map((day) => ({ day, from, until }));

test('days that follow one another and have the same times are named once', () => {
  const work = on([1, 2, 3, 4, 5], '09:00', '17:00');
  expect(daysAlike({ spans: work })).toEqual([{ firstDay: 1, lastDay: 5, times: ['09:00–17:00'] }]);
  const nights = [1, 2, 3, 4, 5, 6, 7].flatMap((day) => [
    ...on([day], '22:00', '24:00'),
    ...on([day], '00:00', '06:00'),
  ]);
  expect(daysAlike({ spans: nights })).toEqual([
    { firstDay: 1, lastDay: 7, times: ['00:00–06:00', '22:00–24:00'] },
  ]);
});

test('days with other times between them, or none, stand apart', () => {
  const spans = [...on([1, 3, 4], '09:00', '17:00'), ...on([2, 6], '10:00', '12:00')];
  expect(daysAlike({ spans }).map(({ firstDay, lastDay }) => [firstDay, lastDay])).toEqual([
    [1, 1],
    [2, 2],
    [3, 4],
    [6, 6],
  ]);
  expect(daysAlike({ spans: [] })).toEqual([]);
});
