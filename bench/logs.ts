/**
 * What the logs cost at the size of years: lists and late pages of visits and of the activity log, and every count of the
 * log dashboard over 90 days. Asked over HTTP of a server in this process, on a real database.
 * `--visits N` (10,000,000 when left out) over 90 days, 32 cameras, 2,000 people and 40 strangers per 1,000 visits;
 * `--deeds N` (2,000,000) of the activity log; `--json FILE` also writes the figures there.
 * Beside the counts of the product, the same is counted from the visits themselves: what they save.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Database } from '../server/src/db/database.ts';
import { signInEach, testServer, type SignedIn } from '../server/src/testing/server.ts';
import { aCameraForm } from '../server/src/testing/world.ts';
import { spreadOf, tenth } from './rig/numbers.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    visits: { type: 'string', default: '10000000' },
    deeds: { type: 'string', default: '2000000' },
    json: { type: 'string' },
  },
});
const visits = Number(values.visits);
const deeds = Number(values.deeds);
const days = 90;
const cameras = 32;
const people = 2_000;
const strangers = Math.round(visits / 25);
const calls = 20;
/** Rows that one statement writes. */
const batch = 250_000;

type Write = ReturnType<Database['write']>;
const idOf = (kind: number, number: ReturnType<typeof sql>) =>
  sql`(${`0000000${kind}-0000-7000-8000-`} || lpad(to_hex(${number}::bigint), 12, '0'))::uuid`;

/** People and strangers, and visits of them: each person at six cameras, most at work hours, strangers anywhere. */
async function fillVisits(db: Database, cameraIds: readonly string[], until: Date): Promise<void> {
  const write: Write = db.write();
  await sql`
    insert into person (id, first_name, last_name, category_id, created_by, created_at, updated_at)
    select ${idOf(1, sql`n`)}, 'Person ' || n, 'Example', category.id, app_user.id, now(), now()
    from generate_series(1, ${people}::int) n,
         (select id from face_category limit 1) category, (select id from app_user limit 1) app_user`.execute(
    write,
  );
  await sql`
    insert into identity (id, person_id, number, data_key, created_at)
    select ${idOf(2, sql`n`)}, case when n <= ${people} then ${idOf(1, sql`n`)} end,
           case when n > ${people} then n end, '\\x00', now()
    from generate_series(1, ${people + strangers}::int) n`.execute(write);
  // The product's own way would count each; all are counted at once below.
  await sql`alter table sighting disable trigger all`.execute(write);
  for (let first = 0; first < visits; first += batch) {
    const last = Math.min(first + batch, visits) - 1;
    await sql`
      insert into sighting (id, camera_id, identity_id, started_at, ended_at, confidence, quality)
      select ${idOf(3, sql`n`)},
             (${cameraIds}::uuid[])[1 + case when is_known then (who * 7 + floor(random() * 6)::int) % ${cameras}
                                             else floor(random() * ${cameras})::int end],
             ${idOf(2, sql`who`)}, at, at + interval '8 seconds', 0.9, 0.9
      from (
        select n, is_known,
               case when is_known then 1 + floor(random() * ${people})::int
                    else ${people} + 1 + floor(random() * ${strangers})::int end as who,
               -- Eight of ten between 7:00 and 19:00.
               ${until}::timestamptz - interval '1 day' * (1 + n * ${days - 1}::float8 / ${visits})
                 + interval '1 hour' * (case when random() < 0.8 then 7 + random() * 12 else random() * 24 end) as at
        from (select n, random() < 0.6 as is_known from generate_series(${first}::int, ${last}::int) n) as drawn
      ) as visit`.execute(write);
    process.stderr.write(`${last + 1} visits\n`);
  }
  await sql`alter table sighting enable trigger all`.execute(write);
  await vacuum(db, 'sighting', 'identity', 'person');
}

