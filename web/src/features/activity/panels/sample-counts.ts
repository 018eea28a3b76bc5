/** What a heatmap looks like, for when there is nothing to show: fifty visits, the same each time. Pure. */
import { weekdayOf } from './heat.ts';
import type { Scale } from './panels.ts';
import { daysOf, type Period } from './period.ts';

/** Sample data have so many entries (LOG-050). */
const entries = 50;
/** Hours of a working day: one that is listed twice has twice as many visits. */
const hours = [8, 8, 9, 9, 12, 13, 13, 16, 17, 18] as const;
/** Each entry's day is so many after that of the one before: prime, so that all days of a period are met. */
const stride = 11;

function sampleVisits(period: Period): { day: string; hour: number }[] {
  const days = daysOf(period);
  return Array.from({ length: entries }, (_, index) => ({
    day: days[(index * stride) % days.length]!,
    hour: hours[index % hours.length]!,
  }));
}

export function sampleCounts(scale: Scale, period: Period): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { day, hour } of sampleVisits(period)) {
    const key = scale === 'hour' ? `${weekdayOf(day)}-${hour}` : day;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
