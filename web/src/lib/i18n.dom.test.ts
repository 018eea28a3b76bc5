/** Numbers in sentences: a count is grouped as the language does, and nothing else is. */
import { expect, test } from 'vitest';
import { needSentences, showLanguage, translate } from './i18n.ts';

test('a count is grouped as the language does, and its plural form is of the number', async () => {
  await needSentences('every');
  const visits = (count: number): string => translate('panels.countVisits', { count });
  expect(visits(1)).toBe('1 visit');
  expect(visits(1410)).toBe('1,410 visits');
  await showLanguage('ru');
  expect(visits(1422)).toBe('1\u00a0422 появления');
  await showLanguage('tr');
  expect(visits(1410)).toBe('1.410 görülme');
});
