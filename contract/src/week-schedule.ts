/** Times of a week: when a camera is recorded, when a rule counts. */
import { z } from 'zod/mini';

const isTimeZone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
};

/** `24:00` ends a day. */
const TimeOfDay = z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/));

/** When something applies in a week, by the clocks of one place. A night is two spans. */
export const WeekSchedule = z.object({
  timeZone: z.string().check(z.maxLength(64), z.refine(isTimeZone)),
  spans: z
    .array(
      z
        .object({
          /** 1 is Monday. */
          day: z.int().check(z.gte(1), z.lte(7)),
          from: TimeOfDay,
          until: TimeOfDay,
        })
        .check(z.refine(({ from, until }) => from < until)),
    )
    .check(z.minLength(1), z.maxLength(70)),
});
export type WeekSchedule = z.infer<typeof WeekSchedule>;

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const minuteMs = 60_000;

/** Whether the moment is at one of these times. */
export function isScheduled({ timeZone, spans }: WeekSchedule, atMs: number): boolean {
  const { day, time } = clockOf(timeZone)(atMs);
  return spans.some((span) => span.day === day && span.from <= time && time < span.until);
}

interface ClockTime {
  /** 1 is Monday. */
  readonly day: number;
  /** `08:30`: its width is fixed, so that times compare as strings do. */
  readonly time: string;
}

type WallClock = (atMs: number) => ClockTime;

const clocks = new Map<string, WallClock>();

function clockOf(timeZone: string): WallClock {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = openClock(timeZone);
  clocks.set(timeZone, clock);
  return clock;
}

/** It keeps what it said last: hundreds of rules ask for the same minute of one place. */
function openClock(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  let last = { minute: Number.NaN, said: { day: 0, time: '' } };
  return (atMs) => {
    const minute = Math.floor(atMs / minuteMs);
    if (minute === last.minute) return last.said;
    const parts = format.formatToParts(new Date(atMs));
    const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
    const said = {
      day: days.indexOf(part('weekday')) + 1,
      time: `${part('hour')}:${part('minute')}`,
    };
    last = { minute, said };
    return said;
  };
}
