/** What the sources of the server import, read as text: for the laws, which must see type imports too. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Only for tests, and only tests may import it. */
export const testing = 'testing';
/** `server/src`. */
export const src = dirname(import.meta.dirname);
export const isTest = (file: string): boolean =>
  file.endsWith('.test.ts') || file.startsWith(testing);
/** Below `src`. */
export const files = globSync('**/*.ts', { cwd: src });
/** Neither a test nor for tests. */
export const sources = files.filter((file) => !isTest(file));

const imports = /(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|import\(?\s*['"]([^'"]+)['"]/g;

export interface Import {
  readonly specifier: string;
  /** Gone when the file runs; one name that is a value makes it none. */
  readonly isType: boolean;
}

/** `path`: absolute. */
export function importsAt(path: string): Import[] {
  return [...readFileSync(path, 'utf8').matchAll(imports)].map((match) => ({
    specifier: match[1] ?? match[2] ?? '',
    isType: /^(?:import|export) type\b/.test(match[0]),
  }));
}

export const importsIn = (file: string): Import[] => importsAt(join(src, file));
export const importsOf = (file: string): string[] =>
  importsIn(file).map(({ specifier }) => specifier);

/** The file under `src` that an import names, or null for a package. */
export function target(file: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (!specifier.startsWith('.')) return null;
  return relative(src, resolve(src, dirname(file), specifier));
}

/** The files under `src` that a file imports, by whatever words. */
export const targetsOf = (file: string): string[] =>
  importsOf(file)
    .map((specifier) => target(file, specifier))
    .filter((to) => to !== null);
