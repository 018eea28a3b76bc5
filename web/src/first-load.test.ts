/**
 * How much a page may send before it can be used: a law over the files of the build, which `npm test` and
 * `npm run check` make first. What each page takes stands in docs/design/performance.md.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { firstLoads, loads, signedOutPages, type FirstLoad } from '../build/first-load.ts';

const dist = resolve(import.meta.dirname, '../dist');
const KB = 1000;

/** Bytes as they are sent (brotli), scripts, sentences and styles together. */
const whole: Readonly<Record<string, number>> = { login: 98 * KB, dashboard: 160 * KB };
/** What any other page may take beyond the shell. */
const BEYOND = 45 * KB;
const SENTENCES = 8 * KB;

function faults(pages: readonly FirstLoad[]): string[] {
  const shell = pages.find(({ page }) => page === 'shell')?.total ?? 0;
  return pages.flatMap(({ page, total, sentences }) => {
    const most = whole[page] ?? shell + BEYOND;
    return [
      ...(total > most ? [`${page}: ${total} of ${most} bytes`] : []),
      ...(sentences > SENTENCES
        ? [`${page}: ${sentences} of ${SENTENCES} bytes of sentences`]
        : []),
    ];
  });
}

test('no page sends more than it may before it can be used', () => {
  expect(existsSync(dist), 'the pages are built by scripts/setup.mjs').toBe(true);
  const pages = firstLoads(dist);
  expect(pages.length).toBeGreaterThan(15);
  expect(faults(pages)).toEqual([]);
  const heavier = pages.map((one) => ({ ...one, total: one.total + 60 * KB }));
  expect(faults(heavier)).toContainEqual(expect.stringMatching(/^login: /));
  expect(faults(heavier)).toContainEqual(expect.stringMatching(/^dashboard: /));
});

test('the pages before the sign-in load nothing of the shell, and the sign-in no schemas and no form library', () => {
  for (const page of signedOutPages) expect(loads(dist, page, 'shell'), page).toBe(false);
  expect(loads(dist, 'dashboard', 'main')).toBe(true);
  for (const name of ['schemas', 'use-contract-form', 'shared']) {
    expect(loads(dist, 'login', name), name).toBe(false);
    expect(loads(dist, 'setup', name), name).toBe(true);
  }
});
