/**
 * A period as people type it: two moments by the reader's clock, to the second. Which period may be typed is said here;
 * what the server would refuse is not sent.
 */
import { dayOf } from '#lib/local-day.ts';
import { readDay, shownDay } from '#lib/typed-date.ts';

/** Milliseconds since 1970. */
export interface Period {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** While it is typed: null is no moment, or not one yet. */
export interface DraftPeriod {
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

export interface PeriodFault {
  readonly field: 'from' | 'until';
  readonly kind: 'missing' | 'endFirst' | 'tooLong';
}

const hourMs = 60 * 60_000;
/** Exports (contract/src/exports.ts). */
export const longestExportHours = 24;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `11/27/2026 05:06:07` by the reader's clock, the date as the language writes it; '' for none. */
export function typedMoment(ms: number | null): string {
  if (ms === null) return '';
  const at = new Date(ms);
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');
  return `${shownDay(dayOf(ms))} ${time}`;
}

const pattern =
  /^(?<date>.+?)(?:\s*,\s*|\s+|T)(?<hours>\d{1,2}):(?<minutes>[0-5]\d)(?::(?<seconds>[0-5]\d)(?:\.\d{1,3})?)?$/;

/**
 * Null: no moment. Seconds may be left out. `beforeMs` is what stood in the field: when clocks are set back an hour
 * comes twice, and what was not changed stays the one it was.
 */
export function readMoment(typed: string, beforeMs: number | null): number | null {
  const { date = '', hours, minutes, seconds = 0 } = pattern.exec(typed.trim())?.groups ?? {};
  const day = readDay(date);
  if (day === null || Number(hours) > 23) return null;
  const [year, month, dayOfMonth] = day.split('-').map(Number);
  const at = new Date(
    year!,
    month! - 1,
    dayOfMonth,
    Number(hours),
    Number(minutes),
    Number(seconds),
  );
  const isSame = beforeMs !== null && typedMoment(at.getTime()) === typedMoment(beforeMs);
  return isSame ? beforeMs : at.getTime();
}

/** What the fields show is what is asked for: nothing of a second is lost at either end. */
export const wholeSeconds = ({ fromMs, untilMs }: Period): Period => ({
  fromMs: Math.floor(fromMs / 1000) * 1000,
  untilMs: Math.ceil(untilMs / 1000) * 1000,
});

/** `longestHours` null: as long as one likes. */
export function faultOf(
  { fromMs, untilMs }: DraftPeriod,
  longestHours: number | null,
): PeriodFault | null {
  if (fromMs === null) return { field: 'from', kind: 'missing' };
  if (untilMs === null) return { field: 'until', kind: 'missing' };
  if (untilMs <= fromMs) return { field: 'until', kind: 'endFirst' };
  const isTooLong = longestHours !== null && untilMs - fromMs > longestHours * hourMs;
  return isTooLong ? { field: 'until', kind: 'tooLong' } : null;
}

export const asTimes = ({ fromMs, untilMs }: Period) => ({
  from: new Date(fromMs).toISOString(),
  until: new Date(untilMs).toISOString(),
});
