/** Whether a weekly schedule applies at that moment, by the clocks of its place. Pure. */
import type { WeekSchedule } from '@nazar/contract/week-schedule.ts';

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const formats = new Map<string, Intl.DateTimeFormat>();

export function isScheduled({ timeZone, spans }: WeekSchedule, atMs: number): boolean {
  const parts = formatOf(timeZone).formatToParts(new Date(atMs));
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  const day = days.indexOf(part('weekday')) + 1;
  // The width is fixed, so that times compare as strings do.
  const time = `${part('hour')}:${part('minute')}`;
  return spans.some((span) => span.day === day && span.from <= time && time < span.until);
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, format);
  return format;
}
