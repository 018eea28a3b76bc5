/**
 * What the timeline of a camera costs its reader, in headless Chromium on the real page: frames while it is zoomed from
 * thirty busy days to two minutes and back and scrolled through all of them, how many elements it has, and how soon a
 * still is on the screen while the playhead is dragged. What is recorded is made up here and answered in the server's
 * place, merged as the server merges it; `bench -- recordings` and `bench -- stills` measure the server.
 */
import sharp from 'sharp';
import type { CDPSession, Page } from '@playwright/test';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import type { CameraTimeline } from '@nazar/contract/recordings.ts';
import { openBrowser } from './rig/glass.ts';
import { spreadOf, tenth } from './rig/numbers.ts';
import { Product } from './rig/product.ts';
import { table } from './table.ts';

const dayMs = 86_400_000;
const days = 30;
const untilMs = Math.floor(Date.now() / dayMs) * dayMs;
const fromMs = untilMs - days * dayMs;
const people = ['Leyla', 'Ali', 'Nigar', 'Kamran', 'Aysel'];
const iso = (ms: number): string => new Date(ms).toISOString();

interface Lasting {
  readonly fromMs: number;
  untilMs: number;
}

/** Spans that begin every `everyS` and last `lastsS` each; spans closer together than the resolution are one. */
function merged(from: number, until: number, everyS: number, lastsS: number, resolutionMs: number) {
  const all: Lasting[] = [];
  const everyMs = everyS * 1_000;
  for (let at = Math.ceil(from / everyMs) * everyMs; at < until; at += everyMs) {
    const last = all.at(-1);
    const endMs = at + lastsS * 1_000;
    if (last !== undefined && at - last.untilMs <= resolutionMs) last.untilMs = endMs;
    else all.push({ fromMs: at, untilMs: endMs });
  }
  return all;
}

const lasting = (one: Lasting) => ({ started_at: iso(one.fromMs), ended_at: iso(one.untilMs) });

/** An hour of recording, five minutes without; movement each 20 s; a person each 170 s. */
function timeline(cameraId: string, query: URLSearchParams): CameraTimeline {
  const from = Math.max(fromMs, Date.parse(query.get('from')!));
  const until = Math.min(untilMs, Date.parse(query.get('until')!));
  const resolution = Number(query.get('resolution_ms'));
  const types = ['continuous', 'motion', 'scheduled', 'manual', 'test'] as const;
  return {
    camera_id: cameraId,
    spans: merged(from, until, 3_600, 3_300, resolution).map((one, index) => ({
      type: types[index % types.length]!,
      ...lasting(one),
    })),
    gaps: merged(from + 3_300_000, until, 3_600, 300, resolution).map((one) => ({
      cause: 'network' as const,
      ...lasting(one),
    })),
    motion: merged(from, until, 20, 7, resolution).map(lasting),
    faces: people.flatMap((name, index) =>
      merged(from + index * 170_000, until, 850, 8, resolution).map((one) => ({
        is_known: index > 0,
        person_id: null,
        person_name: index > 0 ? name : null,
        visits: 1,
        ...lasting(one),
      })),
    ),
  };
}

const jpegs = await Promise.all(
  Array.from({ length: 24 }, (_, index) =>
    sharp({
      create: {
        width: 320,
        height: 180,
        channels: 3,
        background: { r: index * 10, g: 120, b: 240 - index * 10 },
      },
    })
      .jpeg()
      .toBuffer(),
  ),
);

function stills(query: URLSearchParams) {
  const from = Math.max(fromMs, Date.parse(query.get('from')!));
  const until = Math.min(untilMs, Date.parse(query.get('until')!));
  const count = Number(query.get('count'));
  const stepMs = Math.max(10_000, (until - from) / count);
  const results: { at: string; jpeg: string }[] = [];
  for (let at = from; at < until; at += stepMs) {
    const jpeg = jpegs[results.length % jpegs.length]!.toString('base64');
    results.push({ at: iso(at), jpeg });
  }
  return { results };
}

interface Frames {
  readonly frames: number[];
  readonly elements: number;
}

/** Runs in the page: one turn of the wheel with each frame. */
async function wheel(turns: readonly { x: number; y: number }[]): Promise<Frames> {
  const track = document.querySelector<HTMLElement>('main [role=slider][aria-label^=Timeline]')!;
  const { left, top, width } = track.getBoundingClientRect();
  const frames: number[] = [];
  let elements = 0;
  let before = await new Promise<number>(requestAnimationFrame);
  for (const { x, y } of turns) {
    const options = { deltaX: x, deltaY: y, clientX: left + width / 2, clientY: top + 40 };
    track.dispatchEvent(new WheelEvent('wheel', { ...options, bubbles: true, cancelable: true }));
    const now = await new Promise<number>(requestAnimationFrame);
    frames.push(now - before);
    before = now;
    elements = Math.max(elements, track.closest('section')!.querySelectorAll('*').length);
  }
  return { frames, elements };
}

