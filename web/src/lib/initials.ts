import { currentLanguage } from './i18n.ts';

/** What a reader takes for one letter, whatever it is made of. */
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function firstLetter(name: string): string {
  for (const { segment } of letters.segment(name.trim())) return segment;
  return '';
}

/** The first letters of both names, or EA for a person without a name. */
export function initials(firstName: string, lastName: string): string {
  const both = firstLetter(firstName) + firstLetter(lastName);
  return both === '' ? 'EA' : both.toLocaleUpperCase(currentLanguage());
}
