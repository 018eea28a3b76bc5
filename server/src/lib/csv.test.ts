import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { csvRow } from './csv.ts';

/** A parser of RFC 4180 of its own: rows of cells, quotes undone. */
function parse(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < csv.length) {
    let cell = '';
    if (csv[at] === '"') {
      for (at += 1; csv[at] !== '"' || csv[at + 1] === '"'; at += 1) {
        if (csv[at] === '"') at += 1;
        cell += csv[at];
      }
      at += 1;
    } else {
      while (at < csv.length && !',\r'.includes(csv[at]!)) cell += csv[at++];
    }
    row.push(cell);
    if (csv[at] === ',') at += 1;
    else {
      assert.equal(csv.slice(at, at + 2), '\r\n');
      at += 2;
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

/** What a spreadsheet evaluates, once it has dropped what it drops in front. */
const isFormula = (cell: string): boolean =>
  /^[\s\u200b-\u200f\ufeff\0]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(cell);
const written = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell);

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '＝', '\t', '\r', '\n', "'", '"', ',', ';', ' ', 'a'),
  }),
  fc.constantFrom(
    '=cmd|/c calc',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '＝1+1',
    ' =1',
    "'=1",
    '\u200b=1',
    '\ufeff=1',
    '\0=1',
  ),
);

test('C-709 any text read again is the text that was written, and no cell is a formula', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(nasty, { minLength: 2, maxLength: 5 }), { maxLength: 5 }),
      (rows) => {
        const read = parse(rows.map(csvRow).join(''));
        assert.deepEqual(
          read.map((row) => row.map(written)),
          rows,
        );
        assert.deepEqual(read.flat().filter(isFormula), []);
      },
    ),
    { numRuns: 500 },
  );
});

test('C-709 figures and nothing are written as they are', () => {
  assert.equal(csvRow([-5, 0.5, true, null, 'a,"b"', '-5']), `-5,0.5,true,,"a,""b""",'-5\r\n`);
});
