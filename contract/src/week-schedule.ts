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
