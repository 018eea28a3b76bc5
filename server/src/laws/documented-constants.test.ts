/**
 * A number of docs/design with a name beside it, `1.5 s (tracker.ts:lostAfterMs)` with the name in code quotes, is the
 * value of that constant. The source is read as text, because most constants are not exported.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { src } from '#testing/imports.ts';

const root = join(src, '../..');
const rooms = ['contract/src', 'server/src', 'web/src'];
const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);
const sources = rooms
  .flatMap((room) => globSync(`${room}/**/*.{ts,tsx}`, { cwd: root }))
  .filter((file) => !isTest(file));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What one unit of a sentence is, in units of the constant, by how the constant's name ends. */
const units: Record<string, Record<string, number>> = {
  Ms: { ms: 1, s: 1_000, min: 60_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 },
  S: { s: 1, min: 60, minutes: 60, hours: 3_600, days: 86_400 },
  Seconds: { s: 1, min: 60, minutes: 60, hours: 3_600, days: 86_400 },
  Ticks: { ms: 90, s: 90_000 },
  Bytes: { bytes: 1, kB: 1_000, KiB: 1_024, MiB: 1_024 ** 2, GiB: 1_024 ** 3 },
};
const anyUnits: Record<string, number> = { '%': 0.01, thousand: 1e3, million: 1e6 };

/** A number with its unit, up to 40 characters without another number, and the name of a constant. */
const mention =
  /(?:(\d[\d,]*(?:\.\d+)?)(?:[ -]?(%|[A-Za-z]+))?[^\d`]{0,40})?`([\w./-]+\.tsx?):([\w.]+)`/g;

/** The text of a block of braces that begins at or after that place. */
function blockAt(text: string, from: number): string {
  const start = text.indexOf('{', from);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}' && (depth -= 1) === 0) return text.slice(start, at + 1);
  }
  return '';
}

/** The expression that a text gives a name, or a path of properties such as `quality.minIod`; null: there is none. */
function expressionOf(text: string, path: string): string | null {
  const [name = '', ...inner] = path.split('.');
  if (inner.length > 0) {
    const blocks = text.matchAll(new RegExp(String.raw`\b${name}(?::[^=,\n{]+=| =|:) *\{`, 'g'));
    for (const { index } of blocks) {
      const found = expressionOf(blockAt(text, index), inner.join('.'));
      if (found !== null) return found;
    }
    return null;
  }
  const given = new RegExp(String.raw`\b${name}(?::[^=,\n]+=| =|:) *([^;,\n]*)`).exec(text);
  return given ? given[1]!.replace(/ \}.*$/, '').trim() : null;
}

/** Returns the value of arithmetic over numbers and other constants of the same file, or exported ones; else null. */
function valueOf(text: string, path: string, depth = 0): number | null {
  const expression = depth > 5 ? null : expressionOf(text, path);
  if (expression === null) return null;
  const plain = expression.replaceAll(/\b[A-Za-z]\w*\b/g, (name) => {
    const own = valueOf(text, name, depth + 1);
    return String(own ?? exportedValueOf(name, depth + 1));
  });
  if (!/^[\d\s_.e+*/()-]+$/.test(plain)) return null;
  const value: unknown = runInNewContext(`(${plain})`);
  return typeof value === 'number' ? value : null;
}

function exportedValueOf(name: string, depth: number): number | null {
  const file = sources.find((it) => read(it).includes(`export const ${name} =`));
  return file === undefined ? null : valueOf(read(file), name, depth);
}

/** NaN: a unit that the constant, by its name, does not have. A word that is no unit counts as none. */
function unitOf(name: string, unit: string): number {
  const ending = Object.keys(units).find((it) => name.endsWith(it)) ?? '';
  const isUnit = Object.values(units).some((known) => unit in known);
  return units[ending]?.[unit] ?? anyUnits[unit] ?? (isUnit ? Number.NaN : 1);
}

/** What is wrong with the constants that a page names. */
function faultsOf(page: string): string[] {
  return [...page.matchAll(mention)].flatMap(([, shown, unit, file = '', name = '']) => {
    const label = `${file}:${name}`;
    const files = sources.filter((it) => `/${it}`.endsWith(`/${file}`));
    if (files.length !== 1) return [`${label} is in ${files.length} files`];
    if (shown === undefined) return [`${label} has no number beside it`];
    const value = valueOf(read(files[0]!), name);
    if (value === null) return [`${label} has no value`];
    const written = Number(shown.replaceAll(',', '')) * unitOf(name, unit ?? '');
    const isSame = Math.abs(written - value) <= 1e-9 * Math.abs(value);
    return isSame ? [] : [`${label} is ${value}, not ${shown} ${unit ?? ''}`.trimEnd()];
  });
}

test('numbers of docs/design are those of the constants that stand beside them', () => {
  const pages = globSync('docs/design/*.md', { cwd: root }).toSorted();
  const faults = pages.flatMap((page) => faultsOf(read(page)).map((fault) => `${page}: ${fault}`));
  assert.deepEqual(faults, []);
  const named = pages.flatMap((page) => [...read(page).matchAll(mention)]);
  assert.ok(named.length > 100, `${named.length} numbers`);
});

test('the law of the numbers finds what it forbids', () => {
  const said = (number: string, name: string): string[] => faultsOf(`${number} (\`${name}\`)`);
  assert.deepEqual(said('1.5 s', 'tracker.ts:lostAfterMs'), []);
  assert.deepEqual(said('24 hours', 'recent-visits.ts:longestVisitMs'), []);
  assert.deepEqual(said('250 million', 'picture-at.ts:maxPixels'), []);
  assert.deepEqual(said('16 MiB', 'gop.ts:maxBytes'), []);
  assert.deepEqual(said('150', 'shipped-pack.ts:embedder.side'), []);
  assert.deepEqual(said('1.6 s', 'tracker.ts:lostAfterMs'), [
    'tracker.ts:lostAfterMs is 1500, not 1.6 s',
  ]);
  assert.deepEqual(said('1500 KiB', 'tracker.ts:lostAfterMs'), [
    'tracker.ts:lostAfterMs is 1500, not 1500 KiB',
  ]);
  assert.deepEqual(said('no number', 'tracker.ts:lostAfterMs'), [
    'tracker.ts:lostAfterMs has no number beside it',
  ]);
  assert.deepEqual(said('1', 'tracker.ts:noSuchName'), ['tracker.ts:noSuchName has no value']);
  assert.deepEqual(said('1', 'no-such-file.ts:name'), ['no-such-file.ts:name is in 0 files']);
});
