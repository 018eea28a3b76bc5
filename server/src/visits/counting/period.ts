/** The stretch of time that counts are of, in days of the reader. Pure. */
import { isTooLong, maxPeriodDays } from '@nazar/contract/fields.ts';
import { askedFrom, askedUntil, dateAt, localDay } from '#lib/local-days.ts';
import { Problem } from '#lib/problem.ts';

export interface Period {
  readonly from: Date;
  /** Exclusive. */
  readonly until: Date;
  readonly timeZone: string;
}

export interface AskedPeriod {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/** LDF-001: the days counted where no beginning is asked for, today included. */
const usualDays = 7;
const dayMs = 24 * 60 * 60_000;

/**
 * A date means its whole day, an instant itself; without an end it is the end of today. Throws time_zone_unknown,
 * period_reversed, period_too_long.
 */
export function periodOf(
  { start_date, end_date }: AskedPeriod,
  timeZone: string,
  nowMs: number,
): Period {
  const until = askedUntil(end_date ?? dateAt(nowMs, timeZone), timeZone);
  const from = start_date ? askedFrom(start_date, timeZone) : daysBefore(until, timeZone);
  if (from >= until) throw new Problem('period_reversed', { field: 'end_date' });
  // A day of a zone may be an hour longer.
  if (isTooLong(from.getTime(), until.getTime() - 2 * dayMs)) {
    throw new Problem('period_too_long', { field: 'end_date', max: maxPeriodDays });
  }
  return { from, until, timeZone };
}

function daysBefore(until: Date, timeZone: string): Date {
  const last = Date.parse(dateAt(until.getTime() - 1, timeZone));
  const first = new Date(last - (usualDays - 1) * dayMs).toISOString().slice(0, 10);
  return localDay(first, timeZone).from;
}
