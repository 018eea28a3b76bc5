/**
 * Days as the clocks of the reader count them, `2026-03-29`: 23 or 25 hours long when clocks are changed. The server
 * counts them alike when it is sent the time zone.
 */

/** As the server takes it, a name of the IANA database. */
export const readerTimezone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const padded = (value: number, length: number): string => String(value).padStart(length, '0');

const dayOfDate = (at: Date): string =>
  `${padded(at.getFullYear(), 4)}-${padded(at.getMonth() + 1, 2)}-${padded(at.getDate(), 2)}`;

/** The day to which a moment belongs. */
export const dayOf = (ms: number): string => dayOfDate(new Date(ms));

const pattern = /^([12]\d{3})-(\d{2})-(\d{2})$/;

const partsOf = (day: string): [number, number, number] => {
  const [, year, month, date] = pattern.exec(day) ?? [];
  return [Number(year), Number(month), Number(date)];
};

/** Whether there is such a day: the 30th of February is none. */
export function isDay(text: string): boolean {
  const [year, month, date] = partsOf(text);
  const at = new Date(Date.UTC(year, month - 1, date));
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
}

/** Noon, which every day has wherever clocks are changed. */
function noonOf(day: string): Date {
  const [year, month, date] = partsOf(day);
  return new Date(year, month - 1, date, 12);
}

/** When it begins and when the next one does, in milliseconds. */
export function timesOf(day: string): { readonly fromMs: number; readonly untilMs: number } {
  const [year, month, date] = partsOf(day);
  return {
    fromMs: new Date(year, month - 1, date).getTime(),
    untilMs: new Date(year, month - 1, date + 1).getTime(),
  };
}

export function dayAfter(day: string, days: number): string {
  const at = noonOf(day);
  at.setDate(at.getDate() + days);
  return dayOfDate(at);
}

/** The same date of another month, or the last that it has. */
export function dayInMonth(day: string, months: number): string {
  const [year, month, date] = partsOf(day);
  const last = new Date(year, month + months, 0).getDate();
  return dayOfDate(new Date(year, month - 1 + months, Math.min(date, last), 12));
}

export const monthOf = (day: string): string => day.slice(0, 7);

/** The days of the weeks that a month lies in, seven in a row from Monday on. */
export function weeksOf(month: string): string[][] {
  const first = `${month}-01`;
  const weekday = (noonOf(first).getDay() + 6) % 7;
  const start = dayAfter(first, -weekday);
  const weeks: string[][] = [];
  for (let at = start; weeks.length === 0 || monthOf(at) === month; at = dayAfter(at, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => dayAfter(at, index)));
  }
  return weeks;
}

/** For a sentence: a moment of that day by the reader's clock. */
export const momentOf = (day: string): Date => noonOf(day);
