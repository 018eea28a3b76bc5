/**
 * What it takes to open a page for the first time: bytes on the wire, requests, and how long it takes until its first
 * figures (or fields) are there, in headless Chromium with an empty cache and a processor slowed down to a quarter;
 * and how far things move meanwhile (cumulative layout shift). Six cameras that are switched off, no person enrolled.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Page } from '@playwright/test';
import type { CameraFields } from '@nazar/contract/cameras.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { spreadOf, whole } from './rig/numbers.ts';
import { Product } from './rig/product.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { rounds: { type: 'string', default: '5' }, json: { type: 'string' } },
});
const rounds = Number(values.rounds);
const SLOWER = 4;
const cameras = 6;

/** A page, and what stands on it when its first figures or fields are there. */
const pages: readonly { path: string; ready: string; isOpen?: boolean }[] = [
  { path: '/login', ready: 'input[type=password]', isOpen: true },
  { path: '/', ready: 'main :text("of 6")' },
  { path: '/cameras', ready: 'main :text("Bench 1")' },
  { path: '/face-database', ready: 'main :text("No people yet")' },
];

interface Load {
  readonly bytes: number;
  readonly requests: number;
  readonly readyMs: number;
  readonly shift: number;
}

declare global {
  interface Window {
    shifted: number;
  }
}

function countShift(): void {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      window.shifted += (entry as unknown as { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
}

async function watch(page: Page): Promise<{ bytes: number; requests: number }> {
  const seen = { bytes: 0, requests: 0 };
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: false });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  session.on('Network.requestWillBeSent', () => (seen.requests += 1));
  session.on(
    'Network.loadingFinished',
    ({ encodedDataLength }) => (seen.bytes += encodedDataLength),
  );
  return seen;
}

async function load(
  browser: Browser,
  { nazar, access }: Product,
  { path, ready, isOpen = false }: (typeof pages)[number],
): Promise<Load> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
  });
  try {
    await context.addInitScript(countShift);
    if (!isOpen) await context.addInitScript(`localStorage.setItem('auth-token', '${access}')`);
    const page = await context.newPage();
    const seen = await watch(page);
    const startedAt = performance.now();
    await page.goto(nazar.origin + path, { waitUntil: 'commit' });
    await page.locator(ready).first().waitFor();
    const readyMs = performance.now() - startedAt;
    // Everything that the page asks for by itself belongs to it.
    await page.waitForLoadState('networkidle');
    const shift = await page.evaluate(() => window.shifted);
    return { ...seen, readyMs, shift };
  } finally {
    await context.close();
  }
}

async function addCameras(product: Product): Promise<void> {
  for (let index = 1; index <= cameras; index += 1) {
    const fields: Partial<CameraFields> = {
      name: `Bench ${index}`,
      location: 'Hall',
      type: 'rtsp',
      status: 'inactive',
      url: `rtsp://127.0.0.1:${index}/none`,
    };
    await product.nazar.post(cameraRoutes.add.path, product.access, fields);
  }
}

await using product = await Product.start();
await addCameras(product);
const browser = await chromium.launch({
  executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
});
const rows: string[][] = [];
const loads: Record<string, Load[]> = {};
try {
  for (const page of pages) {
    const all: Load[] = [];
    for (let round = 0; round < rounds; round += 1) all.push(await load(browser, product, page));
    loads[page.path] = all;
    const median = (of: (one: Load) => number): number => spreadOf(all.map(of)).p50;
    rows.push([
      page.path,
      whole(median(({ bytes }) => bytes / 1000)),
      whole(median(({ requests }) => requests)),
      whole(median(({ readyMs }) => readyMs)),
      median(({ shift }) => shift).toFixed(3),
    ]);
  }
} finally {
  await browser.close();
}
console.log(table(['Page', 'kB', 'requests', 'ms to the first figures', 'shift'], rows));
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(loads, null, 2));
