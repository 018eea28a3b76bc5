/** A moment as it is typed: `01/14/2026 08:30`, `01/14/2026 08:30:05`, or only `08:30` of the day in sight. */
import { readDay, shownDay } from '#lib/typed-date.ts';
import { momentsAt, wallMs } from './zone-time.ts';

/** Not a time at all; none that clocks of the zone show on that day; one that is still to come. */
export type TypedFault = 'unreadable' | 'skipped' | 'future';
export type Typed = { readonly ms: number } | { readonly fault: TypedFault };

const pattern =
  /^(?:(?<date>.+?)(?:\s*,\s*|\s+|T))?(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?$/;
const dayMs = 24 * 60 * 60_000;

export function typedMoment(
  text: string,
  { timezone, nearMs, nowMs }: { timezone: string; nearMs: number; nowMs: number },
): Typed {
  const parts = pattern.exec(text.trim())?.groups;
  if (parts === undefined) return { fault: 'unreadable' };
  const day =
    parts['date'] === undefined
      ? Math.floor(wallMs(nearMs, timezone) / dayMs) * dayMs
      : dayWall(parts['date']);
  const [hour, minute] = [Number(parts['hour']), Number(parts['minute'])];
  const second = Number(parts['second'] ?? 0);
  if (day === null || hour > 23 || minute > 59 || second > 59) return { fault: 'unreadable' };
  const [ms] = momentsAt(day + ((hour * 60 + minute) * 60 + second) * 1000, timezone);
  if (ms === undefined) return { fault: 'skipped' };
  return ms > nowMs ? { fault: 'future' } : { ms };
}

/** Null: there is no such day. */
function dayWall(date: string): number | null {
  const day = readDay(date);
  return day === null ? null : Date.parse(`${day}T00:00:00Z`);
}

/** As it is typed. */
export function shownMoment(ms: number, timezone: string): string {
  const wall = new Date(wallMs(ms, timezone)).toISOString();
  return `${shownDay(wall.slice(0, 10))} ${wall.slice(11, 19)}`;
}
