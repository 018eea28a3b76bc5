/**
 * What verifying the whole activity log costs (C-803: 1,000,000 entries within 60 s on an idle machine), beside
 * reading the same rows and throwing them away; and what memory reading all of it takes (C-716). `--entries N`,
 * 1,000,000 when left out. Processor time is this process's: PostgreSQL reads beside it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { ActivityLog, startSealer, verifyChain } from '../server/src/activity/activity.ts';
import { ActivityStore, type SealedEntry } from '../server/src/activity/store.ts';
import type { Database } from '../server/src/db/database.ts';
import { aWorld, quietLog as log } from '../server/src/testing/world.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { entries: { type: 'string', default: '1000000' } },
});
const entries = Number(values.entries);
const entriesPerInsert = 20_000;
/** As many as verifying reads at a time. */
const entriesPerPage = 10_000;
const sampleMs = 20;
const mib = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'nazar-bench-record-'));
const rows: string[][] = [];

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Memory is that of the whole process, counted from what is left when the step before is over. */
async function measure<T>(what: string, work: () => Promise<T>): Promise<T> {
  collectGarbage();
  const beforeBytes = process.memoryUsage.rss();
  let peakBytes = beforeBytes;
  const sample = (): void => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  };
  const startedAtMs = performance.now();
  const cpu = process.cpuUsage();
  const sampling = setInterval(sample, sampleMs);
  const result = await work().finally(() => clearInterval(sampling));
  sample();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - startedAtMs) / 1000;
  const figures = [seconds, (user + system) / 1_000_000].map((figure) => figure.toFixed(1));
  const sizes = [beforeBytes, peakBytes].map((bytes) => (bytes / mib).toFixed(0));
  rows.push([what, ...figures, ...sizes]);
  return result;
}

/** Entries as long as that of a change of a camera, a second apart. */
async function fill(db: Database, until: Date): Promise<void> {
  for (let from = 1; from <= entries; from += entriesPerInsert) {
    const to = Math.min(entries, from + entriesPerInsert - 1);
    await sql`
      insert into audit_entry (id, recorded_at, source, is_mock, user_id, session_id, ip, user_agent, action,
                               object_type, object_id, details)
      select uuidv7(age), ${until}::timestamptz + age, 'request', false, gen_random_uuid(), gen_random_uuid(), '192.0.2.7',
             'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
             'camera.replaced', 'camera', gen_random_uuid(),
             json_build_object('fields', json_build_array('name', 'location'), 'number', i)
        from (select i, (i - ${entries}::int) * interval '1 second' as age
                from generate_series(${from}::int, ${to}::int) as i) as entry`.execute(db.write());
  }
  await sql`analyze audit_entry`.execute(db.write());
}

async function readAll(store: ActivityStore): Promise<void> {
  let last: SealedEntry | null = null;
  do last = (await store.sealedAfter(last, entriesPerPage)).at(-1) ?? null;
  while (last);
}

async function drain(text: AsyncIterable<string>): Promise<number> {
  let letters = 0;
  for await (const part of text) letters += part.length;
  return letters;
}

try {
  await using world = await aWorld();
  const { activity, clock, master } = world;
  const { db } = world.database;
  await fill(db, new Date(clock.now()));
  const sealer = startSealer({ db, clock, master, folder, log });
  await measure('sealing them', () => sealer.seal());
  await sealer[Symbol.asyncDispose]();
  await sql`vacuum analyze audit_entry`.execute(db.write());
  await measure('reading the rows (baseline)', () => readAll(new ActivityStore(db)));
  const { fault, entries: right } = await measure('verifying', () =>
    verifyChain({ db, master, folder }),
  );
  if (fault || right < entries) throw new Error(`${right} entries are right: ${fault?.kind}`);
  const reader = await world.actor('admin');
  const activityLog = new ActivityLog({ db, activity, clock, development: false });
  const letters = await measure('the activity log as CSV', async () =>
    drain((await activityLog.export(reader, {}, 'en')).rows),
  );
  console.log(table(['what', 'seconds', 'processor seconds', 'MiB before', 'at most'], rows));
  console.log(`${entries} entries; ${(letters / 1_000_000).toFixed(0)} MB of CSV.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
