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
