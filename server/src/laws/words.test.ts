/**
 * Comments, names and titles of tests say who does what: the words below hide it. Quotations are free, which are
 * strings, templates, patterns, and what a comment puts into backticks or quotation marks.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, titlesOf } from '#testing/titles.ts';

const vague = ['anybody', 'heard', 'hears', 'nobody', 'somebody', 'tells', 'told', 'whoever'];
const riddle = new RegExp(String.raw`\b(?:${vague.join('|')}|look(?:s|ed) at|for who)\b`, 'gi');

/** Where they may stand, each with its reason. */
const allowed: Readonly<Record<string, string>> = {
  'server/src/db/migrations/': 'a migration stays as it was applied',
  'server/src/laws/words.test.ts': 'names the words',
  'web/src/laws.test.ts': 'names the words that no sentence of a screen has',
};

const files = globSync(
  [
    '{server/src,web/src,contract/src,bench,e2e,scripts}/**/*.{ts,tsx,mjs}',
    'server/src/db/schema.sql',
  ],
  { cwd: root, exclude: (name) => name === 'node_modules' },
).filter((file) => !Object.keys(allowed).some((place) => file.startsWith(place)));

const comment = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`;
const string = String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"`;
const template = '`(?:\\\\.|[^`\\\\])*`';
const pattern = String.raw`(?<=[(,=:[!&|?]\s*)\/(?![*\/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^\/\\\n[])+\/`;
const parts = new RegExp(`${comment}|${string}|${template}|${pattern}`, 'g');
const quotation = /`[^`]*`|"[^"]*"|“[^”]*”/g;
const sqlComment = /--.*$/gm;

/** A sentence begins with its subject. */
const begunWithOf = /(?:\/\/|\/\*\*?|--)\s*Of\b/g;

const withoutQuotations = (text: string): string => text.replace(quotation, '');

/** Code without its strings, but with its comments, those of SQL included. */
const ownWords = (source: string): string =>
  source.replace(parts, (part) => {
    if (/^\/[/*]/.test(part)) return withoutQuotations(part);
    return part.startsWith('`') ? (part.match(sqlComment) ?? []).join('\n') : ' ';
  });

/** Comments of a script. PostgreSQL keeps those within a function, as the migration has them. */
const commentsOf = (sql: string): string =>
  sql
    .split('$$')
    .filter((_, index) => index % 2 === 0)
    .flatMap((text) => text.match(sqlComment) ?? [])
    .join('\n');

/** `toldOf`, `last_told` and `ToldNews` have the word `told`. */
const spelledOut = (text: string): string =>
  text.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Za-z])(?=_)|(?<=_)(?=[A-Za-z])/g, ' ');

function faultsOf(file: string, source: string): string[] {
  const said = file.endsWith('.sql')
    ? [withoutQuotations(commentsOf(source))]
    : [
        ownWords(source),
        ...titlesOf(source).map((title) => title.slice(1, -1).replace(/".*?"/g, '')),
      ];
  return said
    .flatMap((text) => [
      ...(spelledOut(text).match(riddle) ?? []),
      ...(text.match(begunWithOf) ?? []).map(() => 'Of'),
    ])
    .map((word) => `${file}: ${word}`);
}

test('comments, names and titles have none of the words that hide who acts', () => {
  assert.ok(files.length > 2_000);
  const faults = files.flatMap((file) => faultsOf(file, readFileSync(join(root, file), 'utf8')));
  assert.deepEqual(faults, []);
});

test('the law of words finds what it forbids, and leaves quotations alone', () => {
  const quoted = [
    '// The user `nobody` of the system, and the text "somebody".',
    "const user = 'nobody';",
    'assert.match(text, /nobody is told/);',
    'const row = sql`select told from heard`;',
    'test(\'a face of "nobody"\', () => {});',
  ];
  assert.deepEqual(faultsOf('quoted.ts', quoted.join('\n')), []);
  const bad: readonly [string, string][] = [
    ['a.ts', '// Whoever asks is answered.'],
    ['b.ts', '/** Of all that is asked. */\nconst toldOf = 3;'],
    ['c.ts', 'interface Row { is_told: boolean; readonly lastHeardMs: number }'],
    ['d.test.ts', "test('NSH-001 somebody signs in', () => {});"],
    ['e.ts', 'const rows = sql`select 1\n  -- what nobody reads\n  from a`;'],
    ['f.sql', '-- A face that is looked at.\nselect $$ -- told $$;'],
  ];
  assert.deepEqual(
    bad.flatMap(([file, source]) => faultsOf(file, source)),
    [
      'a.ts: Whoever',
      'b.ts: told',
      'b.ts: Of',
      'c.ts: told',
      'c.ts: Heard',
      'd.test.ts: somebody',
      'e.ts: nobody',
      'f.sql: looked at',
    ],
  );
});
