/**
 * What the wall shows in headless Chromium: nine cameras of 720p and how many of their pictures are dropped, how soon a
 * tile has its still and its first picture, how soon pictures are back after the stream, and how smoothly 36 tiles are
 * scrolled. In the same run, as the baseline: one camera alone, and the same cameras as cards on the Cameras page. All
 * cameras send one film (H.264, 25 fps, without recognition): what is measured is the page and the fan-out. Promises:
 * at most 2 % dropped, first picture p50 1.0 s and p95 2.5 s, still 300 ms, back within 5 s, a frame p95 34 ms.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { makeFilm, smallFilm } from '../e2e/farm/film.ts';
import { RtspCamera } from '../e2e/farm/rtsp-camera.ts';
import * as glass from './rig/glass.ts';
import { spreadOf, tenth, whole, type Spread } from './rig/numbers.ts';
import { browserPids, cpuMsOf, groupsOf, Machine, share } from './rig/processes.ts';
import { Product } from './rig/product.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '10' },
    /** Only how smoothly 36 tiles are scrolled. */
    scroll: { type: 'boolean', default: false },
  },
});
const measureMs = Number(values.seconds) * 1000;
const settleMs = 3_000;
const patienceMs = 60_000;
const several = 9;
const many = 36;
/** So low that 36 tiles do not fit. */
const low = { width: 1280, height: 500 };

/** Milliseconds from the moment a tile stands on the page. */
interface Firsts {
  readonly stillMs: number[];
  readonly pictureMs: number[];
}

interface Shown {
  readonly total: number;
  readonly dropped: number;
}

/** Runs in the page from its beginning: when each tile or card came, had a still, had a picture. */
function watchTiles(): void {
  const seen = new Map<Element, { at: number; stillMs?: number; pictureMs?: number }>();
  Object.assign(window, { wallTiles: seen });
  const look = (now: number): void => {
    for (const tile of document.querySelectorAll('[data-tile], main article')) {
      const known = seen.get(tile) ?? { at: now };
      seen.set(tile, known);
      const image = tile.querySelector('img');
      if (image?.complete && image.naturalWidth > 0) known.stillMs ??= now - known.at;
      const video = tile.querySelector('video');
      if (video && video.readyState >= 2 && video.currentTime > 0)
        known.pictureMs ??= now - known.at;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Opens a page of tiles or cards, and waits until that many play. */
async function open(page: Page, address: string, count: number): Promise<Firsts> {
  await page.goto(address);
  type Seen = Map<Element, { stillMs?: number; pictureMs?: number }>;
  await page.waitForFunction(
    (wanted) => {
      const seen = (window as unknown as { wallTiles: Seen }).wallTiles;
      return [...seen.values()].filter((tile) => tile.pictureMs !== undefined).length >= wanted;
    },
    count,
    { timeout: patienceMs },
  );
  return page.evaluate(() => {
    const seen = [...(window as unknown as { wallTiles: Seen }).wallTiles.values()];
    return {
      stillMs: seen.flatMap(({ stillMs }) => stillMs ?? []),
      pictureMs: seen.flatMap(({ pictureMs }) => pictureMs ?? []),
    };
  });
}

const shown = (page: Page): Promise<Shown> =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll('video')].map((one) => one.getVideoPlaybackQuality());
    return {
      total: all.reduce((sum, one) => sum + one.totalVideoFrames, 0),
      dropped: all.reduce((sum, one) => sum + one.droppedVideoFrames, 0),
    };
  });

interface Played extends Firsts {
  readonly droppedShare: number;
  /** Pictures a second, of one camera. */
  readonly fps: number;
  readonly load: number;
  /** The busy share of this machine's processors. */
  readonly busy: number;
  /** Processor milliseconds a second. */
  readonly cpu: Record<string, number>;
}

async function play(page: Page, product: Product, address: string, count: number): Promise<Played> {
  const firsts = await open(page, address, count);
  await wait(settleMs);
  const groups = { ...groupsOf(product.nazar), browser: browserPids() };
  const machine = new Machine();
  const cpuBefore = cpuMsOf(groups);
  const before = await shown(page);
  await wait(measureMs);
  const after = await shown(page);
  const total = after.total - before.total;
  return {
    ...firsts,
    droppedShare: (after.dropped - before.dropped) / total,
    fps: total / count / (measureMs / 1000),
    ...machine.conditions(),
    cpu: share(cpuBefore, cpuMsOf(groups), measureMs),
  };
}

/** From the moment the cameras can be reached again to the first new picture of each tile. */
async function back(page: Page, farm: RtspCamera): Promise<number[]> {
  await farm.close();
  await wait(4_000);
  await page.evaluate(() => {
    const times = [...document.querySelectorAll('video')].map((one) => one.currentTime);
    Object.assign(window, { wallTimes: times });
  });
  await farm.listen();
  return page.evaluate(async (patience) => {
    const startMs = performance.now();
    const videos = [...document.querySelectorAll('video')];
    const backMs: (number | undefined)[] = videos.map(() => undefined);
    // A stream that begins anew begins at another time, or waits at none until then.
    const were = (window as unknown as { wallTimes: number[] }).wallTimes;
    while (backMs.includes(undefined) && performance.now() - startMs < patience) {
      await new Promise(requestAnimationFrame);
      for (const [index, video] of videos.entries()) {
        const moves = video.readyState >= 2 && !video.paused && video.currentTime !== were[index];
        if (moves) backMs[index] ??= performance.now() - startMs;
      }
    }
    return backMs.map((one) => one ?? NaN);
  }, patienceMs);
}

