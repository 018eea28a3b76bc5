/**
 * Numbers, times and lists in Azerbaijani for browsers that were built without its data: Chromium and Chrome say
 * "2026 M11 23" and "-10 s". Turkish has the same digits, separators and order of a date; names and units are put in.
 */
import type { Formats } from './language-formats.ts';

type NameStyle = 'long' | 'short';

const months: Readonly<Record<NameStyle, string>> = {
  long: 'yanvar fevral mart aprel may iyun iyul avqust sentyabr oktyabr noyabr dekabr',
  short: 'yan fev mar apr may iyn iyl avq sen okt noy dek',
};
/** From Sunday on. */
const weekdays: Readonly<Record<NameStyle, string>> = {
  long: 'bazar|bazar ertəsi|çərşənbə axşamı|çərşənbə|cümə axşamı|cümə|şənbə',
  short: 'B.|B.E.|Ç.A.|Ç.|C.A.|C.|Ş.',
};
const units: Readonly<Record<string, string>> = {
  second: 'saniyə',
  minute: 'dəqiqə',
  hour: 'saat',
  day: 'gün',
};
const shortUnits: Readonly<Record<string, string>> = { second: 'san', minute: 'dəq' };
const dayMs = 24 * 60 * 60_000;

/** The Turkish name of each month and weekday, and the Azerbaijani one. */
const names = new Map<string, string>();
for (const style of ['long', 'short'] as const) {
  const month = new Intl.DateTimeFormat('tr', { day: 'numeric', month: style, timeZone: 'UTC' });
  for (const [index, name] of months[style].split(' ').entries()) {
    names.set(partOf(month, Date.UTC(2026, index, 15), 'month'), name);
  }
  const weekday = new Intl.DateTimeFormat('tr', { weekday: style, timeZone: 'UTC' });
  for (const [index, name] of weekdays[style].split('|').entries()) {
    // 4 January 2026 was a Sunday.
    names.set(partOf(weekday, Date.UTC(2026, 0, 4) + index * dayMs, 'weekday'), name);
  }
}

function partOf(format: Intl.DateTimeFormat, at: number, type: string): string {
  return format.formatToParts(at).find((part) => part.type === type)?.value ?? '';
}

export const azerbaijani: Formats = {
  number(options) {
    const { style, unit, ...plain } = options;
    if (style !== 'percent' && style !== 'unit') {
      const format = new Intl.NumberFormat('tr', options);
      return (value) => format.format(value);
    }
    const format = new Intl.NumberFormat('tr', plain);
    if (style === 'percent') return (value) => `${format.format(value * 100)}%`;
    return (value) => `${format.format(value)} ${shortUnits[unit ?? ''] ?? unit}`;
  },
  time(options) {
    const format = new Intl.DateTimeFormat('tr', options);
    return (at) =>
      format
        .formatToParts(at)
        .map(({ type, value }) =>
          type === 'month' || type === 'weekday' ? (names.get(value) ?? value) : value,
        )
        .join('');
  },
  ago: (value, unit) => {
    if (value === 0) return unit === 'day' ? 'bu gün' : 'indi';
    if (unit === 'day' && value === -1) return 'dünən';
    return `${Math.abs(value)} ${units[unit]} ${value < 0 ? 'öncə' : 'ərzində'}`;
  },
  list: (parts) => [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(' və '),
};
