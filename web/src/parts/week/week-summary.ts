/** A week table in a few words: the days that have the same times are named once. Pure. */
import type { WeekSchedule } from '@nazar/contract/week-schedule.ts';

export interface DaysAlike {
  readonly firstDay: number;
  readonly lastDay: number;
  /** Such as `22:00–24:00`, in their order. */
  readonly times: readonly string[];
}

/** Days that follow one another and have the same times, Monday first. */
export function daysAlike({ spans }: Pick<WeekSchedule, 'spans'>): DaysAlike[] {
  const found: DaysAlike[] = [];
  for (let day = 1; day <= 7; day += 1) {
    const times = spans
      .filter((span) => span.day === day)
      .map(({ from, until }) => `${from}–${until}`)
      .toSorted();
    const before = found.at(-1);
    if (times.length === 0) continue;
    if (before?.lastDay === day - 1 && before.times.join() === times.join()) {
      found[found.length - 1] = { ...before, lastDay: day };
    } else found.push({ firstDay: day, lastDay: day, times });
  }
  return found;
}
