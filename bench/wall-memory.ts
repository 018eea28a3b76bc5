/**
 * What a tab keeps in memory while the wall is left running: nine cameras play, and each minute, after its garbage is
 * collected, the tab's JavaScript heap, nodes and listeners and the memory of the browser's processes (PSS) are read.
 * Promised is that the tab is flat in an hour; how much grows is printed as a slope, the first minutes aside.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { CDPSession, Page } from '@playwright/test';
import { makeFilm } from '../e2e/farm/film.ts';
import { RtspCamera } from '../e2e/farm/rtsp-camera.ts';
import { pssMib } from '../e2e/memory.ts';
import * as glass from './rig/glass.ts';
import { slopeOf, tenth, whole } from './rig/numbers.ts';
import { browserPids } from './rig/processes.ts';
import { Product } from './rig/product.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { minutes: { type: 'string', default: '60' } },
});
const minutes = Number(values.minutes);
const cameras = 9;
const patienceMs = 60_000;
const mib = 2 ** 20;
/** In these minutes code is still compiled and caches fill; a short run leaves out none. */
const warmUpMinutes = minutes >= 20 ? 5 : 0;

interface Reading {
  readonly minute: number;
  readonly heapMib: number;
  readonly nodes: number;
  readonly listeners: number;
  /** All processes of the browser together. */
  readonly pssMib: number;
  readonly playing: number;
}

const playing = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const videos = [...document.querySelectorAll('[data-tile] video')] as HTMLVideoElement[];
    return videos.filter((one) => one.readyState >= 2 && !one.paused).length;
  });

async function read(page: Page, session: CDPSession, minute: number): Promise<Reading> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? NaN;
  return {
    minute,
    heapMib: metric('JSHeapUsedSize') / mib,
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
    pssMib: browserPids().reduce((sum, pid) => sum + pssMib(pid), 0),
    playing: await playing(page),
  };
}

const columns = ['heapMib', 'pssMib', 'nodes', 'listeners'] as const;

function print(readings: readonly Reading[]): void {
  const tenths = readings.filter(({ minute }) => minute === 1 || minute % 10 === 0);
  const rows = tenths.map((one) => [
    String(one.minute),
    String(one.playing),
    ...columns.map((column) => (column.endsWith('Mib') ? tenth : whole)(one[column])),
  ]);
  console.log(
    `\n${table(['minute', 'tiles playing', 'heap MiB', 'PSS MiB', 'nodes', 'listeners'], rows)}`,
  );
  const late = readings.filter(({ minute }) => minute > warmUpMinutes);
  const slopes = columns.map((column) => {
    const anHour = slopeOf(late.map((one) => [one.minute / 60, one[column]] as const));
    return `${column} ${anHour.toFixed(2)}`;
  });
  console.log(`\ngrows in an hour, from minute ${warmUpMinutes + 1} on: ${slopes.join(', ')}`);
  const least = Math.min(...readings.map((one) => one.playing));
  console.log(`fewest tiles that played at a reading: ${least} of ${cameras}`);
}

await using farm = await RtspCamera.start({ film: makeFilm() });
await using product = await Product.start();
const browser = await glass.openBrowser();
try {
  const context = await browser.newContext({ serviceWorkers: 'block', locale: 'en-US' });
  const page = await context.newPage();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await glass.signIn(page, product.nazar.origin);
  for (let place = 1; place <= cameras; place += 1) {
    await product.addCamera(farm.url, false, { name: `Bench ${place}` });
  }
  await page.goto(`${product.nazar.origin}/cameras?view=wall`);
  await page.waitForFunction(
    (wanted) => document.querySelectorAll('[data-tile] video').length >= wanted,
    cameras,
    { timeout: patienceMs },
  );
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  const readings: Reading[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    await wait(60_000);
    // A user is there: a session without activity ends after 30 minutes.
    await page.keyboard.press('Shift');
    readings.push(await read(page, session, minute));
    if (minute % 10 === 0 || minute === minutes) print(readings);
  }
} finally {
  await browser.close();
}
