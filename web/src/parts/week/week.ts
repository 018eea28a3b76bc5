/**
 * The week table while it is edited: rows as the user types them, of which the grid shows those that are whole.
 * Minutes are counted from the beginning of a day. Pure.
 */
import type { WeekSchedule } from '@nazar/contract/week-schedule.ts';

export const DAY_MINUTES = 1440;
/** 1 is Monday. */
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
/** As many as the contract takes. */
export const MAX_SPANS = 70;

export interface WeekRow {
  readonly key: number;
  readonly day: number;
  readonly from: string;
  readonly until: string;
}

export type RowFault = 'time' | 'order';

interface Minutes {
  readonly from: number;
  readonly until: number;
}

/** A part of some days that follow one another. */
export interface Area extends Minutes {
  readonly firstDay: number;
  readonly lastDay: number;
}

export type Coverage = 'all' | 'some' | 'none';

/** Null: not a time of a day. `8:30` is taken for `08:30`. */
export function minutesOf(time: string): number | null {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(time.trim()) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const total = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && total <= DAY_MINUTES ? total : null;
}

const padded = (value: number): string => String(value).padStart(2, '0');
export const timeOf = (minutes: number): string =>
  `${padded(Math.floor(minutes / 60))}:${padded(minutes % 60)}`;

export function faultOf({ from, until }: WeekRow): RowFault | null {
  const [begins, ends] = [minutesOf(from), minutesOf(until)];
  if (begins === null || ends === null) return 'time';
  return begins < ends ? null : 'order';
}

/** Touching and overlapping spans become one. */
function merged(spans: readonly Minutes[]): Minutes[] {
  const joined: Minutes[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last !== undefined && span.from <= last.until) {
      joined[joined.length - 1] = { from: last.from, until: Math.max(last.until, span.until) };
    } else joined.push(span);
  }
  return joined;
}

const without = (spans: readonly Minutes[], { from, until }: Minutes): Minutes[] =>
  spans
    .flatMap((span) => [
      { from: span.from, until: Math.min(span.until, from) },
      { from: Math.max(span.from, until), until: span.until },
    ])
    .filter((span) => span.from < span.until);

const spansOf = (rows: readonly WeekRow[], day: number): Minutes[] =>
  merged(
    rows
      .filter((row) => row.day === day && faultOf(row) === null)
      .map(({ from, until }) => ({ from: minutesOf(from) ?? 0, until: minutesOf(until) ?? 0 })),
  );

export function coverage(
  rows: readonly WeekRow[],
  day: number,
  from: number,
  until: number,
): Coverage {
  let covered = 0;
  for (const span of spansOf(rows, day)) {
    covered += Math.max(0, Math.min(span.until, until) - Math.max(span.from, from));
  }
  if (covered === 0) return 'none';
  return covered === until - from ? 'all' : 'some';
}

const nextKey = (rows: readonly WeekRow[]): number =>
  Math.max(0, ...rows.map(({ key }) => key)) + 1;

const sorted = (rows: readonly WeekRow[]): WeekRow[] =>
  rows.toSorted(
    (one, other) =>
      one.day - other.day ||
      (minutesOf(one.from) ?? DAY_MINUTES) - (minutesOf(other.from) ?? DAY_MINUTES),
  );

/** The rows once an area is switched on or off. What is not whole stays as it was typed. */
export function paint(rows: readonly WeekRow[], area: Area, on: boolean): WeekRow[] {
  const isTouched = ({ day }: WeekRow): boolean => day >= area.firstDay && day <= area.lastDay;
  const kept = rows.filter((row) => !isTouched(row) || faultOf(row) !== null);
  let key = nextKey(rows);
  for (let day = area.firstDay; day <= area.lastDay; day += 1) {
    const before = spansOf(rows, day);
    for (const span of on ? merged([...before, area]) : without(before, area)) {
      kept.push({ key: key++, day, from: timeOf(span.from), until: timeOf(span.until) });
    }
  }
  return sorted(kept);
}

/** On a day that has room, nine to five: the user changes it to what they want. */
export const addRow = (rows: readonly WeekRow[]): WeekRow[] => [
  ...rows,
  { key: nextKey(rows), day: rows.at(-1)?.day ?? 1, from: '09:00', until: '17:00' },
];

/** A span over midnight, as two: until the day ends, and from where the next one begins. */
export const splitNight = (rows: readonly WeekRow[], night: WeekRow): WeekRow[] =>
  rows.flatMap((row) => {
    if (row.key !== night.key) return [row];
    const evening = { ...row, until: '24:00' };
    if (minutesOf(row.until) === 0) return [evening];
    const day = (row.day % weekdays.length) + 1;
    return [evening, { ...row, key: nextKey(rows), day, from: '00:00' }];
  });

export const rowsOf = (schedule: WeekSchedule | null): WeekRow[] =>
  sorted((schedule?.spans ?? []).map((span, index) => ({ key: index + 1, ...span })));

/** Only of rows that are all whole. */
export const toSpans = (rows: readonly WeekRow[]): WeekSchedule['spans'] =>
  weekdays.flatMap((day) =>
    spansOf(rows, day).map(({ from, until }) => ({
      day,
      from: timeOf(from),
      until: timeOf(until),
    })),
  );
