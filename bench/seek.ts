/**
 * How long a seek takes its reader, on the real page in headless Chromium: a day recorded at 3 Mbit/s (links to the
 * files of two minutes), paused, a moment typed, from the press to its picture on the screen. Anywhere in the day, and
 * within a quarter of an hour of the moment before. Beside them the thumbnail of the same moments, which the server
 * decodes, in the same run. `--seeks N`, 60 when left out.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import { systemClock } from '../server/src/lib/clock.ts';
import { signInEach, testPassword, testServer } from '../server/src/testing/server.ts';
import { aCameraForm } from '../server/src/testing/world.ts';
import { recordDay } from './rig/day.ts';
import { openBrowser } from './rig/glass.ts';
import { spreadOf, tenth } from './rig/numbers.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { seeks: { type: 'string', default: '60' } },
});
const seeks = Number(values.seeks);
const daySeconds = 86_400;
const dayMs = daySeconds * 1_000;
const startMs = Math.floor(Date.now() / dayMs - 1) * dayMs;
const webDir = join(import.meta.dirname, '../web/dist');
const atMs = (seconds: number): number => startMs + seconds * 1_000;

/** Runs in the page: from the press of Go to the next picture that the video shows. */
async function timeOfGo(): Promise<number> {
  const video = document.querySelector<HTMLVideoElement>('main video')!;
  const form = [...document.querySelectorAll('main form')].find((one) =>
    one.querySelector('input[autocomplete=off].tabular-nums'),
  ) as HTMLFormElement;
  const shown = new Promise<void>((resolve) => {
    video.requestVideoFrameCallback(() => resolve());
  });
  const startedAtMs = performance.now();
  form.requestSubmit();
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('no picture within 20 s')), 20_000);
  });
  await Promise.race([shown, late]);
  return performance.now() - startedAtMs;
}

async function seekTimes(page: Page, moments: readonly number[]): Promise<number[]> {
  const field = page.locator('main form input[autocomplete=off].tabular-nums');
  const times: number[] = [];
  for (const moment of moments) {
    await field.fill(new Date(atMs(moment)).toISOString().slice(0, 19).replace('T', ' '));
    times.push(await page.evaluate(timeOfGo));
    // Time for all that the page asked for to arrive, and for a viewer to watch a little.
    await page.waitForTimeout(400);
  }
  return times;
}

await using world = await testServer({ webDir, clock: systemClock });
const { superadmin } = await signInEach(world);
const form = aCameraForm({ name: 'Gate' });
const added = await superadmin.send('POST', '/secure-api/cameras/', form);
const camera = added.json<{ id: string }>().id;
await recordDay(world.database.db, world.recordingFolder, camera, startMs, daySeconds);
const origin = await world.app.listen({ host: '127.0.0.1', port: 0 });

await using browser = await openBrowser();
const context = await browser.newContext({ timezoneId: 'UTC', locale: 'en-GB' });
const page = await context.newPage();
await page.goto(`${origin.replace('127.0.0.1', 'localhost')}/login`);
await page.locator('input[name=email]').fill(superadmin.email);
await page.locator('input[name=password]').fill(testPassword);
await page.locator('button[type=submit]').click();
await page.waitForURL((url) => url.pathname === '/');
const at = new Date(atMs(3_600)).toISOString();
await page.goto(`${origin.replace('127.0.0.1', 'localhost')}/recordings/${camera}?at=${at}`);
await page.locator('main video[aria-hidden=false]').waitFor();
await page.waitForTimeout(1_000);

/** By the golden ratio: each is hours from the one before, outside of what the player has of the day. */
const anywhere = Array.from({ length: seeks }, (_, seek) => ((seek * 0.618034) % 1) * 86_000 + 1);
const near = Array.from({ length: seeks }, (_, seek) => 40_000 + ((seek * 397) % 900));
const rows: string[][] = [];
const tell = (what: string, times: readonly number[]): void => {
  const { n, p50, p95, max } = spreadOf(times);
  rows.push([what, String(n), ...[p50, p95, max].map(tenth)]);
};
const cpu = process.cpuUsage();
tell('anywhere in the day', await seekTimes(page, anywhere));
const { user, system } = process.cpuUsage(cpu);
await seekTimes(page, near.slice(0, 1));
tell('within a quarter of an hour', await seekTimes(page, near));
const pictures: number[] = [];
for (const moment of anywhere) {
  const startedAtMs = performance.now();
  const path = `/secure-api/cameras/${camera}/thumbnail/?at=${new Date(atMs(moment)).toISOString()}`;
  const { status } = await superadmin.get(path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  pictures.push(performance.now() - startedAtMs);
}
tell('a thumbnail of that moment, decoded by the server', pictures.slice(1));
console.log(table(['seek, ms', 'times', 'median', '95th', 'most'], rows));
console.log(
  `Server's processor for each seek anywhere: ${tenth((user + system) / 1_000 / seeks)} ms.`,
);
