/** Finds the sentences, fields and values of the log that contain the words of a search, in one language. */
import type { Language } from '@nazar/contract/accounts.ts';
import { contentTypes } from '@nazar/contract/activity.ts';
import { foldedText } from '@nazar/contract/folded-text.ts';
import { objectTypes } from '../entry.ts';
import { logWords, type NamedSentence } from './log-words.ts';
import type { NamePattern, Search, Span } from './rows.ts';

const knownTypes: readonly string[] = [...new Set<string>([...objectTypes, ...contentTypes])];

export function searchOf(words: string, language: Language): Search {
  const wanted = foldedText(words);
  const has = ({ text }: { readonly text: string }): boolean => text.includes(wanted);
  const { actions, types, tokens, named } = logWords(language);
  const spans = named.flatMap((sentence) => spansOf(sentence, wanted));
  return {
    words,
    actions: unique([
      ...actions.filter(has).map(({ recorded }) => recorded),
      ...spans.filter(({ pattern, to }) => pattern === null && to === null).map(actionOf),
    ]),
    contentTypes: unique([
      ...types.filter(has).map(({ recorded }) => recorded),
      ...knownTypes.filter((type) => type.includes(wanted)),
    ]),
    tokens: tokens.filter(has).map(({ recorded }) => recorded),
    spans: spans.filter(({ pattern, to }) => pattern !== null || to !== null),
    digits: digitsOf(words),
  };
}

const actionOf = ({ action }: Span): string => action;
const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];

/** "10,000" and "10 000" are displayed forms of 10000. */
function digitsOf(words: string): string | null {
  const digits = words.replaceAll(/(?<=\d)[,.\s\u00a0\u202f](?=\d{3}(?:\D|$))/g, '');
  return digits === words ? null : digits;
}

/** Where a sentence contains the words: beside the name, or across an end of it, so that the name has the rest. */
export function spansOf({ action, before, after, to }: NamedSentence, words: string): Span[] {
  if (before.includes(words) || after.includes(words)) return [{ action, to, pattern: null }];
  const patterns: NamePattern[] = [];
  // `start` letters of the words end the text before the name; `end` letters begin the text after it.
  for (let start = 0; start < words.length; start += 1) {
    if (!before.endsWith(words.slice(0, start))) continue;
    for (let end = 0; start + end < words.length; end += 1) {
      if (start + end === 0 || !after.startsWith(words.slice(words.length - end, words.length)))
        continue;
      const text = words.slice(start, words.length - end);
      patterns.push({ text, begins: start > 0, ends: end > 0 });
    }
  }
  return patterns.map((pattern) => ({ action, to, pattern }));
}
