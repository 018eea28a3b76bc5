/** How a language writes numbers, times and lists: by Intl, or by our own data where the browser has none of it. */
import type { Formats } from './language-formats.ts';

function ofBrowser(language: string): Formats {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return {
    number(options) {
      const format = new Intl.NumberFormat(language, options);
      return (value) => format.format(value);
    },
    time(options) {
      const format = new Intl.DateTimeFormat(language, options);
      return (at) => format.format(at);
    },
    ago: (value, unit) => relative.format(value, unit),
    list: (parts) => new Intl.ListFormat(language, { type: 'conjunction' }).format(parts),
  };
}

const made = new Map<string, Formats>();

/** Without data for a language a browser names its months M1 to M12. */
export const isKnown = (language: string): boolean =>
  !new Intl.DateTimeFormat(language, { month: 'long' }).format(0).startsWith('M0');

/** Called before anything is shown in a language. */
export async function prepareFormats(language: string): Promise<void> {
  if (language !== 'az' || made.has(language) || isKnown(language)) return;
  made.set(language, (await import('./azerbaijani.ts')).azerbaijani);
}

export function formatsOf(language: string): Formats {
  const formats = made.get(language) ?? ofBrowser(language);
  made.set(language, formats);
  return formats;
}
