import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as check, constantFrom, property } from 'fast-check';
import { isolated } from '@nazar/contract/text-direction.ts';
import { connectionSentence } from '#http/sentences.ts';

const marks = ['\u200e', '\u200f', '\u061c', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'];
const isolates = ['\u2066', '\u2067', '\u2068', '\u2069'];
const letters = ['a', 'Ə', 'ж', '7', ' ', '(', '!', 'ד', 'ل', '\u{1e900}', '😀'];
const text = array(constantFrom(...letters, ...marks, ...isolates), { maxLength: 24 }).map(
  (parts) => parts.join(''),
);

/** How deep marks of isolation lead, from sign to sign. */
function depths(value: string): number[] {
  let depth = 0;
  return Array.from(value, (sign) => {
    if ('\u2066\u2067\u2068'.includes(sign)) depth += 1;
    if (sign === '\u2069') depth -= 1;
    return depth;
  });
}

test('whatever a name holds, it is closed in itself: nothing before or behind it is inside, or turned', () => {
  check(
    property(text, (name) => {
      const shown = isolated(name);
      assert.equal(isolated(name).replace(/[\u202a-\u202e\u2066-\u2069]/g, ''), seenOf(name));
      assert.doesNotMatch(shown, /[\u202a-\u202e]/);
      if (/^[aƏж7 (!😀]*$/u.test(name)) return assert.equal(shown, name);
      const way = depths(shown);
      assert.deepEqual([way[0], way.at(-1)], [1, 0], JSON.stringify(shown));
      assert.ok(way.slice(0, -1).every((depth) => depth > 0));
    }),
    { numRuns: 2_000 },
  );
});

const seenOf = (name: string): string => name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

test('parts that were joined stay apart inside of a sentence', () => {
  const both = `${isolated('דוד')}, ${isolated('Anna')}`;
  assert.equal(isolated(both), `\u2068${both}\u2069`);
  assert.equal(isolated('\u2069\u202eדוד\u2068'), '\u2068דוד\u2069');
});

test('sentences of the server keep names of users apart, and name them as they are otherwise', () => {
  const about = (name: string): string => connectionSentence('en', 'connected', name);
  assert.match(about('\u202egpj.Gate'), /\u2068gpj\.Gate\u2069/);
  assert.ok(about('Gate "B" & <i>').includes('Gate "B" & <i>'));
});
