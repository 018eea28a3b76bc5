import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { languages } from '@nazar/contract/accounts.ts';
import { foldedText } from '@nazar/contract/folded-text.ts';
import { logWords } from './log-words.ts';
import { hasPattern } from './name-pattern.ts';
import { searchOf, spansOf } from './search-words.ts';

const letters = fc.string({ unit: fc.constantFrom('a', 'b', ' '), minLength: 1, maxLength: 6 });

test('~LOG-003 words are found in a sentence with a name exactly where they stand in it', () => {
  const sentence = fc.record({ before: letters, after: letters, name: letters, words: letters });
  fc.assert(
    fc.property(sentence, ({ before, after, name, words }) => {
      const spans = spansOf({ action: 'camera.deleted', before, after, to: null }, words);
      const found = spans.some(({ pattern }) => pattern === null || hasPattern(name, pattern));
      const isInside = name.includes(words);
      assert.equal(found || isInside, `${before}${name}${after}`.includes(words));
    }),
    { numRuns: 2_000 },
  );
});

test('~LOG-003 every sentence, type, field and value has words in each language, and is found by them', () => {
  for (const language of languages) {
    const { actions, types, tokens, named } = logWords(language);
    assert.ok(named.length > 60 && tokens.length > 100);
    for (const { text, recorded } of actions) {
      assert.ok(searchOf(text, language).actions.includes(recorded), `${language}: ${text}`);
    }
    for (const { text, recorded } of types) {
      assert.ok(searchOf(text, language).contentTypes.includes(recorded), `${language}: ${text}`);
    }
    for (const { text, recorded } of tokens) {
      assert.ok(searchOf(text, language).tokens.includes(recorded), `${language}: ${text}`);
    }
  }
});

test('~LOG-003 capitals of Turkish letters and separators of figures make no difference', () => {
  assert.equal(foldedText('İSTANBUL Kapısı'), 'istanbul kapisi');
  assert.equal(searchOf('10,000', 'en').digits, '10000');
  assert.equal(searchOf('1\u00a0234\u00a0567', 'ru').digits, '1234567');
  assert.equal(searchOf('192.0.2.7', 'en').digits, null);
  assert.equal(searchOf('7 cameras', 'en').digits, null);
});
