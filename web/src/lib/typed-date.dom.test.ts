import { afterAll, beforeAll, expect, test } from 'vitest';
import { everySentence } from '#testing/every-sentence.ts';
import { chooseLanguage, languages, translate, type Language } from './i18n.ts';
import { readDay, shownDay } from './typed-date.ts';

beforeAll(everySentence);
afterAll(() => chooseLanguage('en'));

const written: Readonly<Record<Language, string>> = {
  en: '11/03/2026',
  az: '03.11.2026',
  ru: '03.11.2026',
  tr: '03.11.2026',
};

test.each(languages)(
  'LNG-001 a date is written and read as in %s, and the field says how',
  async (language) => {
    await chooseLanguage(language);
    expect(shownDay('2026-11-03')).toBe(written[language]);
    expect(readDay(written[language])).toBe('2026-11-03');
    // In the hint stands a letter where the date has a digit, the year where it has its four.
    const format = translate('ui.date.format');
    expect(format.replaceAll(/\p{L}/gu, '0')).toBe(written[language].replaceAll(/\d/g, '0'));
    const yearAt = written[language].indexOf('2026');
    expect(new Set(format.slice(yearAt, yearAt + 4)).size).toBe(1);
  },
);

test('a date is read with any separators or none, and as ISO 8601 has it; what is no day is none', async () => {
  await chooseLanguage('en');
  for (const text of [
    '11/3/2026',
    ' 11-03-2026 ',
    '11 3 2026',
    '11032026',
    '2026-11-03',
    '2026-11-3',
  ]) {
    expect(readDay(text), text).toBe('2026-11-03');
  }
  for (const text of [
    '',
    '11/31/2026',
    '27/11/2026',
    '11/3/26',
    '11/2026',
    '2026-02-30',
    'today',
  ]) {
    expect(readDay(text), text).toBeNull();
  }
  expect(shownDay('')).toBe('');
  expect(shownDay('27/11')).toBe('27/11');
  await chooseLanguage('ru');
  expect(readDay('27/11/2026')).toBe('2026-11-27');
  expect(readDay('11/27/2026')).toBeNull();
});
