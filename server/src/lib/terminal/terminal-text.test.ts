/** What commands print: text of others can neither move the cursor nor begin a line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesShown, shown } from './terminal-text.ts';

test('letters of every script are shown as they are, with single spaces', () => {
  for (const text of ['Qapı № 3', 'Вход со двора', 'C:\\video\\gate.mp4', 'שלום', '門 👁']) {
    assert.equal(shown`${text}`.text, text);
  }
});

test('C-805 characters that move a terminal, turn text round or are not seen are shown by their number', () => {
  const cases: [string, string][] = [
    ['\u001b[2J\u001b]0;title\u0007', '\\x1b[2J\\x1b]0;title\\x07'],
    ['Gate\nWhole', 'Gate\\x0aWhole'],
    ['Gate\rWhole\tx', 'Gate\\x0dWhole\\x09x'],
    ['\u009b31m\u0085', '\\x9b31m\\x85'],
    ['a\u202eb\u2066c\u200bd\u00ade\ufeff', 'a\\u202eb\\u2066c\\u200bd\\xade\\ufeff'],
    ['a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
    ['\ud800', '\\ud800'],
    ['\u{e0041}', '\\u{e0041}'],
    ['Gate   Whole', 'Gate \\x20\\x20Whole'],
    ['a\u3000\u00a0\u2800b', 'a\\u3000\\xa0\\u2800b'],
  ];
  for (const [text, expected] of cases) assert.equal(shown`${text}`.text, expected);
});

test('the words of the command itself stay, and what was shown once is not escaped again', () => {
  const row = shown`  ${'a\nb'}\n`;
  assert.equal(
    shown`Rows:\n${row}${3} of ${[row, row]}`.text,
    'Rows:\n  a\\x0ab\n3 of   a\\x0ab\n\n  a\\x0ab\n',
  );
});

test('C-805 a sentence of several lines keeps them, and nothing else that moves a terminal', () => {
  assert.equal(linesShown('one\n  two\u001b[A\r\n').text, 'one\n  two\\x1b[A\\x0d\n');
});
