/**
 * What the logs cost at the size of years: lists and late pages of visits and of the activity log, and every count of the
 * log dashboard over 90 days. Asked over HTTP of a server in this process, on a real database.
 * `--visits N` (10,000,000 when left out) over 90 days, 32 cameras, 2,000 people and 40 strangers per 1,000 visits;
 * `--deeds N` (2,000,000) of the activity log and `--lines N` (2,000,000) of the system log; `--json FILE` also writes
 * the figures there. After the reading: what writing costs, an export, the system log flooded, everything deleted.
 * Beside the counts of the product, the same is counted from the visits themselves: what they save.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { LogLines } from '../../server/src/lib/log.ts';
import { SecretKey } from '../../server/src/lib/secrets.ts';
import { signInEach, testServer, type SignedIn } from '../../server/src/testing/server.ts';
import { aCameraForm } from '../../server/src/testing/world.ts';
import { fillDeeds } from './deeds.ts';
import { deleteAll, exportAll, floodSystemLog, recordVisits } from './log-costs.ts';
import { spreadOf, tenth } from './numbers.ts';
import { fillSystemLines } from './system-lines.ts';
import { checkCounts, countAll, fillVisits } from './visits.ts';
import { table } from '../table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    shape: { type: 'string' },
    visits: { type: 'string', default: '10000000' },
    deeds: { type: 'string', default: '2000000' },
    lines: { type: 'string', default: '2000000' },
    json: { type: 'string' },
  },
});
const visits = Number(values.visits);
const deeds = Number(values.deeds);
const lines = Number(values.lines);
const days = 90;
const systemDays = 30;
const cameras = 32;
const people = 2_000;
const strangers = Math.round(visits / 25);
const calls = 20;
/** What is that slow is asked less often. */
const patienceMs = 60_000;