/** Milliseconds of each frame while the page is scrolled down and up. */
const scroll = (page: Page): Promise<number[]> =>
  page.evaluate(async (durationMs) => {
    const frames: number[] = [];
    const startMs = performance.now();
    let last = startMs;
    let step = 12;
    while (last - startMs < durationMs) {
      const now = await new Promise<number>(requestAnimationFrame);
      frames.push(now - last);
      last = now;
      const before = window.scrollY;
      window.scrollBy(0, step);
      if (window.scrollY === before) step = -step;
    }
    return frames.slice(1);
  }, measureMs);

const ratio = (one: readonly number[], other: readonly number[]): string =>
  (spreadOf(one).p50 / spreadOf(other).p50).toFixed(2);

const three = ({ p50, p95, max }: Spread): string[] => [p50, p95, max].map(whole);

function rowOf(name: string, played: Played): string[] {
  const { stillMs, pictureMs, droppedShare, fps, load, busy, cpu } = played;
  const served = (cpu['server'] ?? 0) + (cpu['media host'] ?? 0);
  const percent = `${(droppedShare * 100).toFixed(1)} %`;
  return [
    name,
    percent,
    tenth(fps),
    ...three(spreadOf(stillMs)),
    ...three(spreadOf(pictureMs)),
    whole(served),
    whole(cpu['browser'] ?? 0),
    tenth(load),
    `${whole(busy * 100)} %`,
  ];
}

async function inTab<R>(context: BrowserContext, act: (page: Page) => Promise<R>): Promise<R> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.addInitScript(watchTiles);
  try {
    return await act(page);
  } finally {
    await page.close();
  }
}

async function measureSeveral(product: Product, context: BrowserContext, farm: RtspCamera) {
  const { origin } = product.nazar;
  const wall = `${origin}/cameras?view=wall`;
  const alone = await inTab(context, (page) => play(page, product, `${wall}&search=Bench%201`, 1));
  const cards = await inTab(context, (page) => play(page, product, `${origin}/cameras`, 6));
  const { tiles, backMs } = await inTab(context, async (page) => {
    const played = await play(page, product, wall, several);
    return { tiles: played, backMs: await back(page, farm) };
  });
  const head = [
    '',
    'dropped',
    'fps',
    'still p50',
    'p95',
    'max',
    'picture p50',
    'p95',
    'max, ms',
    'CPU ms/s: server, hosts',
    'browser',
    'load',
    'busy',
  ];
  const rows = [
    rowOf('one tile', alone),
    rowOf('cards in view (Cameras page)', cards),
    rowOf('nine tiles', tiles),
  ];
  console.log(`\n${table(head, rows)}`);
  console.log(
    `\nnine tiles to one: ${(tiles.fps / alone.fps).toFixed(2)} of its pictures a second, first picture after ${ratio(tiles.pictureMs, alone.pictureMs)} of its time`,
  );
  console.log(
    `tiles to cards: first picture after ${ratio(tiles.pictureMs, cards.pictureMs)} of their time`,
  );
  const spread = spreadOf(backMs);
  console.log(
    `back after the stream, ms: min ${whole(spread.min)}, median ${whole(spread.p50)}, max ${whole(spread.max)}`,
  );
}

async function measureMany(product: Product, context: BrowserContext) {
  const { origin } = product.nazar;
  const scrolled = (address: string, least: number) =>
    inTab(context, async (page) => {
      await page.setViewportSize(low);
      await open(page, address, least);
      await wait(settleMs);
      return spreadOf(await scroll(page));
    });
  const cards = await scrolled(`${origin}/cameras`, 0);
  const tiles = await scrolled(`${origin}/cameras?view=wall&tiles=${many}`, 1);
  const rows = [
    ['24 cards', ...three(cards)],
    [`${many} tiles`, ...three(tiles)],
  ];
  console.log(`\n${table(['frame while scrolled, ms', 'p50', 'p95', 'max'], rows)}`);
  console.log(`\ntiles to cards: ${(tiles.p95 / cards.p95).toFixed(2)} of their p95`);
}

async function withSeveral(product: Product, context: BrowserContext): Promise<void> {
  await using large = await RtspCamera.start({
    film: makeFilm({ ...smallFilm, width: 1280, height: 720 }),
  });
  const ids: string[] = [];
  for (let place = 1; place <= several; place += 1) {
    const { id } = await product.addCamera(large.url, false, { name: `Bench ${place}` });
    ids.push(id);
  }
  await measureSeveral(product, context, large);
  for (const id of ids) await product.removeCamera(id);
}

await using small = await RtspCamera.start({ film: makeFilm() });
await using product = await Product.start();
const browser: Browser = await glass.openBrowser();
try {
  const context = await browser.newContext({ serviceWorkers: 'block', locale: 'en-US' });
  const entrance = await context.newPage();
  await glass.signIn(entrance, product.nazar.origin);
  await entrance.close();
  if (!values.scroll) await withSeveral(product, context);
  for (let place = 1; place <= many; place += 1) {
    await product.addCamera(small.url, false, { name: `Small ${place}` });
  }
  await measureMany(product, context);
} finally {
  await browser.close();
}
