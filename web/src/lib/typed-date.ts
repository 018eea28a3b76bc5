/**
 * Days as people type them in the language of the page: `11/27/2026`, `27.11.2026`. The browser's own date fields write
 * in the language of the browser, which the reader may not have chosen.
 */
import { formatTime } from './format.ts';
import { isDay, momentOf } from './local-day.ts';

const numeric = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;

/** As the language writes it in digits; what is no day stays as it is. */
export const shownDay = (day: string): string =>
  isDay(day) ? formatTime(momentOf(day), numeric) : day;

type Part = 'year' | 'month' | 'day';

/** In which order the language writes the parts of a date. */
function order(): Part[] {
  const shown = shownDay('2033-11-22');
  const parts = { year: '2033', month: '11', day: '22' };
  const places = (['year', 'month', 'day'] as const).map((part) => ({
    part,
    at: shown.indexOf(parts[part]),
  }));
  return places.toSorted((a, b) => a.at - b.at).map(({ part }) => part);
}

const lengths: Readonly<Record<Part, string>> = {
  year: '(?<year>\\d{4})',
  month: '(?<month>\\d{1,2})',
  day: '(?<day>\\d{1,2})',
};
const iso = /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/;

function patterns(): RegExp[] {
  const parts = order().map((part) => lengths[part]);
  const digits = parts.join('').replaceAll('{1,2}', '{2}');
  return [new RegExp(`^${parts.join('\\s*[./\\s-]\\s*')}$`), new RegExp(`^${digits}$`), iso];
}

/**
 * `2026-11-27` of what was typed: in the order of the language, with any separators or none, or as ISO 8601 has it.
 * Null: that is no day.
 */
export function readDay(text: string): string | null {
  for (const pattern of patterns()) {
    const found = pattern.exec(text.trim())?.groups;
    if (!found) continue;
    const [month, day] = [found['month'], found['day']].map((part = '') => part.padStart(2, '0'));
    const read = `${found['year']}-${month}-${day}`;
    if (isDay(read)) return read;
  }
  return null;
}
