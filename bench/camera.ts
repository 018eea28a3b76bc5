/**
 * What one camera costs: films of known people on a real RTSP server, ingested by the real product, first alone, then
 * with a viewer, then with recognition too; in one film all of every picture moves, in the other people walk through
 * a still room. Promises: one 720p30 camera with live view and detection at 5 fps takes at most 25 % of one core, of
 * which the vision host takes 8 % with motion; at most 20 ms of all processes together for each analyzed picture of
 * 640x360.
 */
import { parseArgs } from 'node:util';
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Camera } from '@nazar/contract/cameras.ts';
import { makeFilm, RtspServer } from '../e2e/film.ts';
import { freePort } from '../e2e/installation.ts';
import { cpuMsOf, groupsOf, Machine, pssMibOf, share, type Conditions } from './rig/processes.ts';
import { tenth, whole } from './rig/numbers.ts';
import { Product } from './rig/product.ts';
import { makeRoomFilm } from './rig/room-film.ts';
import { table } from './table.ts';
import { visionCounts } from './rig/vision-counts.ts';
import { withFilms } from './rig/with-films.ts';

/** Processor milliseconds a second by process, and the work done with them. */
interface Phase {
  readonly name: string;
  readonly cpu: Record<string, number>;
  readonly pss: Record<string, number>;
  readonly detectionsPerS: number;
  readonly chipsPerS: number;
  readonly fragmentsPerS: number;
  readonly conditions: Conditions;
}

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    json: { type: 'string' },
    seconds: { type: 'string', default: '36' },
    /** Selects the films. */
    only: { type: 'string', default: 'moving,room' },
    /** What the camera's form asks for: the promises are of 5. */
    fps: { type: 'string', default: '5' },
  },
});
const settleMs = 3_000;
/** The films loop after 36 to 40 s: a whole loop has every face once. */
const measureMs = Number(values.seconds) * 1000;

const total = (by: Record<string, number>): number => Object.values(by).reduce((a, b) => a + b, 0);

async function measured(
  product: Product,
  name: string,
  forMs: number,
  fragments: () => number,
): Promise<Phase> {
  await wait(settleMs);
  const groups = groupsOf(product.nazar);
  const machine = new Machine();
  const startedAt = performance.now();
  const [cpuBefore, countsBefore] = [cpuMsOf(groups), await visionCounts(product.nazar)];
  const fragmentsBefore = fragments();
  await wait(forMs);
  const countsAfter = await visionCounts(product.nazar);
  const cpuAfter = cpuMsOf(groups);
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    name,
    cpu: share(cpuBefore, cpuAfter, seconds * 1000),
    pss: pssMibOf(groups),
    detectionsPerS: (countsAfter.pictures - countsBefore.pictures) / seconds,
    chipsPerS: (countsAfter.chips - countsBefore.chips) / seconds,
    fragmentsPerS: (fragments() - fragmentsBefore) / seconds,
    conditions: machine.conditions(),
  };
}

/** Ingest alone; with a viewer; with both. Named people prove that the measured work was done. */
async function phases(
  product: Product,
  url: string,
): Promise<{ phases: Phase[]; names: string[] }> {
  const deaf = await product.addCamera(url, false);
  const alone = await measured(product, 'ingest', measureMs / 3, () => 0);
  const viewed = await watched(product, deaf, 'ingest, 1 viewer', measureMs / 3);
  await product.removeCamera(deaf.id);
  const camera = await product.addCamera(url, true, { fps: Number(values.fps) });
  const both = await watched(product, camera, 'ingest, 1 viewer, recognition', measureMs);
  await product.removeCamera(camera.id);
  return { phases: [alone, viewed.phase, both.phase], names: both.names };
}

async function watched(product: Product, camera: Camera, name: string, forMs: number) {
  using watching = await product.watch(camera.id);
  const phase = await measured(product, name, forMs, () => watching.fragments);
  return { phase, names: [...watching.names] };
}

function print(title: string, { phases, names }: { phases: Phase[]; names: string[] }): void {
  const processes = Object.keys(phases[0]!.cpu);
  const head = [
    title,
    ...processes,
    'together',
    'detections/s',
    'chips/s',
    'ms/detection',
    'load',
    'busy',
  ];
  const rows = phases.map(({ name, cpu, detectionsPerS, chipsPerS, conditions }) => [
    name,
    ...processes.map((process) => `${tenth(cpu[process]! / 10)} %`),
    `${tenth(total(cpu) / 10)} %`,
    tenth(detectionsPerS),
    tenth(chipsPerS),
    detectionsPerS > 0 ? tenth(total(cpu) / detectionsPerS) : '-',
    tenth(conditions.load),
    `${whole(conditions.busy * 100)} %`,
  ]);
  console.log(`\n${table(head, rows)}`);
  const last = phases.at(-1)!;
  const memory = [...processes.map((process) => whole(last.pss[process]!)), whole(total(last.pss))];
  console.log(`\n${table(['memory', ...processes, 'together'], [['PSS, MiB', ...memory]])}`);
  console.log(
    `\n${whole(last.fragmentsPerS)} fragments/s to the viewer; named: ${names.join(', ')}`,
  );
}

const films = {
  moving: { says: 'all of it moves', make: makeFilm },
  room: {
    says: 'people walk through a room',
    make: () => makeRoomFilm(process.env['NAZAR_TEST_FACES']!),
  },
} as const;

async function costOf(name: keyof typeof films): Promise<Record<string, object>> {
  const { says, make } = films[name];
  using film = await make();
  const rtsp = new RtspServer(film.folder, await freePort());
  await rtsp.start();
  try {
    await using product = await Product.start();
    await product.enrol(film);
    const results: Record<string, object> = {};
    for (const [path, size] of [
      ['cam0', '1280x720, 30 fps'],
      ['sub0', '640x360, 10 fps'],
    ] as const) {
      const result = await phases(product, `rtsp://127.0.0.1:${rtsp.port}/${path}`);
      const title = `${size}, ${says}`;
      print(title, result);
      results[title] = result;
    }
    return results;
  } finally {
    await rtsp.stop();
  }
}

async function run(): Promise<void> {
  const results: Record<string, object> = {};
  for (const name of Object.keys(films) as (keyof typeof films)[]) {
    if (values.only.split(',').includes(name)) Object.assign(results, await costOf(name));
  }
  if (values.json) writeFileSync(values.json, JSON.stringify(results, null, 2));
}

await withFilms(run);
