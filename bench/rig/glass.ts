/** Headless Chromium that shows the `/clock` camera and reports how old its pictures are. */
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import config from '../../e2e/playwright.config.ts';
import { administrator } from '../../e2e/installation.ts';

const reader = join(import.meta.dirname, 'glass-reader.js');

/** Milliseconds; one entry per picture. */
export interface Read {
  readonly latencyMs: readonly number[];
  /** From what is shown to the newest that was received; videos only. */
  readonly edgeMs: readonly number[];
  /** From one picture to the next, where that took more than 100 ms. */
  readonly pausesMs: readonly number[];
  /** How often a video stood still for want of data; videos only. */
  readonly stalls: number;
  /** Pictures that were decoded and not shown; videos only. */
  readonly dropped: number;
  /** Pictures whose code could not be read: torn, or shown before the first. */
  readonly unreadable: number;
  /** From opening to the first picture; null when none came. */
  readonly firstMs: number | null;
}

interface Glass {
  readonly firstMs: number | null;
  watch(selector: string, sinceMs: number): void;
  go(path: string, selector: string): void;
  click(link: string, selector: string): void;
  take(): Read;
}

declare const glass: Glass;

export async function openBrowser(): Promise<Browser> {
  const { executablePath, args } = config.use?.launchOptions ?? {};
  return chromium.launch({
    headless: true,
    ...(executablePath && args && { executablePath, args }),
  });
}

/** A tab of 1280x720 in which pictures can be read. */
export async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.addInitScript({ path: reader });
  return page;
}

export async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(origin);
  await page.getByLabel('Email').fill(administrator.email);
  await page.locator('input[name=password]').fill(administrator.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
}

const liveVideo = '[role=dialog] video';
const firstTimeoutMs = 15_000;

/** Opens a path inside the running application, as if a link to it had been chosen. */
export async function openRoute(page: Page, path: string): Promise<number> {
  await page.evaluate(([to, video]) => glass.go(to, video), [path, liveVideo] as const);
  return firstPicture(page);
}

/** Opens the list of cameras, whose card shows the camera already. */
export async function openCard(page: Page): Promise<number> {
  const link = '[data-testid=preview-link]';
  await page.locator(link).waitFor();
  await page.evaluate(([it, video]) => glass.click(it, video), [link, liveVideo] as const);
  return firstPicture(page);
}

/** Opens the whole page, from the address on. */
export async function openAddress(page: Page, address: string, selector: string): Promise<number> {
  const sinceMs = Date.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.evaluate(([it, since]) => glass.watch(it, since), [selector, sinceMs] as const);
  return firstPicture(page);
}

export const openLivePage = (page: Page, address: string): Promise<number> =>
  openAddress(page, address, liveVideo);

/** Runs in the page. */
const isGiven = (selector: string): boolean =>
  document.querySelector<HTMLVideoElement>(selector)?.srcObject instanceof MediaStream;

/** Turns on the switch on the screen of one camera; from then on pictures come by WebRTC. */
export async function openLowLatency(page: Page): Promise<number> {
  const sinceMs = Date.now();
  await page.getByRole('button', { name: 'Low Latency Mode' }).click();
  await page.waitForFunction(isGiven, liveVideo, { polling: 'raf' });
  await page.evaluate(([video, since]) => glass.watch(video, since), [liveVideo, sinceMs] as const);
  return firstPicture(page);
}

async function firstPicture(page: Page): Promise<number> {
  const options = { timeout: firstTimeoutMs, polling: 20 };
  const handle = await page.waitForFunction(() => glass.firstMs, undefined, options);
  return (await handle.jsonValue()) ?? NaN;
}

export const take = (page: Page): Promise<Read> => page.evaluate(() => glass.take());
