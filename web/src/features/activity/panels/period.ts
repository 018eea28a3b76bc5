/** The days that the panels are of, by the reader's clock. Pure. */
import { dayAfter, dayOf, timesOf } from '#lib/local-day.ts';
import type { ActivitySearch } from '../search.ts';
import { usualDays } from './panels.ts';

export interface Period {
  readonly from: string;
  /** Included. */
  readonly to: string;
  /** One hour of a day alone; null: whole days. */
  readonly hour: number | null;
  /** Chosen by dates, not as the last so many days. */
  readonly isByDates: boolean;
  /** The last day only so far; absent: whole. */
  readonly untilMs?: number;
}

type Asked = Pick<ActivitySearch, 'from' | 'to' | 'days' | 'hour'>;

/** Without dates the last days, today included. */
export function periodOf({ from, to, days = usualDays, hour }: Asked, nowMs: number): Period {
  const last = to ?? dayOf(nowMs);
  const first = from ?? dayAfter(last, 1 - days);
  return {
    from: first,
    to: last,
    hour: hour !== undefined && first === last ? hour : null,
    isByDates: from !== undefined || to !== undefined,
  };
}

/**
 * As many days right before, to compare with. Where the period has not ended yet, its last day is taken until the same
 * time by the reader's clock.
 */
export function periodBefore(period: Period, nowMs: number): Period {
  const days = countDays(period);
  const to = dayAfter(period.to, -days);
  const before = { from: dayAfter(period.from, -days), to, hour: null, isByDates: true };
  if (dayOf(nowMs) !== period.to) return before;
  const now = new Date(nowMs);
  const until = new Date(timesOf(to).fromMs);
  until.setHours(now.getHours(), now.getMinutes());
  return { ...before, untilMs: until.getTime() };
}

const dayMs = 24 * 60 * 60_000;

/** Both ends included; 23 and 25 hours are a day, too. */
export const countDays = ({ from, to }: Pick<Period, 'from' | 'to'>): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

export const daysOf = (period: Period): string[] =>
  Array.from({ length: Math.max(0, countDays(period)) }, (_, index) =>
    dayAfter(period.from, index),
  );

/** As the server takes it: dates mean whole days there, too. */
export function datesOf(period: Period): { start_date: string; end_date: string } {
  const { from, to, hour, untilMs } = period;
  if (untilMs !== undefined) return instantsOf(period);
  if (hour === null) return { start_date: from, end_date: to };
  const [year = 0, month = 1, date = 1] = from.split('-').map(Number);
  const at = (hours: number): string => new Date(year, month - 1, date, hours).toISOString();
  return { start_date: at(hour), end_date: at(hour + 1) };
}

export function instantsOf({ from, to, untilMs = timesOf(to).untilMs }: Period): {
  start_date: string;
  end_date: string;
} {
  return {
    start_date: new Date(timesOf(from).fromMs).toISOString(),
    end_date: new Date(untilMs).toISOString(),
  };
}
