/**
 * How old the picture of the live view is, and how soon it is there: the product's own page in headless
 * Chromium, reading back the time that the test camera draws into each picture; and a multipart JPEG peer
 * of the same stream, in turn, in the same run. Promises: from glass to glass at most 150 ms (median), first
 * picture within 500 ms of opening. A real camera's own delay comes on top.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { RtspServer } from '../e2e/film.ts';
import { freePort } from '../e2e/installation.ts';
import * as glass from './rig/glass.ts';
import { spreadOf, tenth, whole, type Spread } from './rig/numbers.ts';
import {
  cpuMsOf,
  groupsOf,
  Machine,
  share,
  type Conditions,
  type Groups,
} from './rig/processes.ts';
import { Product } from './rig/product.ts';
import { table } from './table.ts';
import { withFilms } from './rig/with-films.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    json: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    /** The camera recognises people too, as most do: it costs processor time that pictures wait for. */
    recognition: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const measureMs = Number(values.seconds) * 1000;
/** The player finds its distance to the live edge within this. */
const settleMs = 3_000;

interface Round {
  readonly read: glass.Read;
  readonly cpu: Record<string, number>;
  readonly conditions: Conditions;
}

/** Milliseconds from opening to the first picture, by the way it was opened. */
type Firsts = Record<string, number[]>;

const ways = {
  route: 'in-app route',
  card: 'click on a card',
  page: 'whole page',
  lowLatency: 'low-latency switch (waits 500 ms)',
  mjpeg: 'MJPEG page',
};

class Run {
  readonly live: Round[] = [];
  readonly lowLatency: Round[] = [];
  readonly mjpeg: Round[] = [];
  readonly firsts: Firsts = { route: [], card: [], page: [], lowLatency: [], mjpeg: [] };
  readonly #product: Product;
  readonly #groups: Groups;
  readonly #context: BrowserContext;
  readonly #livePath: string;
  readonly #peerAddress: string;

  constructor(product: Product, cameraId: string, peer: Peer, context: BrowserContext) {
    this.#product = product;
    this.#groups = { ...groupsOf(product.nazar), 'MJPEG peer': [peer.pid] };
    this.#context = context;
    this.#livePath = `/cameras/${cameraId}`;
    this.#peerAddress = peer.address;
  }