/** Tables, or their partitions one by one: a statement ends after a minute. */
async function vacuum(db: Database, ...tables: readonly string[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(child.relname, parent.relname) as name
    from pg_class parent
    left join pg_inherits on inhparent = parent.oid and parent.relkind = 'p'
    left join pg_class child on child.oid = inhrelid
    where parent.relname = any(${tables})`.execute(db.write());
  for (const { name } of rows) {
    await sql`vacuum analyze ${sql.table(name)}`.execute(db.write());
  }
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(db.write());
}

/** The counts of all visits, as the migration makes them. */
async function countAll(db: Database): Promise<number> {
  const startedAtMs = performance.now();
  await db.transaction(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx.as<unknown>());
    await sql`select sighting_recount('infinity')`.execute(tx.as<unknown>());
  });
  const tookMs = performance.now() - startedAtMs;
  await vacuum(db, 'sighting_hour', 'sighting_day');
  return tookMs;
}

/** Entries of twenty users, sealed as far as any reader sees. */
async function fillDeeds(db: Database, until: Date): Promise<void> {
  const write: Write = db.write();
  await sql`alter table audit_entry disable trigger user`.execute(write);
  for (let first = 0; first < deeds; first += batch) {
    const last = Math.min(first + batch, deeds) - 1;
    await sql`
      insert into audit_entry (id, recorded_at, source, is_mock, user_id, session_id, ip, user_agent, action,
                               object_type, object_id, details, sequence, mac)
      select ${idOf(4, sql`n`)}, ${until}::timestamptz - n * interval '4 seconds', 'request', false,
             ${idOf(5, sql`n % 20`)}, null, '192.0.2.1', '',
             (array['camera.watched', 'face.viewed', 'account.login', 'recording.played'])[1 + n % 4],
             'camera', ${idOf(6, sql`n % 32`)}::text, '{}', n + 1000000000, sha256(n::text::bytea)
      from generate_series(${first}::int, ${last}::int) n`.execute(write);
  }
  await sql`alter table audit_entry enable trigger user`.execute(write);
  await vacuum(db, 'audit_entry');
}

interface Figure {
  readonly what: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

async function measure(what: string, work: () => Promise<unknown>): Promise<Figure> {
  const times: number[] = [];
  for (let call = 0; call < calls + 2; call += 1) {
    const startedAtMs = performance.now();
    await work();
    if (call >= 2) times.push(performance.now() - startedAtMs);
  }
  const { p50, p95 } = spreadOf(times);
  return { what, p50Ms: p50, p95Ms: p95 };
}

const get = (who: SignedIn, path: string) => async (): Promise<string> => {
  const { status, text } = await who.get(`/secure-api/${path}`);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return text;
};

await using world = await testServer();
const { admin } = await signInEach(world);
const cameraIds: string[] = [];
for (let number = 0; number < cameras; number += 1) {
  const form = aCameraForm({ name: `Camera ${number}` });
  const added = await admin.send('POST', '/secure-api/cameras/', form);
  cameraIds.push(added.json<{ id: string }>().id);
}
const { db } = world.database;
const until = new Date(Date.UTC(2026, 0, 16));
const from = new Date(until.getTime() - days * 86_400_000);
for (const month of ['2025-10', '2025-11', '2025-12']) {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const next = new Date(Date.UTC(year, number, 1)).toISOString();
  await sql`
    create table if not exists ${sql.table(`sighting_${month.replace('-', '_')}`)} partition of sighting
    for values from (${sql.lit(`${month}-01`)}) to (${sql.lit(next)})`.execute(db.write());
}
await fillVisits(db, cameraIds, until);
const countedMs = await countAll(db);
await fillDeeds(db, until);

const logs = 'activity-log/';
const range = (zone: string): string =>
  `start_date=${from.toISOString().slice(0, 10)}&end_date=2026-01-15&timezone=${zone}`;
const lastPage = Math.ceil(visits / 100);
const asked: Readonly<Record<string, string>> = {
  'newest five visits': 'faces/detections/?limit=5',
  'face logs, first page': `${logs}face-logs/?limit=100`,
  'face logs, page in the middle': `${logs}face-logs/?limit=100&page=${Math.ceil(lastPage / 2)}`,
  'face logs, last page': `${logs}face-logs/?limit=100&page=${lastPage}`,
  'face logs of a camera, last page of its first half': `${logs}face-logs/?limit=100&camera_id=${cameraIds[3]}&page=${Math.floor(lastPage / cameras / 2)}`,
  'face logs by name': `${logs}face-logs/?limit=100&person_name=Person%207%20Example`,
  "strangers' list": 'faces/unknown/?page_size=20',
  'dashboard summary': 'analytics/summary/',
  'activity log, first page': `${logs}activity-logs/?limit=20`,
  ...Object.fromEntries(
    ['hour', 'day', 'weekday_hour', 'camera', 'kind', 'person'].flatMap((by) =>
      (by === 'person' || by === 'day'
        ? ['UTC', 'Asia/Baku', 'Asia/Kathmandu']
        : ['Asia/Baku']
      ).map((zone) => [
        `90 days by ${by}, ${zone}`,
        `${logs}face-logs/counts/?by=${by}&${range(zone)}`,
      ]),
    ),
  ),
  '90 days by person, 16 rows a day of 7 days': `${logs}daily-face-logs/?start_date=2026-01-09&end_date=2026-01-15&timezone=Asia/Baku&limit=20`,
  'details of a camera': `${logs}face-logs/camera-details/?camera_id=${cameraIds[5]}&${range('Asia/Baku')}`,
};
const figures: Figure[] = [];
for (const [what, path] of Object.entries(asked))
  figures.push(await measure(what, get(admin, path)));
figures.push(
  await measure('90 days by day, from the visits themselves', () =>
    sql`select (started_at at time zone 'Asia/Baku')::date, count(*), count(person_id)
        from sighting join identity on identity.id = identity_id group by 1`.execute(db.read()),
  ),
);

console.log(
  table(
    ['what', 'ms, median', 'ms, 95th'],
    figures.map(({ what, p50Ms, p95Ms }) => [what, tenth(p50Ms), tenth(p95Ms)]),
  ),
);
const size = await sql<{ hours: number; known: number; strangers: number }>`
  select (select count(*) from sighting_hour)::int as hours, (select count(*) from sighting_day_known)::int as known,
         (select count(*) from sighting_day_stranger)::int as strangers`.execute(db.read());
console.log(
  `${visits} visits, ${deeds} deeds; counted anew in ${(countedMs / 1000).toFixed(1)} s; rows`,
  size.rows[0],
);
if (values.json) {
  writeFileSync(
    values.json,
    JSON.stringify({ visits, deeds, countedMs, ...size.rows[0], figures }, null, 2),
  );
}
