import { useFormat } from '#lib/format.ts';
import { timeOf, type Area } from './week.ts';

/** Names of days in the reader's language; the fifth of January 1970 was a Monday. */
export function useWeekdays() {
  const { formatTime } = useFormat();
  const name = (day: number, weekday: 'long' | 'short'): string =>
    formatTime(Date.UTC(1970, 0, 4 + day), { weekday, timeZone: 'UTC' });
  const short = (day: number): string => name(day, 'short');
  return {
    short,
    long: (day: number): string => name(day, 'long'),
    area: ({ firstDay, lastDay, from, until }: Area) => ({
      days: firstDay === lastDay ? short(firstDay) : `${short(firstDay)} – ${short(lastDay)}`,
      from: timeOf(from),
      until: timeOf(until),
    }),
  };
}
