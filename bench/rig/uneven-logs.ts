/**
 * Every list, page, filter, order and panel of visits on data of the uneven shape, by name, for a user who sees all
 * and for a user with five cameras, with names and without. Milliseconds beside those of a call that reads next to
 * nothing, and the processor's of one call: PostgreSQL and this process together, which hardly depend on other work.
 * `--visits N` (10,000,000 when left out), 200 cameras, 400 days, 2,000 people, 20,000 strangers; `--at-once 1,10`
 * (1): each question that often at the same time, of the same data; `--only TEXT`: of which the name has that part; `--json FILE` also writes the figures there.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { SignedIn } from '../../server/src/testing/server.ts';
import { table } from '../table.ts';
import { step } from './fill.ts';
import { spreadOf, tenth } from './numbers.ts';
import { cpuMsWith } from './postmaster.ts';
import { trivialCalls } from './trivial-calls.ts';
import { pagesOf, panelsOf } from './uneven-questions.ts';
import { unevenPlace, unevenServer } from './uneven-world.ts';
import { countAll } from './visits.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    shape: { type: 'string' },
    visits: { type: 'string', default: '10000000' },
    'at-once': { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
  },
});
const size = { ...unevenPlace, visits: Number(values.visits) };
const loads = values['at-once'].split(',').map(Number);
const calls = 12;
/** What is that slow is asked less often. */
const patienceMs = 20_000;

interface Figure {
  readonly what: string;
  readonly atOnce: number;
  readonly reader: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly cpuMs: number;
  /** The 95th percentile of the trivial call, which is asked beside it all the time. */
  readonly besideP95Ms: number;
  /** What was answered instead of 200, when anything was. */
  readonly refused: string | null;
}

await using made = await step('filling', () => unevenServer(size));
const { db } = made.world.database;
await countAll(db);

const figures: Figure[] = [];
for (const atOnce of loads) {
  for (const [reader, who] of Object.entries(made.readers)) {
    for (const { what, path } of [...pagesOf(made.shape), ...panelsOf(made.shape)]) {
      if (!what.includes(values.only)) continue;
      const figure = {
        what,
        reader,
        atOnce,
        ...(await measure(who, `/secure-api/${path}`, atOnce)),
      };
      figures.push(figure);
      const { p50Ms, cpuMs, refused } = figure;
      process.stderr.write(
        `${what}, ${reader}, ${atOnce}: ${tenth(p50Ms)} ms, cpu ${tenth(cpuMs)} ${refused ?? ''}\n`,
      );
    }
  }
}
console.log(
  table(
    [
      'what',
      'reader',
      'at once',
      'ms, median',
      'ms, 95th',
      'cpu, ms',
      'trivial call beside, 95th',
      '',
    ],
    figures.map((figure) => [
      figure.what,
      figure.reader,
      String(figure.atOnce),
      tenth(figure.p50Ms),
      tenth(figure.p95Ms),
      tenth(figure.cpuMs),
      tenth(figure.besideP95Ms),
      figure.refused ?? '',
    ]),
  ),
);
if (values.json) writeFileSync(values.json, JSON.stringify({ size, figures }, null, 2));

async function measure(
  who: SignedIn,
  path: string,
  atOnce: number,
): Promise<Omit<Figure, 'what' | 'reader' | 'atOnce'>> {
  const times: number[] = [];
  let refused: string | null = null;
  const ask = async (): Promise<void> => {
    const startedAtMs = performance.now();
    const { status, text } = await who.get(path);
    times.push(performance.now() - startedAtMs);
    if (status !== 200) refused = `${status} ${text.slice(0, 60)}`;
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  times.length = 0;
  const cpuBeforeMs = await cpuMsWith(db);
  const beganAtMs = performance.now();
  for (let call = 0; call < calls && performance.now() - beganAtMs < patienceMs; call += 1) {
    await Promise.all(Array.from({ length: atOnce }, ask));
  }
  const cpu = ((await cpuMsWith(db)) - cpuBeforeMs) / times.length;
  const { p50, p95 } = spreadOf(times);
  const besideP95Ms = await beside(ask, who, atOnce);
  return { p50Ms: p50, p95Ms: p95, cpuMs: cpu, besideP95Ms, refused };
}

/** What trivial calls take at the 95th while the others are under way, in milliseconds. */
async function beside(ask: () => Promise<void>, who: SignedIn, atOnce: number): Promise<number> {
  let isOver = false;
  const asking = Promise.all(Array.from({ length: atOnce }, ask)).finally(() => (isOver = true));
  const times = await trivialCalls(who, () => isOver);
  await asking;
  return spreadOf(times).p95;
}
