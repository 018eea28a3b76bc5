/** What a heatmap looks like, for when there is nothing to show (LDH-006): the same figures each time. Pure. */
import { byDays, byHours, weekdayOf } from './heat.ts';
import type { Scale } from './panels.ts';
import type { Period } from './period.ts';

/** Working hours of a working week. */
const ofHour = (weekday: number, hour: number): number =>
  Math.max(0, Math.round((weekday < 6 ? 12 : 3) - Math.abs(hour - 13) * 1.6));
const ofDay = (weekday: number): number => (weekday < 6 ? 90 - weekday * 4 : 20);

export function sampleCounts(scale: Scale, period: Period): Map<string, number> {
  if (scale === 'hour') {
    const cells = byHours(period).flatMap((line) => line.cells.flatMap((cell) => cell ?? []));
    return new Map(cells.map(({ weekday, hour }) => [`${weekday}-${hour}`, ofHour(weekday, hour)]));
  }
  const days = byDays(period).flatMap(({ cells }) => cells.flatMap((day) => day ?? []));
  return new Map(days.map((day) => [day, ofDay(weekdayOf(day))]));
}
