/// <reference lib="dom" />
/**
 * Checks a screen on a phone and on a desk: nothing that axe finds, no sideways scrolling.
 * `NAZAR_PICTURES=folder` keeps a picture of each screen there.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { join } from 'node:path';
import { accessibilityFaults } from './accessibility.ts';

const widths = [1280, 360] as const;
const pictures = process.env['NAZAR_PICTURES'];

export type Language = 'en' | 'az' | 'ru' | 'tr';
export type Theme = 'light' | 'dark';
export type Look = readonly [Language, Theme];

/** `NAZAR_LOOKS=az-light,tr-dark` looks in these languages and themes alone, and then at everything. */
export const askedLooks = process.env['NAZAR_LOOKS']
  ?.split(',')
  .map((look) => look.split('-') as [Language, Theme]);

export async function choose(
  context: BrowserContext,
  language: string,
  theme: string,
): Promise<void> {
  await context.addInitScript(
    ([chosenLanguage, chosenTheme]) => {
      localStorage.setItem('language', chosenLanguage!);
      localStorage.setItem('theme', chosenTheme!);
    },
    [language, theme],
  );
}

/** Half faded in, every text has too little contrast. What turns for ever (a spinner) is not waited for. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

/** Until it is drawn anew: on a busy machine buttons of another width come later, and take the focus with them. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}

/** Once nothing moves any more, in the folder of `NAZAR_PICTURES`, if one is given. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  await settled(page);
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

export interface LookOptions {
  /** False where axe has seen the same screen in the same theme: in another language it is built the same. */
  readonly withAxe?: boolean;
}

/** What is wrong with it is added to `wrong`. */
export async function look(
  page: Page,
  name: string,
  wrong: string[],
  { withAxe = true }: LookOptions = {},
): Promise<void> {
  for (const width of widths) {
    await resize(page, { width, height: 800 });
    await settled(page);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow > 0) wrong.push(`${name} at ${width}: scrolls ${overflow} px sideways`);
    const faults = withAxe ? await accessibilityFaults(page) : [];
    wrong.push(...faults.map((fault) => `${name} at ${width}: ${fault}`));
    await keepPicture(page, `${name}-${width}`);
  }
}