  async round(): Promise<void> {
    const { origin } = this.#product.nazar;
    await this.#inTab(async (page) => {
      await page.goto(origin);
      await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
      this.firsts['route']!.push(await glass.openRoute(page, this.#livePath));
      this.live.push(await this.#measure(page));
      this.firsts['lowLatency']!.push(await glass.openLowLatency(page));
      this.lowLatency.push(await this.#measure(page));
    });
    await this.#inTab(async (page) => {
      this.firsts['mjpeg']!.push(await glass.openAddress(page, this.#peerAddress, 'img'));
      this.mjpeg.push(await this.#measure(page));
    });
    await this.#inTab(async (page) => {
      await page.goto(`${origin}/cameras`);
      await page.locator('video[aria-hidden=false]').waitFor();
      this.firsts['card']!.push(await glass.openCard(page));
    });
    await this.#inTab(async (page) => {
      this.firsts['page']!.push(await glass.openLivePage(page, origin + this.#livePath));
    });
  }

  async #inTab(act: (page: Page) => Promise<void>): Promise<void> {
    const page = await glass.openTab(this.#context);
    try {
      await act(page);
    } finally {
      await page.close();
    }
  }

  async #measure(page: Page): Promise<Round> {
    await wait(settleMs);
    await glass.take(page);
    const machine = new Machine();
    const startedAt = performance.now();
    const before = cpuMsOf(this.#groups);
    await wait(measureMs);
    const read = await glass.take(page);
    const cpu = share(before, cpuMsOf(this.#groups), performance.now() - startedAt);
    return { read, cpu, conditions: machine.conditions() };
  }
}

/** The MJPEG server, in a process of its own. */
class Peer implements Disposable {
  readonly address: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, address: string) {
    this.#child = child;
    this.address = address;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  static async start(url: string): Promise<Peer> {
    const program = join(import.meta.dirname, 'rig/mjpeg-peer.ts');
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const child = spawn(process.execPath, [program, url], { stdio: [...stdio] });
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('exit', (code) => reject(new Error(`the MJPEG peer ended with ${code}`)));
    return new Peer(child, await promise);
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }
}

const all = (rounds: readonly Round[], pick: (read: glass.Read) => readonly number[]): Spread =>
  spreadOf(rounds.flatMap(({ read }) => [...pick(read)]));

const sum = (rounds: readonly Round[], pick: (read: glass.Read) => number): number =>
  rounds.reduce((total, { read }) => total + pick(read), 0);

function meanCpu(rounds: readonly Round[], names: readonly string[]): number {
  const sums = rounds.map(({ cpu }) => names.reduce((sum, name) => sum + (cpu[name] ?? 0), 0));
  return sums.reduce((a, b) => a + b, 0) / sums.length;
}

function rowOf(name: string, taken: readonly Round[], processes: readonly string[]): string[] {
  const latency = all(taken, (read) => read.latencyMs);
  const edge = all(taken, (read) => read.edgeMs);
  const load = taken.reduce((sum, { conditions }) => sum + conditions.load, 0) / taken.length;
  const busy = taken.reduce((sum, { conditions }) => sum + conditions.busy, 0) / taken.length;
  const perS = (latency.n / taken.length / measureMs) * 1000;
  return [
    name,
    ...[latency.min, latency.p50, latency.p95, latency.max].map(whole),
    tenth(perS),
    whole(edge.p50),
    whole(edge.p95),
    whole(sum(taken, (read) => read.stalls)),
    whole(sum(taken, (read) => read.dropped)),
    whole(sum(taken, (read) => read.pausesMs.length)),
    tenth(meanCpu(taken, processes)),
    tenth(load),
    `${whole(busy * 100)} %`,
  ];
}

function print({ live, lowLatency, mjpeg, firsts }: Run): void {
  const head = ['glass to glass, ms', 'min', 'p50', 'p95', 'max', 'fps', 'edge p50', 'edge p95'];
  const served = ['server', 'media host'];
  const peer = ['MJPEG peer'];
  const rows = [
    rowOf('live view (MSE)', live, served),
    rowOf('low latency (WebRTC)', lowLatency, served),
    rowOf('MJPEG peer in an <img>', mjpeg, peer),
  ];
  const calm = ['stalls', 'dropped', 'pauses > 100 ms'];
  console.log(`\n${table([...head, ...calm, 'CPU ms/s', 'load', 'busy'], rows)}`);
  const [ours, theirs] = [live, mjpeg].map((it) => all(it, (read) => read.latencyMs).p50);
  const cost = meanCpu(live, served) / meanCpu(mjpeg, peer);
  console.log(
    `\nlive view to MJPEG: ${(ours! / theirs!).toFixed(2)} of its delay, ${cost.toFixed(2)} of its processor time`,
  );
  const names = Object.keys(live[0]!.cpu);
  const costs = names.map((name) => [
    name,
    ...[live, lowLatency, mjpeg].map((it) => tenth(meanCpu(it, [name]))),
  ]);
  console.log(
    `\n${table(['CPU ms/s', 'while live view', 'while low latency', 'while MJPEG'], costs)}`,
  );
  const waits = Object.entries(ways).map(([way, name]) => {
    const { min, p50, max } = spreadOf(firsts[way]!);
    return [name, ...[min, p50, max].map(whole), firsts[way]!.map(whole).join(' ')];
  });
  console.log(`\n${table(['first picture, ms', 'min', 'median', 'max', 'each'], waits)}`);
}

/** The RTSP server wants a film; the clock needs none. */
async function withClock(act: (url: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-clock-'));
  writeFileSync(join(folder, 'faces720.h264'), '');
  const rtsp = new RtspServer(folder, await freePort());
  try {
    await rtsp.start();
    await act(`rtsp://127.0.0.1:${rtsp.port}/clock`);
  } finally {
    await rtsp.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(url: string): Promise<void> {
  await using product = await Product.start();
  const camera = await product.addCamera(url, values.recognition);
  using peer = await Peer.start(url);
  const browser: Browser = await glass.openBrowser();
  try {
    const context = await browser.newContext({ serviceWorkers: 'block', locale: 'en-US' });
    const entrance = await glass.openTab(context);
    await glass.signIn(entrance, product.nazar.origin);
    await entrance.close();
    const run = new Run(product, camera.id, peer, context);
    for (let i = 0; i < rounds; i++) await run.round();
    console.log(
      `${rounds} rounds of ${values.seconds} s; recognition ${values.recognition ? 'on' : 'off'}`,
    );
    print(run);
    const { live, lowLatency, mjpeg, firsts } = run;
    if (values.json)
      writeFileSync(values.json, JSON.stringify({ live, lowLatency, mjpeg, firsts }, null, 2));
  } finally {
    await browser.close();
  }
}

await withFilms(() => withClock(measure));