interface Drag {
  readonly shownMs: number[];
  readonly blank: number;
}

/** Runs in the page: from each move of the pointer to the frame that shows the still of that moment, not the one before. */
async function drag(steps: number): Promise<Drag> {
  const track = document.querySelector<HTMLElement>('main [role=slider][aria-label^=Timeline]')!;
  const { left, top, width } = track.getBoundingClientRect();
  const send = (type: string, share: number): void => {
    const place = { clientX: left + share * width, clientY: top + 5, button: 0, pointerId: 1 };
    track.dispatchEvent(new PointerEvent(type, { ...place, bubbles: true }));
  };
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- runs in the page
  const caption = (): string | null =>
    document.querySelector('[data-scrub] span')?.textContent ?? null;
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- runs in the page
  const isBlank = (): boolean => {
    const image = document.querySelector<HTMLImageElement>('[data-scrub] img');
    return image === null || !image.complete || image.naturalWidth === 0;
  };
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- runs in the page
  const painted = (): Promise<number> =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => resolve(performance.now()));
        port1.start();
        port2.postMessage(null);
      });
    });
  const shownMs: number[] = [];
  let blank = 0;
  send('pointerdown', 0.1);
  await painted();
  // The first is where the pointer is already.
  for (let step = 1; step <= steps; step++) {
    const before = caption();
    const startedAt = performance.now();
    send('pointermove', 0.1 + (0.8 * ((step * 37) % steps)) / steps);
    let now = await painted();
    if (isBlank()) blank += 1;
    const isThere = (): boolean => !isBlank() && caption() !== before;
    while (!isThere() && now - startedAt < 2_000) now = await painted();
    shownMs.push(now - startedAt);
  }
  send('pointerup', 0.5);
  return { shownMs, blank };
}

async function cpuMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
}

async function openPage(page: Page, { nazar }: Product, cameraId: string): Promise<void> {
  await page.route(/\/timeline\/\?/, (route) => {
    const { searchParams } = new URL(route.request().url());
    return route.fulfill({ json: timeline(cameraId, searchParams) });
  });
  await page.route(/\/stills\/\?/, (route) => {
    const { searchParams } = new URL(route.request().url());
    return route.fulfill({ json: stills(searchParams) });
  });
  const day = iso(untilMs - 15 * dayMs).slice(0, 10);
  await page.goto(`${nazar.origin}/recordings/${cameraId}?day=${day}`);
  await page.getByRole('slider', { name: /^Timeline of/ }).waitFor();
  await page.waitForTimeout(2_000);
}

await using product = await Product.start();
const { id } = await product.nazar.post<{ id: string }>(cameraRoutes.add.path, product.access, {
  name: 'Bench',
  location: 'Hall',
  type: 'rtsp',
  status: 'inactive',
  url: 'rtsp://127.0.0.1:1/none',
});
await using browser = await openBrowser();
const context = await browser.newContext({
  viewport: { width: 1280, height: 800 },
  locale: 'en-US',
});
await context.addInitScript(`localStorage.setItem('auth-token', '${product.access}')`);
const page = await context.newPage();
await openPage(page, product, id);
const session = await context.newCDPSession(page);
await session.send('Performance.enable');
const rows: string[][] = [];

async function measure(what: string, work: () => Promise<readonly number[]>): Promise<void> {
  const before = await cpuMs(session);
  const times = await work();
  const cpu = (await cpuMs(session)) - before;
  const { n, p50, p95, max } = spreadOf(times);
  rows.push([what, String(n), ...[p50, p95, max, cpu / n].map(tenth)]);
}

const out = { x: 0, y: 60 };
const turns = (count: number, turn: { x: number; y: number }) =>
  Array.from({ length: count }, () => turn);
let most = 0;
async function frames(moves: readonly { x: number; y: number }[]): Promise<number[]> {
  const seen = await page.evaluate(wheel, moves);
  most = Math.max(most, seen.elements);
  return seen.frames;
}

await frames(turns(60, out));
await page.waitForTimeout(1_000);
await measure('zoom to two minutes and back, frame', async () => [
  ...(await frames(turns(80, { x: 0, y: -60 }))),
  ...(await frames(turns(80, out))),
]);
await frames(turns(25, { x: 0, y: -60 }));
await page.waitForTimeout(1_000);
await measure('scroll through days and back, frame', async () => [
  ...(await frames(turns(200, { x: -60, y: 0 }))),
  ...(await frames(turns(200, { x: 60, y: 0 }))),
]);
await page.waitForTimeout(1_500);
let blank = 0;
await measure('drag, until a still is shown', async () => {
  const seen = await page.evaluate(drag, 200);
  blank = seen.blank;
  return seen.shownMs;
});
console.log(table(['what', 'times', 'median ms', '95th', 'most', 'CPU ms each'], rows));
console.log(`elements of the timeline: ${most}; frames of the drag without a still: ${blank}`);
