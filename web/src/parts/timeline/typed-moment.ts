/** A moment as somebody types it: `2026-01-14 08:30`, `2026-01-14 08:30:05`, or only `08:30` of the day in sight. Pure. */
import { momentsAt, wallMs } from './zone-time.ts';

/** Not a time at all; none that clocks of the zone show on that day; one that is still to come. */
export type TypedFault = 'unreadable' | 'skipped' | 'future';
export type Typed = { readonly ms: number } | { readonly fault: TypedFault };

const pattern =
  /^(?:(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})[ T]+)?(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?$/;
const dayMs = 24 * 60 * 60_000;

export function typedMoment(
  text: string,
  { timezone, nearMs, nowMs }: { timezone: string; nearMs: number; nowMs: number },
): Typed {
  const parts = pattern.exec(text.trim())?.groups;
  if (parts === undefined) return { fault: 'unreadable' };
  const day =
    parts['year'] === undefined
      ? Math.floor(wallMs(nearMs, timezone) / dayMs) * dayMs
      : dayWall(Number(parts['year']), Number(parts['month']), Number(parts['day']));
  const [hour, minute] = [Number(parts['hour']), Number(parts['minute'])];
  const second = Number(parts['second'] ?? 0);
  if (day === null || hour > 23 || minute > 59 || second > 59) return { fault: 'unreadable' };
  const [ms] = momentsAt(day + ((hour * 60 + minute) * 60 + second) * 1000, timezone);
  if (ms === undefined) return { fault: 'skipped' };
  return ms > nowMs ? { fault: 'future' } : { ms };
}

/** Null: there is no such day. */
function dayWall(year: number, month: number, day: number): number | null {
  const wall = Date.UTC(year, month - 1, day);
  const at = new Date(wall);
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day ? wall : null;
}

/** As it is typed. */
export const shownMoment = (ms: number, timezone: string): string =>
  new Date(wallMs(ms, timezone)).toISOString().slice(0, 19).replace('T', ' ');
