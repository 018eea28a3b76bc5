/** docs/glossary.md has one word for each idea, once, and says where the code has it. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { src } from '#testing/imports.ts';

const root = join(src, '../..');
const page = readFileSync(join(root, 'docs/glossary.md'), 'utf8');

interface Row {
  /** `main stream, sub-stream` are two. */
  readonly words: readonly string[];
  /** Below `server/src`, or from the root of the project. */
  readonly paths: readonly string[];
}

/** Rows of tables with three columns, without their heads. */
function rowsOf(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => /^\| (?!Word |-)/.test(line))
    .map((line) => line.split('|').slice(1, -1))
    .map(([words = '', , where = '']) => ({
      words: words.split(',').map((word) => word.trim().toLowerCase()),
      paths: [...where.matchAll(/`([\w./-]+)`/g)].map(([, path]) => path!),
    }));
}

function faultsOf(rows: readonly Row[]): string[] {
  const words = rows.flatMap((row) => row.words);
  const twice = words.filter((word, index) => words.indexOf(word) !== index);
  const isThere = (path: string): boolean =>
    existsSync(join(src, path)) || existsSync(join(root, path));
  return [
    ...twice.map((word) => `${word} stands twice`),
    ...rows.flatMap(({ words: [word], paths }) =>
      paths.filter((path) => !isThere(path)).map((path) => `${word}: ${path} is not there`),
    ),
  ];
}

test('each word of the glossary stands once, and its file is there', () => {
  const rows = rowsOf(page);
  assert.ok(rows.length > 100);
  assert.deepEqual(faultsOf(rows), []);
});

test('the law of the glossary finds what it forbids', () => {
  const bad = [
    '| Word | Meaning | Where |',
    '| ---- | ------- | ----- |',
    '| camera | One | `cameras` |',
    '| Camera, lens | Two | `optics/lens.ts` |',
  ];
  assert.deepEqual(faultsOf(rowsOf(bad.join('\n'))), [
    'camera stands twice',
    'camera: optics/lens.ts is not there',
  ]);
});
