/** What stands on buttons, tabs and titles, in the languages that have no stated texts. */
import azerbaijani from '@nazar/i18n/az/app.json';
import english from '@nazar/i18n/en/app.json';
import russian from '@nazar/i18n/ru/app.json';
import turkish from '@nazar/i18n/tr/app.json';
import { expect, test } from 'vitest';

const names = new Set(['Nazar', 'Frigate', 'Home', 'Assistant']);

function textsOf(tree: object, before = ''): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? textsOf(value, `${before}${name}.`)
      : [[`${before}${name}`, String(value)] as [string, string]],
  );
}

/** Sentences may name a place by its title; a label is none. */
const isLabel = (text: string): boolean => !/[.,?!]/.test(text);

const inTitleCase = (tree: object): string[] =>
  textsOf(tree)
    .filter(([, text]) => isLabel(text))
    .filter(([, text]) => {
      const later = [...text.matchAll(/(?<=[\p{L}\d] )\p{Lu}\p{Ll}+(?!\p{Lu})/gu)];
      return later.some(([word]) => !names.has(word));
    })
    .map(([, text]) => text);

/** Beside it in a question, such a button would be pressed by those who want the opposite. */
const likeCancel = (tree: { readonly ui: { readonly cancel: string } }): string[] =>
  textsOf(tree)
    .filter(([key, text]) => key !== 'ui.cancel' && text === tree.ui.cancel)
    .map(([key]) => key);

test('labels are in sentence case where no text is stated', () => {
  for (const tree of [azerbaijani, russian, turkish]) expect(inTitleCase(tree)).toEqual([]);
  const some = { a: 'Kaydı Başlat', b: 'Nazar’a git', c: { d: 'Önce Nazar' } };
  expect(inTitleCase(some)).toEqual(['Kaydı Başlat']);
});

test('no other button says what Cancel says', () => {
  for (const tree of [english, azerbaijani, russian, turkish]) expect(likeCancel(tree)).toEqual([]);
  const { ui, ...others } = english;
  const doubled = { ...others, ui: { ...ui, save: ui.cancel } };
  expect(likeCancel(doubled)).toEqual(['ui.save']);
});
