/** Counts by hours or days laid out as the rows and columns of a heatmap. Pure. */
import { dayAfter } from '#lib/local-day.ts';
import { countDays, daysOf, type Period } from './period.ts';

export interface HeatRow<Row, Cell> {
  readonly row: Row;
  readonly cells: readonly (Cell | null)[];
}

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** 1 is Monday. */
export const weekdayOf = (day: string): number =>
  ((new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7) + 1;
export const mondayOf = (day: string): string => dayAfter(day, 1 - weekdayOf(day));

export interface HourCell {
  readonly weekday: number;
  readonly hour: number;
  /** The only day of the period with this weekday; null: there are several. */
  readonly day: string | null;
}

/** A row for each weekday of the period, with its hours. */
export function byHours(period: Period): HeatRow<number, HourCell>[] {
  const days = daysOf(period);
  const isOneWeek = countDays(period) <= 7;
  return weekdays.flatMap((weekday) => {
    const day = days.find((one) => weekdayOf(one) === weekday);
    if (day === undefined) return [];
    return [
      {
        row: weekday,
        cells: hours.map((hour) => ({ weekday, hour, day: isOneWeek ? day : null })),
      },
    ];
  });
}

/** A row for each week, with its days; null where the period has not begun or is over. */
export function byDays(period: Period): HeatRow<string, string>[] {
  const days = new Set(daysOf(period));
  return mondaysOf(period).map((monday) => ({
    row: monday,
    cells: weekdays.map((weekday) => {
      const day = dayAfter(monday, weekday - 1);
      return days.has(day) ? day : null;
    }),
  }));
}

/** The weeks that the period touches, by their Mondays, the oldest first. */
export function mondaysOf(period: Period): string[] {
  return [...new Set(daysOf(period).map(mondayOf))];
}

/** What was counted in each week, from what was counted on each day. */
export function sumByWeek(byDay: ReadonlyMap<string, number>): Map<string, number> {
  const weeks = new Map<string, number>();
  for (const [day, count] of byDay) {
    const monday = mondayOf(day);
    weeks.set(monday, (weeks.get(monday) ?? 0) + count);
  }
  return weeks;
}
