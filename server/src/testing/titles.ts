/** The tests of all workspaces, read as text: for the laws, which compare their titles with the documents. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { src } from './imports.ts';

export const root = join(src, '../..');
/** Below `root`. */
export const testFiles = ['server/src', 'web/src', 'e2e', 'contract/src', 'bench'].flatMap((room) =>
  globSync('**/*.{test,spec}.{ts,tsx}', { cwd: join(root, room) }).map((file) => `${room}/${file}`),
);
export const titles = new Map(
  testFiles.map((file) => [file, titlesIn(readFileSync(join(root, file), 'utf8'))]),
);

/** The first words of `test(` and `it(`, as they are written. */
function titlesIn(text: string): string {
  const calls = text.matchAll(/\b(?:test|it)(?:\.\w+)*\(\s*(?:'([^'\n]*)'|`([^`]*)`|"([^"\n]*)")/g);
  return [...calls].map(([, a, b, c]) => a ?? b ?? c ?? '').join('\n');
}

const quoted = '(\'(?:[^\'\\\\\\n]|\\\\.)*\'|"(?:[^"\\\\\\n]|\\\\.)*"|`[^`]*`)';
const titleForms = [
  String.raw`\b(?:test|it|describe)(?:\.\w+)*(?:<[^>(]*>)?\(\s*${quoted}`,
  // After the table of test.each, which may be a name.
  String.raw`\.each(?:<[^(]*>)?\([\w.]+\)\(\s*${quoted}`,
  String.raw`[\])](?: as const)?,?\s*\)\(\s*${quoted}`,
  // In the table: a first cell that begins with a number.
  String.raw`[[{,]\s*(?:\w+:\s*)?(['"\x60][~=]?[A-Z]{2,5}-\d{3}\b[^'"\x60\n]*)`,
].map((form) => new RegExp(form, 'g'));

/** Titles of tests, steps and groups, and those in tables. */
export function titlesOf(source: string): string[] {
  const found = titleForms.flatMap((form) =>
    [...source.matchAll(form)].map((match): [number, string] => [
      match.index + match[0].lastIndexOf(match[1]!),
      match[1]!,
    ]),
  );
  return [...new Map(found).values()];
}
