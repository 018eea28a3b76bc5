/** From counts by quarters of hours to counts by the days and hours of a reader's clocks. Pure. */
import { zoneOffsets, type OffsetPiece } from '#lib/zone-offsets.ts';
import type { Period } from './period.ts';

export interface Count {
  readonly visits: number;
  readonly recognized: number;
}

/** Visits that began from this moment on, for a quarter of an hour or, where that is fine enough, an hour. */
export interface Bucket extends Count {
  readonly atMs: number;
}

export type TimeKey = 'hour' | 'day' | 'weekday_hour';

export const quarterMs = 15 * 60_000;
const hourMs = 4 * quarterMs;

/** What each key counts; keys without visits are there too. Oldest first, weekdays from Monday as 1. */
export function byTime(
  by: TimeKey,
  period: Period,
  buckets: readonly Bucket[],
): Map<string, Count> {
  const pieces = piecesOf(period);
  const keyOf = keys[by];
  const counts = new Map<number, Count>();
  if (by === 'weekday_hour') for (let hour = 0; hour < weekHours; hour += 1) counts.set(hour, none);
  else for (const { ms, offsetMs } of quarters(pieces)) counts.set(keyOf(ms, offsetMs), none);
  for (const { atMs, visits, recognized } of buckets) {
    const piece = pieces.find(({ untilMs }) => atMs < untilMs) ?? pieces.at(-1)!;
    const key = keyOf(atMs, piece.offsetMs);
    const before = counts.get(key) ?? none;
    counts.set(key, {
      visits: before.visits + visits,
      recognized: before.recognized + recognized,
    });
  }
  return new Map([...counts].map(([key, count]) => [names[by](key), count]));
}

/** The days that a period touches, the oldest first, each from when it begins or the period does. */
export function localDays(period: Period): { date: string; from: Date }[] {
  const days: { date: string; from: Date }[] = [];
  let day = Number.NaN;
  for (const { ms, offsetMs } of quarters(piecesOf(period))) {
    const now = keys.day(ms, offsetMs);
    if (now === day) continue;
    day = now;
    days.push({ date: names.day(day), from: new Date(Math.max(ms, period.from.getTime())) });
  }
  return days;
}

/**
 * The quarter of an hour of UTC with which hours there begin; 0 where they are the same. Null where that changes in the
 * period: then buckets of a quarter are exact, because clocks are ahead of UTC by a multiple of 15 minutes everywhere
 * since 1972.
 */
export function hourStart({ from, until, timeZone }: Period): number | null {
  const starts = zoneOffsets(timeZone, from.getTime(), until.getTime()).map(
    ({ offsetMs }) => ((floorTo(hourMs, offsetMs) + hourMs - offsetMs) / quarterMs) % 4,
  );
  return new Set(starts).size === 1 ? starts[0]! : null;
}

export const floorTo = (unitMs: number, ms: number): number => Math.floor(ms / unitMs) * unitMs;

const none: Count = { visits: 0, recognized: 0 };
const dayMs = 24 * hourMs;
const weekHours = 7 * 24;

/** Numbers, because a period has thousands of quarters and few keys. */
const keys: Readonly<Record<TimeKey, (ms: number, offsetMs: number) => number>> = {
  hour: (ms, offsetMs) => floorTo(hourMs, ms + offsetMs) - offsetMs,
  day: (ms, offsetMs) => floorTo(dayMs, ms + offsetMs),
  // 1970 began on a Thursday, the fourth day.
  weekday_hour: (ms, offsetMs) => (Math.floor((ms + offsetMs) / hourMs) + 3 * 24) % weekHours,
};
const names: Readonly<Record<TimeKey, (key: number) => string>> = {
  hour: (key) => new Date(key).toISOString(),
  day: (key) => new Date(key).toISOString().slice(0, 10),
  weekday_hour: (key) => `${Math.floor(key / 24) + 1}-${key % 24}`,
};

/** From the quarter in which it begins. */
const piecesOf = ({ from, until, timeZone }: Period): OffsetPiece[] =>
  zoneOffsets(timeZone, floorTo(quarterMs, from.getTime()), until.getTime());

function* quarters(
  pieces: readonly OffsetPiece[],
): Generator<{ readonly ms: number; readonly offsetMs: number }> {
  for (const { fromMs, untilMs, offsetMs } of pieces) {
    for (let ms = fromMs; ms < untilMs; ms += quarterMs) yield { ms, offsetMs };
  }
}
