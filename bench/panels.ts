/**
 * What the log panels take of a browser with visits of the uneven shape, 2,000 people among them: nodes in the document
 * and the longest task of each panel of 90 days, its filters opened, in headless Chromium with a processor slowed down
 * to a quarter. Promised are at most 4,000 nodes and no task over 200 ms. `--visits N` (1,000,000); `--rounds N` (3):
 * the median is written; `--json FILE` also writes the figures there.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Page } from '@playwright/test';
import { step } from './rig/fill.ts';
import { spreadOf, tenth, whole } from './rig/numbers.ts';
import { Machine } from './rig/processes.ts';
import { unevenClock, unevenPlace, unevenServer } from './rig/uneven-world.ts';
import { countAll } from './rig/visits.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    visits: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const slowness = 4;
/** The last task of a page may come after its last answer. */
const settleMs = 1_500;

/** A page by its address, and what the reader does on it. */
interface Step {
  readonly what: string;
  readonly address: string;
  /** Where the reader comes from. */
  readonly from: string;
  readonly act?: (page: Page) => Promise<unknown>;
}

const period = 'from=2025-10-18&to=2026-01-15';
const panel = (name: string, more = ''): string =>
  `/activity-log?tab=analytics&${period}&panel=${name}${more}`;
const firstPerson = (page: Page) => page.locator('main ul li > button').first();

const overview = panel('overview');
const profile = '/profile';

const steps: readonly Step[] = [
  { what: 'overview', address: overview, from: panel('daily') },
  ...['faces', 'heatmap', 'timeline', 'daily', 'people', 'cameras', 'system'].map((name) => ({
    what: name,
    address: panel(name),
    from: overview,
  })),
  { what: 'heatmap by week', address: panel('heatmap', '&scale=week'), from: panel('heatmap') },
  { what: 'daily, as a table', address: panel('daily', '&form=table'), from: panel('daily') },
  {
    what: 'people, a person chosen',
    address: panel('people'),
    from: overview,
    act: (page) => firstPerson(page).click(),
  },
  { what: 'cards of visits', address: '/activity-log', from: profile },
  { what: 'Dashboard', address: '/', from: profile },
  { what: 'Cameras', address: '/cameras', from: profile },
  { what: 'Face Database', address: '/face-database', from: profile },
  { what: 'unknown people', address: '/face-database?tab=unknown', from: profile },
];

interface Taken {
  readonly nodes: number;
  /** The longest task of the page's main thread, in milliseconds of its processor times `slowness`. */
  readonly loadedMs: number;
  readonly openedMs: number;
}

/** Loaded anew, and opened from another page or panel, as a reader goes through the product. */
async function take(browser: Browser, origin: string, access: string, step: Step): Promise<Taken> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    serviceWorkers: 'block',
  });
  try {
    await context.addInitScript(`localStorage.setItem('auth-token', '${access}')`);
    const loaded = await context.newPage();
    const loadedMs = await longestTask(browser, loaded, async () => {
      await loaded.goto(origin + step.address);
      await settle(loaded);
    });
    await loaded.close();
    const page = await context.newPage();
    await page.goto(origin + step.from);
    await settle(page);
    const openedMs = await longestTask(browser, page, async () => {
      await page.evaluate((address) => window.history.pushState({}, '', address), step.address);
      await settle(page);
      await step.act?.(page);
      await settle(page);
    });
    const shown = process.env['PANELS_PICTURES'];
    if (shown) await page.screenshot({ path: join(shown, `${step.what}.png`) });
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    return { nodes, loadedMs, openedMs };
  } finally {
    await context.close();
  }
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time of the thread, in microseconds. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Processor time, because wall time says more about what else this machine does. */
async function longestTask(
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
): Promise<number> {
  await browser.startTracing(page, { categories: ['devtools.timeline', 'toplevel'] });
  await work();
  const trace = (await browser.stopTracing()).toString();
  const { traceEvents: events } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const thread = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(thread),
  );
  const tasks = events.filter(
    (event) => event.name.endsWith('RunTask') && mains.has(thread(event)),
  );
  if (tasks.length === 0) throw new Error('the trace has no task of a page');
  return (Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000) * slowness;
}

async function settle(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(settleMs);
}

const size = { ...unevenPlace, visits: Number(values.visits) };
const webDir = join(import.meta.dirname, '../web/dist');
await using made = await step('filling', () => unevenServer(size, { clock: unevenClock, webDir }));
await countAll(made.world.database.db);
const { app } = made.world;
const origin = await app.listen({ host: '127.0.0.1', port: 0 });
const machine = new Machine();
const browser = await chromium.launch({
  executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
});
const figures: Record<string, Taken[]> = {};
try {
  for (const one of steps) {
    const all: Taken[] = [];
    for (let round = 0; round < rounds; round += 1)
      all.push(await take(browser, origin, made.readers.all.access, one));
    figures[one.what] = all;
    process.stderr.write(`${one.what}: ${JSON.stringify(all)}\n`);
  }
} finally {
  await browser.close();
}
const { load, busy } = machine.conditions();
console.log(
  table(
    [
      'what',
      'nodes',
      'longest task opened, ms',
      'of all rounds',
      'loaded anew, ms',
      'of all rounds',
    ],
    Object.entries(figures).map(([what, all]) => [
      what,
      whole(Math.max(...all.map(({ nodes }) => nodes))),
      ...(['openedMs', 'loadedMs'] as const).flatMap((key) => {
        const times = all.map((taken) => taken[key]);
        return [whole(spreadOf(times).p50), whole(Math.max(...times))];
      }),
    ]),
  ),
);
console.log(`load ${tenth(load)}, ${whole(busy * 100)} % busy`);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(figures, null, 2));
