import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { shortestBytes, WordSearch } from './word-search.ts';

test('finds the same words as looking for each of them, at the ends and within each other too', () => {
  // Two letters, so that much is nearly a word; the words are parts of the text, whole or with one letter changed.
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 40, maxLength: 80 });
  const part = fc.record({
    from: fc.nat(30),
    length: fc.integer({ min: shortestBytes, max: 30 }),
    changed: fc.option(fc.nat(29)),
  });
  fc.assert(
    fc.property(text, fc.array(part, { maxLength: 12 }), (whole, parts) => {
      const words = parts.map(({ from, length, changed }) => {
        const word = whole.slice(from, from + length).padEnd(shortestBytes, 'c');
        return changed === null ? word : `${word.slice(0, changed)}c${word.slice(changed + 1)}`;
      });
      const search = new WordSearch<string>();
      for (const word of words) search.add(Buffer.from(word), word);
      const found = [...search.in(Buffer.from(whole))].toSorted();
      const expected = new Set(words.filter((word) => whole.includes(word)));
      assert.deepEqual(found, [...expected].toSorted());
    }),
    { numRuns: 500 },
  );
});

test('a word that came twice has both its meanings', () => {
  const search = new WordSearch<number>();
  search.add(Buffer.from('correct-horse'), 1);
  search.add(Buffer.from('correct-horse'), 2);
  assert.deepEqual(search.in(Buffer.from('a correct-horse')), new Set([1, 2]));
  assert.equal(search.longest, 13);
});
