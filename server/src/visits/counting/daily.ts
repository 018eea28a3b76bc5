/**
 * Pages of days and people, the newest day first. The rows are counted day by day, until there are more than a user
 * pages through: 90 days of thousands of people are a million rows to be distinguished.
 */
import type { Counted } from '#db/bounded-page.ts';
import type { Scope } from '#http/scope.ts';
import { localDays, type Count } from './buckets.ts';
import type { CountFilter } from './counting-store.ts';
import type { DailyStore, DayRow, UnknownDay } from './daily-store.ts';
import type { Period } from './period.ts';

export interface AskedDays {
  readonly scope: Scope;
  readonly filter: CountFilter;
  readonly period: Period;
  /** Visits of unknown people, by the dates of a part of the period. */
  readonly unknownOn: (period: Period) => Promise<ReadonlyMap<string, number>>;
}

export interface DailyPage extends Counted {
  readonly rows: readonly (DayRow & { readonly date: string })[];
}

/** A day with its rows: known people, and all unknown people as one. */
interface Day {
  readonly date: string;
  readonly from: Date;
  readonly until: Date;
  readonly rows: number;
  readonly unknown: number;
}

/** Days that are counted at first: of a thousand people a day they are a third of what is counted. */
const firstDays = 3;

export async function dailyPage(
  store: DailyStore,
  asked: AskedDays,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  counted: number,
): Promise<DailyPage> {
  const days = await newestDays(store, asked, counted);
  const all = days.reduce((sum, { rows }) => sum + rows, 0);
  const count = Math.min(all, counted);
  const { before, touched } = touchedBy(days, offset, Math.min(offset + limit, count));
  const totals = { count, more: all > counted };
  if (touched.length === 0) return { ...totals, rows: [] };
  const cut = { offset: offset - before, limit: Math.min(limit, count - offset) };
  const oldestFirst = touched.toReversed();
  const starts = [...oldestFirst.map(({ from }) => from), touched[0]!.until];
  const unknown = oldestFirst.flatMap((day, index): UnknownDay[] =>
    day.unknown > 0 ? [{ day: index + 1, visits: day.unknown }] : [],
  );
  const rows = await store.page(asked.scope, asked.filter, starts, unknown, cut);
  return {
    ...totals,
    rows: rows.map((row) => ({ ...row, date: oldestFirst[row.day_index - 1]!.date })),
  };
}

/** The newest first, until they have more rows than are counted. */
async function newestDays(store: DailyStore, asked: AskedDays, counted: number): Promise<Day[]> {
  const starts = localDays(asked.period);
  const days: Day[] = [];
  let rows = 0;
  for (let left = starts.length; left > 0 && rows <= counted;) {
    const done = starts.length - left;
    const wanted =
      done === 0 ? firstDays : Math.ceil(((counted + 1 - rows) * done) / Math.max(rows, 1));
    const first = Math.max(0, left - wanted);
    const until = starts[left]?.from ?? asked.period.until;
    const some = await countDays(store, asked, starts.slice(first, left), until);
    days.push(...some.toReversed());
    rows += some.reduce((sum, day) => sum + day.rows, 0);
    left = first;
  }
  return days;
}

async function countDays(
  store: DailyStore,
  { scope, filter, period, unknownOn }: AskedDays,
  starts: readonly { readonly date: string; readonly from: Date }[],
  until: Date,
): Promise<Day[]> {
  const edges = [...starts.map(({ from }) => from), until];
  const people = await store.peopleOnDays(scope, filter, edges);
  const strangers = await unknownOn({ ...period, from: edges[0]!, until });
  return starts.map(({ date, from }, index) => {
    const unknown = strangers.get(date) ?? 0;
    const rows = (people.get(index + 1) ?? 0) + (unknown > 0 ? 1 : 0);
    return { date, from, until: edges[index + 1]!, rows, unknown };
  });
}

/** The days that have rows from `first` to before `end`, and how many rows are before those days. */
function touchedBy(days: readonly Day[], first: number, end: number) {
  let before = 0;
  let sum = 0;
  const touched = days.filter(({ rows }) => {
    const [from, until] = [sum, (sum += rows)];
    if (until <= first) before = until;
    return rows > 0 && until > first && from < end;
  });
  return { before, touched };
}

export const unknownVisits = (counts: ReadonlyMap<string, Count>): Map<string, number> =>
  new Map([...counts].map(([date, { visits, recognized }]) => [date, visits - recognized]));
