import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldedText } from './folded-text.ts';

test('names are the same whatever their capitals, in the letters of every language', () => {
  const same = [
    ['Elvin Əliyev', 'ELVİN ƏLİYEV', 'elvin əliyev'],
    ['Işıq', 'IŞIQ', 'ışıq', 'İşiq'],
    ['Иван Щукин', 'ИВАН ЩУКИН', 'иван щукин'],
    ['Ğüç Öz', 'ĞÜÇ ÖZ', 'ğüç öz'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
  ];
  for (const [name = '', ...others] of same) {
    for (const other of others) assert.equal(foldedText(other), foldedText(name));
  }
  assert.notEqual(foldedText('Əli'), foldedText('Eli'));
  assert.notEqual(foldedText('Иван'), foldedText('Йван'));
});

test('a folded text is as long as the text, so that places in it are those of the text', () => {
  const letters = Array.from({ length: 0x11_00_00 }, (_, code) => String.fromCodePoint(code));
  const others = letters.filter((letter) => foldedText(letter).length !== letter.length);
  assert.deepEqual(others, []);
});
