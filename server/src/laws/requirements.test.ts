/**
 * docs/reference/requirements has one row for each number that source, tests and documents name, and each row leads
 * to a place. What deviations.md names is marked there, and what is not there yet no test calls whole.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, testFiles } from '#testing/titles.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const folder = 'docs/reference/requirements';
const own = 'server/src/laws/requirements.test.ts';

/** Names of other standards that look like numbers of ours. */
const standards = new Set(['AES', 'AVX', 'RFB', 'SHA']);
const number =
  /\b(?:([A-Z]{2,5})-(\d{3})|(C)-(\d{3,4})|([HR])-(\d{1,2}))(?: to (?:[A-Z]+-)?(\d{1,4}))?\b/g;

/** `CAM-014`, and each of `CAM-014 to CAM-017` and `CAM-014 to 017`. */
function numbersIn(text: string): string[] {
  return [...text.matchAll(number)].flatMap((match) => {
    const area = match[1] ?? match[3] ?? match[5]!;
    const first = match[2] ?? match[4] ?? match[6]!;
    if (standards.has(area)) return [];
    const count = Number(match[7] ?? first) - Number(first) + 1;
    const width = first.length;
    return Array.from(
      { length: count },
      (_, i) => `${area}-${String(Number(first) + i).padStart(width, '0')}`,
    );
  });
}

interface Row {
  readonly page: string;
  readonly number: string;
  readonly sentence: string;
  readonly where: string;
}

function rowsOf(page: string, text: string): Row[] {
  const lines = text.split('\n').filter((line) => /^\| [A-Z]+-\d/.test(line));
  return lines.map((line) => {
    const [, name = '', sentence = '', where = ''] = line.split('|').map((cell) => cell.trim());
    return { page, number: name, sentence, where };
  });
}

const areaOf = (name: string): string => name.slice(0, name.indexOf('-'));
const isMissing = ({ where }: Row): boolean => where.startsWith('Not there yet');
const leadsSomewhere = ({ where }: Row): boolean =>
  /\]\((?!\.\.\/\.\.\/design\/deviations)/.test(where);
const isSentence = ({ sentence }: Row): boolean => /^[^.]*(?:\.\S[^.]*)*\.$/.test(sentence);

/** Rows that stand twice, out of order, apart from their area, or without a sentence or a place. */
function faultsOf(rows: readonly Row[]): string[] {
  const pageOf = new Map(rows.toReversed().map(({ page, number: name }) => [areaOf(name), page]));
  return rows.flatMap((row, index) => {
    const before = rows[index - 1]?.number ?? '';
    const isLater =
      areaOf(before) === areaOf(row.number) &&
      Number(before.split('-')[1]) >= Number(row.number.split('-')[1]);
    return [
      ...(isLater ? [`${row.number} stands after ${before}`] : []),
      ...(pageOf.get(areaOf(row.number)) === row.page
        ? []
        : [`${row.number} stands on ${row.page}`]),
      ...(isSentence(row) ? [] : [`${row.number} has no single sentence`]),
      ...(isMissing(row) || leadsSomewhere(row) ? [] : [`${row.number} leads nowhere`]),
    ];
  });
}

const pages = globSync('*.md', { cwd: join(root, folder) }).toSorted();
const rows = pages.flatMap((page) => rowsOf(page, read(`${folder}/${page}`)));
const known = new Set(rows.map((row) => row.number));

test('each number has one row, in order, with one sentence and a place that exists or "Not there yet"', () => {
  assert.ok(rows.length > 1000);
  assert.deepEqual(faultsOf(rows), []);
});

test('the index of the requirements leads to each area once', () => {
  const lines = read(`${folder}.md`).matchAll(
    /^\| \[[^\]]+\]\(requirements\/([\w-]+\.md)\) +\| ([A-Z, ]+)\|$/gm,
  );
  const listed = [...lines].flatMap(([, page, areas = '']) =>
    areas.split(',').map((area) => `${area.trim()} ${page}`),
  );
  const expected = new Set(rows.map((row) => `${areaOf(row.number)} ${row.page}`));
  assert.deepEqual(listed.toSorted(), [...expected].toSorted());
});

/** Numbers of a text that have no row. */
const unknownIn = (text: string): string[] => numbersIn(text).filter((name) => !known.has(name));

test('every number that source, tests and documents name has its row', () => {
  const texts = globSync(
    '{.ci,bench,contract,docs,e2e,i18n,scripts,server,web}/**/*.{ts,tsx,mjs,css,json,md}',
    {
      cwd: root,
      exclude: (name) => /^(?:node_modules|dist|data)$/.test(name),
    },
  ).concat(globSync('*.md', { cwd: root }));
  assert.ok(texts.length > 1500);
  const unknown = texts
    .filter((file) => file !== own)
    .flatMap((file) => unknownIn(read(file)).map((name) => `${file}: ${name}`));
  assert.deepEqual(unknown, []);
});

