/**
 * Days as the clocks of a place count them: 23 or 25 hours long when clocks change, and beginning at any minute of an
 * hour. A day begins when the clocks first show its date, which is not midnight where clocks change at midnight. Pure.
 */
import { Problem } from './problem.ts';

export interface LocalDay {
  /** `2026-03-29`. */
  readonly date: string;
  readonly from: Date;
  /** Exclusive: when the next day begins. */
  readonly until: Date;
}

const hourMs = 60 * 60_000;
/** Clocks are at most 14 hours ahead of UTC and 12 behind, and were changed by up to a day. */
const furthestMs = 40 * hourMs;
/** Clocks are changed at whole seconds. */
const secondMs = 1_000;

/** Names of the IANA database; an offset such as `+05:30` is not a place. */
const namePattern = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/;
/** There are fewer than 600 names, but each is accepted in any letter case. */
const maxFormats = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The date that the clocks of the place show at that moment. Throws time_zone_unknown. */
export function dateAt(ms: number, timeZone: string): string {
  const parts = formatOf(timeZone).formatToParts(ms);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** Throws time_zone_unknown. */
export function localDay(date: string, timeZone: string): LocalDay {
  const next = new Date(Date.parse(date) + 24 * hourMs).toISOString().slice(0, 10);
  return { date, from: startOf(date, timeZone), until: startOf(next, timeZone) };
}

const isDate = (dateOrInstant: string): boolean => dateOrInstant.length === 10;

/** Where an asked period begins: a date means its whole day, an instant itself. Throws time_zone_unknown. */
export const askedFrom = (dateOrInstant: string, timeZone: string): Date =>
  isDate(dateOrInstant) ? localDay(dateOrInstant, timeZone).from : new Date(dateOrInstant);

/** Where it ends, exclusive. Throws time_zone_unknown. */
export const askedUntil = (dateOrInstant: string, timeZone: string): Date =>
  isDate(dateOrInstant) ? localDay(dateOrInstant, timeZone).until : new Date(dateOrInstant);

/** Both ends of an asked period; null where it was not asked for. Throws time_zone_unknown. */
export const askedEnds = (
  asked: { readonly start_date?: string | undefined; readonly end_date?: string | undefined },
  timeZone: string,
): { readonly from: Date | null; readonly until: Date | null } => ({
  from: asked.start_date ? askedFrom(asked.start_date, timeZone) : null,
  until: asked.end_date ? askedUntil(asked.end_date, timeZone) : null,
});

/** The days of a month, `2026-03`. A day that the place skipped to cross the date line is left out. */
export function daysOfMonth(month: string, timeZone: string): LocalDay[] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const days = Array.from({ length: count }, (_, index) =>
    localDay(`${month}-${String(index + 1).padStart(2, '0')}`, timeZone),
  );
  return days.filter(({ from, until }) => from < until);
}

/** The first second with that date, or a later one where the date was skipped. */
function startOf(date: string, timeZone: string): Date {
  const midnightMs = Date.parse(date);
  let before = (midnightMs - furthestMs) / secondMs;
  let after = (midnightMs + furthestMs) / secondMs;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dateAt(middle * secondMs, timeZone) < date) before = middle;
    else after = middle;
  }
  return new Date(after * secondMs);
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  if (formats.size >= maxFormats) formats.clear();
  const format = newFormat(timeZone);
  formats.set(timeZone, format);
  return format;
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  const fields = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  try {
    if (namePattern.test(timeZone))
      return new Intl.DateTimeFormat('en-US', { timeZone, ...fields });
  } catch {
    // The same as a name that no place could have.
  }
  throw new Problem('time_zone_unknown', { field: 'timezone' });
}
