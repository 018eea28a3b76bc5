/**
 * What the titles of tests claim: a bare number is proven whole, `~` in part, `=` kept otherwise, as deviations.md
 * says. A title claims at most three numbers, so that each has an assertion of its own.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, testFiles, titlesOf } from '#testing/titles.ts';

const most = 3;

interface Claim {
  readonly mark: '' | '~' | '=';
  readonly number: string;
}

const number = /([~=]?)\b([A-Z]{2,5})-(\d{3})\b(?:(?: to | – |–)(?:\2-)?(\d{3})\b)?/g;

/** `CAM-014`, `~CAM-014`, and each of `=CAM-014 to 017`. */
function claimsIn(text: string): Claim[] {
  return [...text.matchAll(number)].flatMap(([, mark = '', area = '', first = '', last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => ({
      mark: mark as Claim['mark'],
      number: `${area}-${String(Number(first) + i).padStart(3, '0')}`,
    })),
  );
}

/** Numbers that stand in a row of a table, in whichever column. */
const deviatingIn = (page: string): Set<string> =>
  new Set(
    page
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .flatMap((line) => claimsIn(line).map((claim) => claim.number)),
  );

/** Titles that claim too much, or what no line of deviations.md explains. */
function faultsOf(titles: readonly string[], deviating: ReadonlySet<string>): string[] {
  return titles.flatMap((title) => {
    const claims = claimsIn(title);
    const whole = claims.filter(({ mark }) => mark === '');
    const more = whole.length > most ? [`${title} claims ${whole.length} numbers`] : [];
    const wrong = claims.flatMap(({ mark, number: name }) => {
      if (mark === '' && deviating.has(name)) return [`${name} deviates: =${name}`];
      return mark === '=' && !deviating.has(name) ? [`${name} has no line in deviations.md`] : [];
    });
    return [...more, ...wrong];
  });
}

const deviating = deviatingIn(readFileSync(join(root, 'docs/design/deviations.md'), 'utf8'));

test('a title claims at most three numbers, and those of deviations.md as kept otherwise', () => {
  assert.ok(deviating.size > 50);
  let claimed = 0;
  const faults = testFiles.flatMap((file) => {
    const titles = titlesOf(readFileSync(join(root, file), 'utf8'));
    claimed += titles.flatMap(claimsIn).length;
    return faultsOf(titles, deviating).map((fault) => `${file}: ${fault}`);
  });
  assert.ok(claimed > 1_500, String(claimed));
  assert.deepEqual(faults, []);
});

/** `#12` for CAM-012: a sample is no title of this file. */
const filled = (sample: string): string => sample.replaceAll('#', 'CAM-0');

test('the law of the proofs finds what it forbids', () => {
  const source = filled(`
    test('#01, #02, ~#03, #04, #05 four and a part', () => {});
    test.each<[string]>([['#11 a row'], ['=#12 another']])('%s: and one', () => {});
    test.each(rows)(
      '#13 after a name', () => {});
    await test.step("#14 it's a step", () => {});
    const text = '; #30 is no title';`);
  const titles = titlesOf(source);
  assert.deepEqual(
    titles.flatMap((title) => claimsIn(title).map((claim) => claim.number)).toSorted(),
    ['#01', '#02', '#03', '#04', '#05', '#11', '#12', '#13', '#14'].map(filled),
  );
  const page = filled('| #11, #20 to 022 | here | why |\n#30 is not in a table');
  assert.deepEqual([...deviatingIn(page)], ['#11', '#20', '#21', '#22'].map(filled));
  assert.deepEqual(
    faultsOf(titles, deviatingIn(page)).toSorted(),
    [
      "'#01, #02, ~#03, #04, #05 four and a part' claims 4 numbers",
      '#11 deviates: =#11',
      '#12 has no line in deviations.md',
    ].map(filled),
  );
});
