/**
 * How far apart the pictures of four cameras are that are watched together on the page of one of them, in headless
 * Chromium without a GPU: 1280x720 at 30 pictures a second and 3 Mbit/s each, ten minutes of each, on a real server.
 * What is read is where each video element is, ten times a second; at 4 times as fast a difference of the recording
 * passes in a quarter of it, and that quarter is what is reported.
 */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { signInEach, testServer } from '../server/src/testing/server.ts';
import { aCameraForm } from '../server/src/testing/world.ts';
import { recordDay } from './rig/day.ts';
import { openBrowser } from './rig/glass.ts';
import { spreadOf, tenth } from './rig/numbers.ts';
import { table } from './table.ts';

const names = ['Gate', 'Yard', 'Hall', 'Office'];
const seconds = 600;
const startMs = Date.UTC(2026, 0, 14, 12);
const webDir = join(import.meta.dirname, '../web/dist');

await using world = await testServer({ webDir });
const { admin } = await signInEach(world);
const cameras: string[] = [];
for (const name of names) {
  const form = aCameraForm({ name });
  const made = await admin.send('POST', '/secure-api/cameras/', form);
  const { id } = made.json<{ id: string }>();
  await recordDay(world.database.db, world.recordingFolder, id, startMs, seconds);
  cameras.push(id);
}
const address = await world.app.listen({ host: '127.0.0.1', port: 0 });
await using browser = await openBrowser();
const context = await browser.newContext({
  viewport: { width: 1280, height: 900 },
  locale: 'en-US',
});
await context.addInitScript(`localStorage.setItem('auth-token', '${admin.access}')`);
const page = await context.newPage();
const [first, ...further] = cameras;
const at = new Date(startMs + 60_000).toISOString();
const origin = address.replace('127.0.0.1', 'localhost');
await page.goto(`${origin}/recordings/${first}?at=${at}&with=${further.join(',')}`);
await page.waitForFunction(isPictured, names.length, { timeout: 60_000 });
await page.getByRole('button', { name: 'Play', exact: true }).click();
await page.waitForTimeout(2_000);

const rows: string[][] = [];
await tell('playing', 1, 60);
await page.getByRole('button', { name: 'Forward 10 seconds' }).click();
await page.waitForTimeout(2_000);
await tell('from two seconds after a skip on', 1, 20);
await page.evaluate(stand, 3_000);
await page.waitForTimeout(4_000);
await tell('from four seconds after one stood for three on', 1, 20);
await page.getByLabel('Speed').selectOption('4');
await page.waitForTimeout(4_000);
await tell('four times as fast', 4, 30);
const heads = ['what', 'times', 'median ms', '95th', 'most', 'seconds a second'];
console.log(table(heads, rows));

async function tell(what: string, speed: number, forSeconds: number): Promise<void> {
  const { apartMs, passedS } = await look(page, forSeconds);
  const { n, p50, p95, max } = spreadOf(apartMs.map((ms) => ms / speed));
  rows.push([what, String(n), ...[p50, p95, max, passedS / forSeconds].map(tenth)]);
}

/** Runs in the page: all have a picture. */
function isPictured(count: number): boolean {
  const videos = [...document.querySelectorAll<HTMLVideoElement>('main video')];
  return videos.length === count && videos.every((one) => one.readyState > 1 && !one.seeking);
}

/** Runs in the page: one stands still, as if it had nothing to show. */
async function stand(ms: number): Promise<void> {
  const videos = [...document.querySelectorAll<HTMLVideoElement>('main video')];
  const last = videos.at(-1)!;
  const rate = last.playbackRate;
  last.playbackRate = 0;
  await new Promise((resolve) => setTimeout(resolve, ms));
  if (last.playbackRate === 0) last.playbackRate = rate;
}

async function look(on: Page, forSeconds: number): Promise<{ apartMs: number[]; passedS: number }> {
  return on.evaluate(async (lastsS) => {
    const videos = [...document.querySelectorAll<HTMLVideoElement>('main video')];
    const places = (): number[] => videos.map((one) => one.currentTime);
    const from = places();
    const apartMs: number[] = [];
    const untilMs = performance.now() + lastsS * 1_000;
    while (performance.now() < untilMs) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const now = places();
      apartMs.push((Math.max(...now) - Math.min(...now)) * 1_000);
    }
    return { apartMs, passedS: places()[0]! - from[0]! };
  }, forSeconds);
}
