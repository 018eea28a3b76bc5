/**
 * What the processes keep in memory while cameras are recorded, analyzed and watched for a while: the same film over
 * and over, so that the work does not grow. The promise: at most 150 MiB a host (PSS), however long it runs.
 */
import { parseArgs } from 'node:util';
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { RtspServer } from '../e2e/film.ts';
import { freePort } from '../e2e/installation.ts';
import { cpuMsOf, groupsOf, Machine, pssMibOf, share } from './rig/processes.ts';
import { tenth, whole } from './rig/numbers.ts';
import { Product } from './rig/product.ts';
import { makeRoomFilm } from './rig/room-film.ts';
import { table } from './table.ts';
import { withFilms } from './rig/with-films.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    json: { type: 'string' },
    cameras: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
  },
});
const cameras = Number(values.cameras);
const minutes = Number(values.minutes);

interface Reading {
  readonly minute: number;
  readonly pssMib: Record<string, number>;
  /** Since the previous reading, per cent of a core. */
  readonly cpu: Record<string, number>;
  readonly load: number;
}

/** All cameras are recorded and analyzed; the first is watched. */
async function occupied(product: Product, port: number): Promise<Disposable> {
  const ids: string[] = [];
  for (let i = 0; i < cameras; i++) {
    const name = { name: `Camera ${i + 1}` };
    const camera = await product.addCamera(`rtsp://127.0.0.1:${port}/cam${i}`, true, name);
    await product.record(camera.id);
    ids.push(camera.id);
  }
  return product.watch(ids[0]!);
}

async function readings(product: Product): Promise<Reading[]> {
  const groups = groupsOf(product.nazar);
  const machine = new Machine();
  const all: Reading[] = [];
  let [cpuBefore, at] = [cpuMsOf(groups), performance.now()];
  for (let minute = 1; minute <= minutes; minute++) {
    await wait(60_000);
    const [cpuNow, now] = [cpuMsOf(groups), performance.now()];
    const perS = share(cpuBefore, cpuNow, now - at);
    const cpu = Object.fromEntries(Object.entries(perS).map(([name, ms]) => [name, ms / 10]));
    all.push({ minute, pssMib: pssMibOf(groups), cpu, load: machine.conditions().load });
    [cpuBefore, at] = [cpuNow, now];
  }
  return all;
}

function print(all: readonly Reading[]): void {
  const processes = Object.keys(all[0]!.pssMib);
  const head = ['minute', ...processes, 'load'];
  const rows = all.map(({ minute, pssMib, cpu, load }) => [
    String(minute),
    ...processes.map((name) => `${whole(pssMib[name]!)} MiB ${tenth(cpu[name]!)} %`),
    tenth(load),
  ]);
  console.log(`\n${cameras} recorded and analyzed\n${table(head, rows)}`);
}

async function run(): Promise<void> {
  using film = await makeRoomFilm(process.env['NAZAR_TEST_FACES']!);
  const more = ['--cams', String(cameras)];
  const rtsp = new RtspServer(film.folder, await freePort(), more);
  await rtsp.start();
  try {
    await using product = await Product.start();
    await product.enrol(film);
    using _watching = await occupied(product, rtsp.port);
    const all = await readings(product);
    print(all);
    if (values.json) writeFileSync(values.json, JSON.stringify({ cameras, all }, null, 2));
  } finally {
    await rtsp.stop();
  }
}

await withFilms(run);
