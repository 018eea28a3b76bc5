/** When a snooze may end, by the clock of the reader. Pure. */
import { dayAfter, dayOf, timesOf } from '#lib/local-day.ts';

export const lengths = ['quarter', 'hour', 'morning'] as const;
export type Length = (typeof lengths)[number];

const minuteMs = 60_000;
const morningHour = 7;

/** The next seven in the morning, also on a day on which clocks are changed. */
function nextMorning(nowMs: number): Date {
  const today = dayOf(nowMs);
  const morning = morningOf(today);
  return morning.getTime() > nowMs ? morning : morningOf(dayAfter(today, 1));
}

function morningOf(day: string): Date {
  const at = new Date(timesOf(day).fromMs);
  at.setHours(morningHour, 0, 0, 0);
  return at;
}

export function endOf(length: Length, nowMs: number): Date {
  if (length === 'morning') return nextMorning(nowMs);
  return new Date(nowMs + (length === 'quarter' ? 15 : 60) * minuteMs);
}
