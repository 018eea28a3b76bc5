/// <reference lib="dom" />
/** What axe finds on a page. */
import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as axe from 'axe-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Only failures are reported: with passes an answer has hundreds of kilobytes, and axe takes three times as long. */
const options: axe.RunOptions = {
  runOnly: tags,
  resultTypes: ['violations'],
  // A frame shows a page of a camera's own.
  iframes: false,
};

const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const source = `${readFileSync(file, 'utf8')};undefined`;

declare global {
  interface Window {
    readonly axe?: typeof axe;
  }
}

/** A sentence for each rule that is broken, with the first three places. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => window.axe !== undefined);
  if (!isThere) await page.evaluate(source);
  const violations = await page.evaluate(
    async (asked) => (await window.axe!.run(document, asked)).violations,
    options,
  );
  return violations.map(({ id, nodes }) => {
    const where = nodes.map((node) => String(node.target)).slice(0, 3);
    return `${id} ${where.join(' | ')}`;
  });
}
