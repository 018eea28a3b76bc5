/**
 * How soon the address is printed: on an empty data folder, on one that was stopped, and on one whose every process
 * was killed with -9. Promises: 4 s and 6 s for the latter two. `npm start` checks first whether there is something
 * to set up, which is measured separately. `--visits N`: the latter two with so many visits of 200 cameras, 2,000 people
 * and 20,000 strangers.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cameraRoutes, type Camera, type CameraFields } from '@nazar/contract/cameras.ts';
import { Installation, root } from '../e2e/installation.ts';
import { spreadOf, whole } from './rig/numbers.ts';
import { Machine, type Conditions } from './rig/processes.ts';
import { unevenPlace } from './rig/uneven-world.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    json: { type: 'string' },
    runs: { type: 'string', default: '5' },
    visits: { type: 'string', default: '0' },
  },
});
const runs = Number(values.runs);
const visits = Number(values.visits);
const fillMs = 60 * 60_000;

interface Measured {
  readonly name: string;
  readonly eachMs: number[];
  readonly conditions: Conditions;
}

async function measured(
  name: string,
  times: number,
  once: () => Promise<number>,
): Promise<Measured> {
  const machine = new Machine();
  const eachMs: number[] = [];
  for (let i = 0; i < times; i++) eachMs.push(await once());
  return { name, eachMs, conditions: machine.conditions() };
}

function setUp(): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/setup.mjs')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - startedAt;
}

/** Its cameras are switched off: none of them is dialled. */
async function fill(nazar: Installation): Promise<void> {
  const access = await nazar.signIn();
  const ids: string[] = [];
  for (let number = 1; number <= unevenPlace.cameras; number++) {
    const fields: Partial<CameraFields> = {
      name: `Camera ${number}`,
      location: 'Hall',
      type: 'rtsp',
      status: 'inactive',
      url: 'rtsp://127.0.0.1:1/none',
    };
    ids.push((await nazar.post<Camera>(cameraRoutes.add.path, access, fields)).id);
  }
  const program = join(import.meta.dirname, 'rig/fill-installation.ts');
  const filled = nazar.runFile(program, [String(visits)], JSON.stringify(ids), fillMs);
  if (filled.code !== 0) throw new Error(`no visits were made: ${filled.said}`);
}

async function starts(nazar: Installation): Promise<Measured[]> {
  const first = await measured('first start, empty data folder', 1, () => nazar.start());
  nazar.createAdministrator();
  if (visits > 0) await fill(nazar);
  const second = await measured('start after a stop', runs, async () => {
    await nazar.stop();
    return nazar.start();
  });
  const killed = await measured('start after kill -9 of everything', runs, async () => {
    await nazar.killAll();
    return nazar.start();
  });
  // The data must still be there, or the figures are worth nothing.
  await nazar.signIn();
  return [first, second, killed];
}

setUp();
const nazar = await Installation.create();
try {
  const nothingToDo = await measured('set-up with nothing to do', runs, async () => setUp());
  const results = [nothingToDo, ...(await starts(nazar))];
  const head = ['time to the address, ms', 'min', 'median', 'max', 'each', 'load', 'busy'];
  const rows = results.map(({ name, eachMs, conditions: { load, busy } }) => {
    const { min, p50, max } = spreadOf(eachMs);
    const each = eachMs.map(whole).join(' ');
    return [name, ...[min, p50, max].map(whole), each, load.toFixed(1), `${whole(busy * 100)} %`];
  });
  console.log(table(head, rows));
  if (values.json) writeFileSync(values.json, JSON.stringify(results, null, 2));
} finally {
  await nazar.remove();
}