interface Figure {
  readonly what: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

async function measure(what: string, work: () => Promise<unknown>): Promise<Figure> {
  const times: number[] = [];
  const beganAtMs = performance.now();
  for (let call = 0; call < calls + 2; call += 1) {
    const startedAtMs = performance.now();
    try {
      await work();
    } catch (error) {
      // What the limits of the product end is a result, too, and no reason to lose the others.
      process.stderr.write(`${what}: ${String(error).slice(0, 200)}\n`);
      return { what, p50Ms: NaN, p95Ms: NaN };
    }
    if (call >= 2) times.push(performance.now() - startedAtMs);
    if (call >= 2 && performance.now() - beganAtMs > patienceMs) break;
  }
  const { p50, p95 } = spreadOf(times);
  process.stderr.write(`${what}: ${tenth(p50)} ms\n`);
  return { what, p50Ms: p50, p95Ms: p95 };
}

const get = (who: SignedIn, path: string) => async (): Promise<string> => {
  const { status, text } = await who.get(`/secure-api/${path}`);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return text;
};

const master = SecretKey.random();
const logLines = new LogLines();
await using world = await testServer({ master, logLines });
const everybody = await signInEach(world);
const { admin } = everybody;
const cameraIds: string[] = [];
for (let number = 0; number < cameras; number += 1) {
  const form = aCameraForm({ name: `Camera ${number}` });
  const added = await admin.send('POST', '/secure-api/cameras/', form);
  cameraIds.push(added.json<{ id: string }>().id);
}
const { db } = world.database;
const until = new Date(Date.UTC(2026, 0, 16));
const from = new Date(until.getTime() - days * 86_400_000);
const wanted = { visits, people, strangers, cameraIds, until, days };
await fillVisits(db, wanted);
const countedMs = await countAll(db);
await checkCounts(db, wanted);
await fillDeeds(db, {
  deeds,
  key: master.derive('audit'),
  userIds: Object.values(everybody).map(({ id }) => id),
  cameraIds,
  until: new Date(world.clock.now()),
  days,
});
await fillSystemLines(db, { lines, until: new Date(world.clock.now()), days: systemDays });

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
  // The last but one in order of ids: a database that walks through all people comes to them late.
  'face logs by name': `${logs}face-logs/?limit=100&person_name=Person%201999%20Example`,
  'counts by name': `${logs}face-logs/counts/?by=day&${range('Asia/Baku')}&person_name=Person%201999%20Example`,
  "strangers' list": 'faces/unknown/?page_size=20',
  'dashboard summary': 'analytics/summary/',
  'activity log, first page': `${logs}activity-logs/?limit=20`,
  'activity log, last page that is counted': `${logs}activity-logs/?limit=20&page=500`,
  'activity log of a user': `${logs}activity-logs/?limit=20&user=${everybody.user.id}`,
  'activity log, search in notes': `${logs}activity-logs/?limit=20&search=garage`,
  'activity log, search for one note': `${logs}activity-logs/?limit=20&search=round%20${Math.floor(deeds / 2 / 20) * 20}`,
  'activity log, search by name': `${logs}activity-logs/?limit=20&search=operator`,
  'activity log, search by camera': `${logs}activity-logs/?limit=20&search=Camera%2017`,
  'activity log, search for one value': `${logs}activity-logs/?limit=20&search=Round%20${Math.floor(deeds / 2 / 10) * 10 + 1}`,
  'activity log, search for a value of a list': `${logs}activity-logs/?limit=20&search=maintenance`,
  'activity log, search for a field': `${logs}activity-logs/?limit=20&search=description`,
  'activity log, search across a name': `${logs}activity-logs/?limit=20&search=changed%20camera%20camera%2017`,
  'activity log, search that finds nothing': `${logs}activity-logs/?limit=20&search=zzyzx`,
  'system log, first page': `${logs}system-logs/?page_size=50`,
  'system log, errors': `${logs}system-logs/?page_size=50&level=error`,
  'system log, search': `${logs}system-logs/?page_size=50&search=attempt%20${Math.floor(lines / 2)}`,
  'system log, levels counted': `${logs}stats/log-count-by-level/`,
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
  // The first and the last visit of each, which quarters of the year tell only where they reach not beyond.
  'people of 90 days': `${logs}face-logs/by-person/?${range('Asia/Baku')}`,
  'people of 82 days before others': `${logs}face-logs/by-person/?start_date=2025-10-22&end_date=2026-01-11&timezone=Asia/Baku`,
  '90 days by person, 16 rows a day of 7 days': `${logs}daily-face-logs/?start_date=2026-01-09&end_date=2026-01-15&timezone=Asia/Baku&limit=20`,
  'details of a camera': `${logs}face-logs/camera-details/?camera_id=${cameraIds[5]}&${range('Asia/Baku')}`,
};
const figures: Figure[] = [];
for (const [what, path] of Object.entries(asked))
  figures.push(await measure(what, get(admin, path)));
figures.push(
  await measure('90 days by day, from the visits themselves', () =>
    sql`select (started_at at time zone 'Asia/Baku')::date, count(*), count(person_id)
        from visit join identity on identity.id = identity_id group by 1`.execute(db.read()),
  ),
);

const recorded = await recordVisits(db, cameraIds, world.clock.now());
const exported = await exportAll(world.app, admin, world.clock.now(), days / 2);
const flooded = await floodSystemLog(world, admin, logLines);
const deleted = await deleteAll(admin);

console.log(
  table(
    ['what', 'ms, median', 'ms, 95th'],
    figures.map(({ what, p50Ms, p95Ms }) => [what, tenth(p50Ms), tenth(p95Ms)]),
  ),
);
const size = await sql<{ hours: number; known: number; strangers: number }>`
  select (select count(*) from visit_hour)::int as hours, (select count(*) from visit_day_known)::int as known,
         (select count(*) from visit_day_stranger)::int as strangers`.execute(db.read());
console.log(
  `${visits} visits, ${deeds} deeds; counted anew in ${(countedMs / 1000).toFixed(1)} s; rows`,
  size.rows[0],
);
console.log({ recorded, exported, flooded, deleted });
if (values.json) {
  writeFileSync(
    values.json,
    JSON.stringify(
      {
        visits,
        deeds,
        lines,
        countedMs,
        ...size.rows[0],
        figures,
        recorded,
        exported,
        flooded,
        deleted,
      },
      null,
      2,
    ),
  );
}