/** Lines that are a comment with numbers and no word. */
const bareIn = (text: string): string[] =>
  text.split('\n').filter((line) => {
    if (!/^\s*(?:\/\*\*|\/\/|\*)/.test(line) || numbersIn(line).length === 0) return false;
    return !/[a-z]/.test(line.replaceAll(number, '').replaceAll(/\b(?:and|to)\b/g, ''));
  });

test('a comment says what it means beside its number', () => {
  const sources = globSync('{contract,server,web}/src/**/*.{ts,tsx}', { cwd: root });
  const bare = sources
    .filter((file) => !testFiles.includes(file) && !/\/testing\//.test(file))
    .flatMap((file) => bareIn(read(file)).map((line) => `${file}: ${line.trim()}`));
  assert.deepEqual(bare, []);
});

/** Numbers that a text names neither in part (`~`) nor as kept otherwise (`=`). */
const wholeIn = (text: string): Set<string> =>
  new Set(numbersIn(text.replaceAll(/[~=][A-Z]+-\d+(?: to (?:[A-Z]+-)?\d+)?/g, '')));

test('no test calls a requirement whole that is not there yet', () => {
  const missing = new Set(rows.filter(isMissing).map((row) => row.number));
  assert.ok(missing.size > 100);
  const wrong = testFiles
    .filter((file) => file !== own)
    .flatMap((file) => [...wholeIn(read(file))].map((name) => ({ file, name })))
    .filter(({ name }) => missing.has(name));
  assert.deepEqual(wrong, []);
});

/** The section of deviations.md that lists what is not built, by the same words as the rows. */
const missingHeading = 'Not there yet';

/** `CAM-014 half-there`: a number of the first column, and the heading above its table. */
function deviationsIn(text: string): string[] {
  return text.split(/^### /m).flatMap((section) => {
    const [heading = '', ...lines] = section.split('\n');
    if (heading === missingHeading) return [];
    const anchor = heading.toLowerCase().replaceAll(' ', '-');
    const cells = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|')[1]!);
    return cells.flatMap(numbersIn).map((name) => `${name} ${anchor}`);
  });
}

test('rows lead to deviations.md where it names their number, and only there', () => {
  const marked = rows.flatMap((row) =>
    [...row.where.matchAll(/deviations\.md#([\w-]+)\)/g)].map(
      ([, anchor]) => `${row.number} ${anchor}`,
    ),
  );
  const named = new Set(deviationsIn(read('docs/design/deviations.md')));
  assert.ok(named.size > 50);
  assert.deepEqual(marked.toSorted(), [...named].toSorted());
});

/** The numbers that the section of what is missing lists, in the order of the page. */
function missingIn(text: string): string[] {
  const section = text.split(/^#+ /m).find((it) => it.startsWith(missingHeading)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.flatMap((line) => numbersIn(line.split('|')[1]!));
}

test('deviations.md lists what is not there yet, each number once', () => {
  const listed = missingIn(read('docs/design/deviations.md'));
  const missing = rows.filter(isMissing).map((row) => row.number);
  assert.deepEqual(listed.toSorted(), missing.toSorted());
});

test('the law of the requirements finds what it forbids', () => {
  const bad = [
    '| CAM-002 | Two sentences. Here. | [`a`](../a.ts) |',
    '| CAM-001 | One sentence. | [otherwise](../../design/deviations.md#half-there) |',
    '| CAM-001 | Version 1.2 counts as one sentence. | Not there yet |',
  ];
  assert.deepEqual(
    faultsOf([...rowsOf('a.md', bad.join('\n')), ...rowsOf('b.md', '| CAM-003 | A. | [b](b) |')]),
    [
      'CAM-002 has no single sentence',
      'CAM-001 stands after CAM-002',
      'CAM-001 leads nowhere',
      'CAM-001 stands after CAM-001',
      'CAM-003 stands on b.md',
    ],
  );
  assert.deepEqual(
    unknownIn('CAM-001 to 003, CAM-099, C-101 to C-103, SHA-256, H-6, R-99, ZZZ-001'),
    ['CAM-099', 'R-99', 'ZZZ-001'],
  );
  assert.deepEqual(
    bareIn(
      '/** CAM-001. */\n  // C-101, C-102 to C-103.\n/** Volume (CAM-001). */\n/** SHA-256. */',
    ),
    ['/** CAM-001. */', '  // C-101, C-102 to C-103.'],
  );
  assert.deepEqual([...wholeIn('~CAM-001, =CAM-002 to 004, CAM-005')], ['CAM-005']);
  assert.deepEqual(deviationsIn('### Half there\n| CAM-001 to 002 | CAM-003 |'), [
    'CAM-001 half-there',
    'CAM-002 half-there',
  ]);
  const notThere =
    '### Not there yet\n| CAM-001 to 002, CAM-004 | CAM-003 |\n## Caveats\n| CAM-009 |';
  assert.deepEqual(deviationsIn(notThere), []);
  assert.deepEqual(missingIn(notThere), ['CAM-001', 'CAM-002', 'CAM-004']);
});
