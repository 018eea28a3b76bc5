/**
 * What each further viewer of a camera costs the machine, by each way to the picture, and how long a snapshot takes.
 * Promises: at most 0.1 % of a core for a viewer by WebSocket, 0.5 % by WebRTC; a snapshot within 100 ms. One viewer
 * watches all the time, so that the cost of the first one is not counted. Processor time is that of the server and
 * the media host, read from the kernel; the viewers' own is this process's.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cleanup } from 'node-datachannel';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { RtspServer } from '../e2e/film.ts';
import { freePort } from '../e2e/installation.ts';
import { spreadOf, tenth, whole } from './rig/numbers.ts';
import { cpuMsOf, groupsOf, Machine, share, type Groups } from './rig/processes.ts';
import { Product } from './rig/product.ts';
import { byDetection, byMjpeg, bySocket, byWebRtc, type Viewer, type Way } from './rig/viewers.ts';
import { table } from './table.ts';
import { withFilms } from './rig/with-films.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '10' },
    snapshots: { type: 'string', default: '60' },
    /** Selects one way, by its name. */
    only: { type: 'string', default: '' },
  },
});
const rounds = Number(values.rounds);
const measureMs = Number(values.seconds) * 1000;
const settleMs = 2_000;

interface Kind {
  readonly name: string;
  readonly way: Way;
  readonly viewers: number;
  /** One viewer of this kind watches before the others come: their pictures are made for it already. */
  readonly needsFirst: boolean;
}

const kinds: readonly Kind[] = [
  { name: 'WebSocket', way: bySocket, viewers: 30, needsFirst: false },
  { name: 'WebRTC', way: byWebRtc, viewers: 10, needsFirst: true },
  { name: 'JPEGs', way: byMjpeg, viewers: 10, needsFirst: true },
  { name: 'JPEGs with boxes', way: byDetection, viewers: 10, needsFirst: true },
];

interface Load {
  /** Milliseconds of one core a second. */
  readonly cpu: number;
  /** Pictures a second for each viewer. */
  readonly pictures: number;
}

async function loadOf(groups: Groups, viewers: readonly Viewer[]): Promise<Load> {
  await wait(settleMs);
  const startedAt = performance.now();
  const seen = viewers.map(({ pictures }) => pictures);
  const before = cpuMsOf(groups);
  await wait(measureMs);
  const forMs = performance.now() - startedAt;
  const cpu = share(before, cpuMsOf(groups), forMs);
  const all = viewers.reduce((sum, { pictures }, index) => sum + pictures - seen[index]!, 0);
  return {
    cpu: (cpu['server'] ?? 0) + (cpu['media host'] ?? 0),
    pictures: viewers.length > 0 ? all / viewers.length / (forMs / 1000) : 0,
  };
}

const mean = (figures: readonly number[]): number =>
  figures.reduce((a, b) => a + b, 0) / figures.length;

async function measure(product: Product, cameraId: string, kind: Kind): Promise<string[]> {
  const groups = groupsOf(product.nazar);
  const machine = new Machine();
  const costs: number[] = [];
  const firsts: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await using open = new AsyncDisposableStack();
    const alone = await loadOf(groups, []);
    if (kind.needsFirst) open.use(await kind.way(product, cameraId));
    const base = kind.needsFirst ? await loadOf(groups, []) : alone;
    const viewers: Viewer[] = [];
    for (let one = 0; one < kind.viewers; one++) {
      viewers.push(open.use(await kind.way(product, cameraId)));
    }
    const loaded = await loadOf(groups, viewers);
    costs.push((loaded.cpu - base.cpu) / kind.viewers / 10);
    firsts.push((base.cpu - alone.cpu) / 10);
    rates.push(loaded.pictures);
  }
  const { load, busy } = machine.conditions();
  return [
    kind.name,
    String(kind.viewers),
    kind.needsFirst ? mean(firsts).toFixed(2) : '-',
    mean(costs).toFixed(3),
    costs.map((cost) => cost.toFixed(3)).join(' '),
    tenth(mean(rates)),
    tenth(load),
    `${whole(busy * 100)} %`,
  ];
}

async function snapshots(product: Product, cameraId: string): Promise<void> {
  const path = cameraRoutes.snapshot.path.replace(':id', cameraId);
  const groups = groupsOf(product.nazar);
  const { nazar, access } = product;
  const waits: number[] = [];
  const before = cpuMsOf(groups);
  const startedAt = performance.now();
  for (let one = 0; one < Number(values.snapshots); one++) {
    const askedAt = performance.now();
    const reply = await nazar.call('GET', path, { access });
    if (!reply.ok) throw new Error(`${reply.status}`);
    await reply.arrayBuffer();
    waits.push(performance.now() - askedAt);
    await wait(50);
  }
  const forMs = performance.now() - startedAt;
  const cpu = share(before, cpuMsOf(groups), forMs);
  const { n, p50, p95, max } = spreadOf(waits);
  console.log(
    `\n${n} snapshots of 1280x720: p50 ${whole(p50)} ms, p95 ${whole(p95)} ms, longest ${whole(max)} ms; meanwhile server ${tenth((cpu['server'] ?? 0) / 10)} % and media host ${tenth((cpu['media host'] ?? 0) / 10)} % of a core`,
  );
}

async function run(url: string): Promise<void> {
  await using product = await Product.start();
  const { id } = await product.addCamera(url, false);
  await using _first = await bySocket(product, id);
  const rows: string[][] = [];
  const chosen = kinds.filter(({ name }) => values.only === '' || values.only === name);
  for (const kind of chosen) rows.push(await measure(product, id, kind));
  const head = ['by', 'viewers', 'first, % of a core', 'each further, %', 'each round', 'fps'];
  console.log(`\n${table([...head, 'load', 'busy'], rows)}`);
  await snapshots(product, id);
}

await withFilms(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-clock-'));
  writeFileSync(join(folder, 'faces720.h264'), '');
  const rtsp = new RtspServer(folder, await freePort());
  try {
    await rtsp.start();
    await run(`rtsp://127.0.0.1:${rtsp.port}/clock`);
  } finally {
    await rtsp.stop();
    cleanup();
    rmSync(folder, { recursive: true, force: true });
  }
});
