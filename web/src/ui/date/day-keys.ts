import { dayAfter, dayInMonth, momentOf } from '#lib/local-day.ts';

/** Where a key leads from a day in a grid of dates (ARIA authoring practices); null: it is no key of the grid. */
export function dayByKey(key: string, withShift: boolean, day: string): string | null {
  const weekday = (momentOf(day).getDay() + 6) % 7;
  const months = withShift ? 12 : 1;
  switch (key) {
    case 'ArrowLeft':
      return dayAfter(day, -1);
    case 'ArrowRight':
      return dayAfter(day, 1);
    case 'ArrowUp':
      return dayAfter(day, -7);
    case 'ArrowDown':
      return dayAfter(day, 7);
    case 'Home':
      return dayAfter(day, -weekday);
    case 'End':
      return dayAfter(day, 6 - weekday);
    case 'PageUp':
      return dayInMonth(day, -months);
    case 'PageDown':
      return dayInMonth(day, months);
    default:
      return null;
  }
}
