/** Numbers in sentences: amounts are grouped as the language does, and nothing else is. */
import app from '@nazar/i18n/en/app.json';
import { expect, test } from 'vitest';
import { formatList } from './format.ts';
import { needSentences, showLanguage, translate } from './i18n.ts';
import { joined } from './joined.ts';

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

test('limits and pages are grouped too; a line and a status stand as they are', async () => {
  await needSentences('every');
  await showLanguage('en');
  expect(translate('problem:field.too_long', { max: 10_000 })).toBe(
    'Too long. Maximum number of characters: 10,000.',
  );
  expect(translate('activityLog.pageOf', { page: 1000, pages: 12_345 })).toBe(
    'Showing page 1,000 of 12,345',
  );
  expect(translate('problem:field.too_big', { max: '0.5' })).toBe('The highest value is 0.5.');
  expect(translate('problem:problem.import_unreadable', { line: 1204 })).toContain('line 1204.');
  await showLanguage('az');
  expect(translate('problem:field.too_big', { max: 65_535 })).toContain('65.535');
});

test('a name that turns text is an island in sentences, lists and lines, and others stand as they are', async () => {
  await needSentences('every');
  await showLanguage('en');
  const [turned, island] = ['\u202eAnna', '\u2068Anna\u2069'];
  const ofTwo = (name: string): string => translate('access.groupOf', { name });
  expect(ofTwo(turned)).toBe(ofTwo('Anna').replace('Anna', island));
  expect(formatList([turned, 'Ali'])).toBe(`${island} and Ali`);
  expect(joined([turned, null, '', 'Gate'])).toBe(`${island} · Gate`);
  expect(joined(['דוד', 'Ali'], ', ')).toBe('\u2068דוד\u2069, Ali');
});

test('each key leads to its sentence, whatever its letters are: scopes of API keys have a colon', async () => {
  await needSentences('every');
  await showLanguage('en');
  const keysOf = (tree: object, before: string): string[] =>
    Object.entries(tree).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? keysOf(value, `${before}${name}.`)
        : [`${before}${name}`],
    );
  const said = (key: string): unknown => translate(key as never, {} as never);
  const missing = keysOf(app, '').filter((key) => said(key) === key);
  expect(missing).toEqual([]);
  expect(translate('keys.scope.cameras:read')).toBe('View cameras');
});
