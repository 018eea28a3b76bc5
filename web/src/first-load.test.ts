/**
 * How much a page may send before it can be used: a law over the files of the build, which `npm test` and
 * `npm run check` make first. What each page takes is told in docs/design/performance.md.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { firstLoads, loads, signedOutPages, type FirstLoad } from '../build/first-load.ts';

const dist = resolve(import.meta.dirname, '../dist');
const KB = 1000;

/**
 * Bytes as they are sent (brotli), scripts, sentences and styles together. Each had 1 kB less until browsers told the
 * system log of their errors (CFL-042), which has to listen before anything else runs: 0.7 kB.
 */
const whole: Readonly<Record<string, number>> = { login: 96 * KB, dashboard: 151 * KB };
/** What a page may take beyond the shell. */
const BEYOND = 40 * KB;
/**
 * The page of one's own security has two forms open, keys, sessions, passkeys and events: it takes 41 kB. Cameras, and
 * the wall of them, play live pictures by three transports, and detect faces by hand: 44 and 42 kB.
 */
const beyondOf: Readonly<Record<string, number>> = {
  security: 42 * KB,
  cameras: 45 * KB,
  wall: 43 * KB,
};
const SENTENCES = 8 * KB;

function faults(pages: readonly FirstLoad[]): string[] {
  const shell = pages.find(({ page }) => page === 'shell')?.total ?? 0;
  return pages.flatMap(({ page, total, sentences }) => {
    const most = whole[page] ?? shell + (beyondOf[page] ?? BEYOND);
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
