/**
 * A period as people type it: two moments by the reader's clock, to the second. Which period may be typed is said here;
 * what the server would refuse is not sent.
 */

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

/** Browsers leave out seconds that are zero (HTML, "normalized local date and time"). */
const shortest = (typed: string): string =>
  typed.replace(/\.0+$/, '').replace(/(T\d\d:\d\d):00$/, '$1');

/** `2026-03-04T05:06:07` by the reader's clock, as the browser's field for it wants it; '' for none. */
export function typedMoment(ms: number | null): string {
  if (ms === null) return '';
  const at = new Date(ms);
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join('-');
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');
  return shortest(`${date}T${time}`);
}

const pattern = /^([12]\d{3})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,3})?)?$/;

/**
 * Null: no moment. `beforeMs` is what stood in the field: when clocks are set back an hour comes twice, and what was
 * not changed stays the one it was.
 */
export function readMoment(typed: string, beforeMs: number | null): number | null {
  if (beforeMs !== null && shortest(typed) === typedMoment(beforeMs)) return beforeMs;
  const found = pattern.exec(typed);
  if (found === null) return null;
  const [year, month, day, hours, minutes, seconds] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  const at = new Date(year!, month! - 1, day, hours, minutes, seconds);
  // 30 February is no day, whatever Date makes of it.
  return at.getMonth() === month! - 1 && at.getDate() === day ? at.getTime() : null;
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
