/** Quiet hours in the days of their user. Pure. */
import { zoneOffsets, type OffsetPiece } from '#lib/zone-offsets.ts';
import type { Wishes } from '../settings/wishes.ts';

const dayMs = 24 * 60 * 60_000;

export type QuietHours = Pick<Wishes, 'quiet_from' | 'quiet_to' | 'quiet_days'>;

/** When the quiet hours in which that moment lies are over; null: it lies in none. Throws time_zone_unknown. */
export function quietUntil(
  { quiet_from, quiet_to, quiet_days }: QuietHours,
  nowMs: number,
  timeZone: string,
): number | null {
  if (quiet_from === null || quiet_to === null) return null;
  const pieces = zoneOffsets(timeZone, nowMs - 2 * dayMs, nowMs + 2 * dayMs);
  const now = pieces.find(({ fromMs, untilMs }) => fromMs <= nowMs && nowMs < untilMs)!;
  // Times as the clocks of the place show them, counted as if they were in UTC.
  const shownMs = nowMs + now.offsetMs;
  const todayMs = Math.floor(shownMs / dayMs) * dayMs;
  const [from, to] = [msOf(quiet_from), msOf(quiet_to)];
  for (const day of [todayMs, todayMs - dayMs]) {
    const endMs = day + to + (to > from ? 0 : dayMs);
    const isIn = day + from <= shownMs && shownMs < endMs;
    if (isIn && quiet_days.includes(weekdayOf(day))) return momentOf(endMs, nowMs, pieces);
  }
  return null;
}

const msOf = (time: string): number => Date.parse(`1970-01-01T${time}:00Z`);

/** 1: Monday, 7: Sunday. */
const weekdayOf = (dayMsShown: number): number => new Date(dayMsShown).getUTCDay() || 7;

/** The first moment after now at which clocks show that time, or a later one where it was skipped. */
function momentOf(shownMs: number, nowMs: number, pieces: readonly OffsetPiece[]): number {
  for (const { fromMs, untilMs, offsetMs } of pieces) {
    const atMs = Math.max(shownMs - offsetMs, fromMs, nowMs);
    if (atMs < untilMs) return atMs;
  }
  return shownMs;
}
