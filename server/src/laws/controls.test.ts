/**
 * docs/design/security.md says of each control what proves it. Here: whatever it calls proven is named by the
 * title of a test, and the files it names hold such a title.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, testFiles, titles } from '#testing/titles.ts';

const page = readFileSync(join(root, 'docs/design/security.md'), 'utf8');
/** `C-520 to C-523` and `C-104, C-106` and `C-803 (in part)`. */
function controlsIn(cell: string): string[] {
  return [...cell.matchAll(/C-(\d+)(?: to C-(\d+))?/g)].flatMap(([, first, last]) => {
    const from = Number(first);
    return Array.from({ length: Number(last ?? first) - from + 1 }, (_, i) => `C-${from + i}`);
  });
}

interface Row {
  readonly control: string;
  readonly proof: string;
}

/** Rows of the tables that have a column "Proven by". */
const rows: Row[] = page
  .split(/^### /m)
  .filter((section) => section.includes('Proven by'))
  .flatMap((section) => section.split('\n').filter((line) => /^\| [CH]-/.test(line)))
  .flatMap((line) => {
    const cells = line.split('|').slice(1, -1);
    return controlsIn(cells[0] ?? '').map((control) => ({ control, proof: cells.at(-1)!.trim() }));
  });
const proven = rows.filter(({ proof }) => !proof.startsWith('no test'));

const names = (file: string, control: string): boolean =>
  new RegExp(`\\b${control}\\b`).test(titles.get(file) ?? '');

test('a control that docs/design/security.md calls proven is named by the title of a test', () => {
  assert.ok(proven.length > 40);
  const silent = proven.filter(({ control }) => !testFiles.some((file) => names(file, control)));
  assert.deepEqual(
    silent.map(({ control }) => control),
    [],
  );
});

test('a file that docs/design/security.md gives as proof names one of the controls of its row', () => {
  const lines = page.split('\n').filter((line) => /^\| [CH]-/.test(line));
  const wrong = lines.flatMap((line) => {
    const cells = line.split('|').slice(1, -1);
    const controls = controlsIn(cells[0] ?? '');
    const given = [...(cells[3] ?? '').matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`/g)];
    return given.flatMap(([, name = '']) => {
      const file = testFiles.find((path) => `/${path}`.endsWith(`/${name}`));
      const isNamed = file !== undefined && controls.some((control) => names(file, control));
      return isNamed ? [] : [`${controls.join()}: ${name}`];
    });
  });
  assert.deepEqual(wrong, []);
});
