/**
 * What it takes to name a stranger and to erase a person of many visits, and how long a call and a visit of another
 * person wait meanwhile. Visits of the uneven shape, 200 cameras, 400 days; `--visits N` (600,000 when left out),
 * of which `--theirs N` (100,000) are the person's, with a picture each, and `--unknown N` (40,000) the stranger's, who
 * was never in view with the person. Milliseconds on the clock, and of processor: PostgreSQL and this process together.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { testPassword } from '../server/src/testing/server.ts';
import { step } from './rig/fill.ts';
import { fillPopular } from './rig/popular.ts';
import { spreadOf, tenth } from './rig/numbers.ts';
import { cpuMsWith } from './rig/postmaster.ts';
import { trivialCalls } from './rig/trivial-calls.ts';
import { unevenPlace, unevenServer } from './rig/uneven-world.ts';
import { popular } from './rig/uneven-visits.ts';
import { countAll } from './rig/visits.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    visits: { type: 'string', default: '600000' },
    theirs: { type: 'string', default: '100000' },
    unknown: { type: 'string', default: '40000' },
  },
});
const size = { ...unevenPlace, visits: Number(values.visits) };

interface Figure {
  readonly what: string;
  readonly tookMs: number;
  readonly cpuMs: number;
  readonly besideMs: readonly number[];
  readonly visitMs: readonly number[];
}

await using made = await step('filling', () => unevenServer(size));
const { db } = made.world.database;
const { personId } = popular;
const strangerId = popular.strangerId(size.people);
await step('popular', () =>
  fillPopular(db, {
    people: size.people,
    theirs: Number(values.theirs),
    unknown: Number(values.unknown),
  }),
);
await countAll(db);
const admin = made.readers.all;
const place = await placeOfLast();

const figures = [
  await measure('name the stranger as the person', async () => {
    const path = `/secure-api/faces/unknown/${strangerId}/identify/`;
    const { status, text } = await admin.send('POST', path, { face: personId });
    if (status !== 200) throw new Error(text);
  }),
  await measure('and the counts of their visits are moved', countsAreMoved),
  await measure('take the name back', async () => {
    const path = `/secure-api/faces/unknown/${strangerId}/`;
    const { correction } = (await admin.get(path)).json<{ correction: { id: string } }>();
    const { status, text } = await admin.send('POST', `${path}undo/`, {
      correction: correction.id,
    });
    if (status !== 200) throw new Error(text);
  }),
  await measure('and the counts are moved back', countsAreMoved),
  await measure('erase the person: gone for every reader', async () => {
    const path = `/secure-api/privacy/people/${personId}/erase/`;
    const { status, text } = await admin.send('POST', path, { password: testPassword });
    if (status !== 202) throw new Error(text);
  }),
  await measure('and nothing of them in the rows', () => erasureIs('removed_at')),
  await measure('and the disk is clean', () => erasureIs('cleaned_at')),
];
const spread = (times: readonly number[]): string => {
  const { p50, p95 } = spreadOf(times);
  return `${tenth(p50)}, ${tenth(p95)}, ${tenth(Math.max(...times))}`;
};
console.log(
  table(
    ['what', 'ms', 'cpu, ms', 'a call beside: median, 95th, longest', 'a visit beside'],
    figures.map(({ what, tookMs, cpuMs, besideMs, visitMs }) => [
      what,
      tenth(tookMs),
      tenth(cpuMs),
      spread(besideMs),
      spread(visitMs),
    ]),
  ),
);

async function erasureIs(stage: 'removed_at' | 'cleaned_at'): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ at: Date | null }>`
      select ${sql.ref(stage)} as at from erasure where subject_id = ${personId}`.execute(
      db.read(),
    );
    if (rows[0]?.at) return;
    await sleep(50);
  }
}

async function countsAreMoved(): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from visit_naming limit 1`.execute(db.read());
    if (rows.length === 0) return;
    await sleep(50);
  }
}

async function measure(what: string, work: () => Promise<void>): Promise<Figure> {
  const cpuBeforeMs = await cpuMsWith(db);
  const beganAtMs = performance.now();
  let tookMs = 0;
  let isOver = false;
  const working = work().finally(() => {
    tookMs = performance.now() - beganAtMs;
    isOver = true;
  });
  const besides = Promise.all([trivialCalls(admin, () => isOver), recorded(() => isOver)]);
  await working;
  const [besideMs, visitMs] = await besides;
  const figure = { what, tookMs, cpuMs: (await cpuMsWith(db)) - cpuBeforeMs, besideMs, visitMs };
  process.stderr.write(`${what}: ${tenth(tookMs)} ms\n`);
  return figure;
}

/** Visits of an unknown person, under the lock that the product takes for them, at the camera and hour of their last. */
async function recorded(isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  do {
    const startedAtMs = performance.now();
    await oneVisit();
    times.push(performance.now() - startedAtMs);
    await sleep(20);
  } while (!isOver());
  return times;
}

async function oneVisit(): Promise<void> {
  await db.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('faces.strangers', 0))`.execute(
      tx.as(),
    );
    await sql`
      insert into visit (id, camera_id, identity_id, started_at, ended_at, quality)
      values (uuidv7(), ${place.camera_id}, ${strangerId.replace(/.$/, '9')}::uuid, ${place.started_at},
              ${place.started_at}, 0.9)`.execute(tx.as());
  });
}

async function placeOfLast(): Promise<{ camera_id: string; started_at: Date }> {
  const { rows } = await sql<{ camera_id: string; started_at: Date }>`
    select camera_id, started_at from visit where identity_id in
      (select id from identity where person_id = ${personId} or id = ${strangerId})
    order by started_at desc limit 1`.execute(db.read());
  return rows[0]!;
}
