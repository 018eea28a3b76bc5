/**
 * What a search of the activity log costs by what is searched for: processor time of the server and of PostgreSQL for
 * one call, which other work on the machine hardly changes. 60 ms are meant at the 95th percentile with 2,000,000
 * entries. `--deeds N` (2,000,000); `--calls N` (20); `--json FILE` also writes the figures there.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { SecretKey } from '../server/src/lib/secrets.ts';
import { signInEach, testServer } from '../server/src/testing/server.ts';
import { fillDeeds } from './rig/deeds.ts';
import { searchesOf, measureSearch } from './rig/log-searches.ts';
import { postmasterOf } from './rig/postmaster.ts';
import { tenth } from './rig/numbers.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    deeds: { type: 'string', default: '2000000' },
    calls: { type: 'string', default: '20' },
    json: { type: 'string' },
  },
});
const deeds = Number(values.deeds);
const cameras = 32;
const people = 10_000;
const days = 90;

const master = SecretKey.random();
await using world = await testServer({ master });
const everybody = await signInEach(world);
const { db } = world.database;
await sql`
  insert into camera (id, name, description, location, type, status, resolution, fps, rotation,
                      enable_face_recognition, created_at, updated_at)
  select ('00000006-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Camera ' || n, '', 'Yard', 'rtsp', 'active',
         '1280x720', 25, 0, true, now(), now() from generate_series(0, ${cameras - 1}) n`.execute(
  db.write(),
);
await sql`
  insert into person (id, first_name, last_name, category_id, created_at, updated_at)
  select uuidv7(), 'Person ' || n, 'Example', (select id from face_category limit 1), now(), now()
    from generate_series(1, ${people}) n`.execute(db.write());
const { rows } = await sql<{ id: string }>`select id from camera order by id`.execute(db.read());
await fillDeeds(db, {
  deeds,
  key: master.derive('audit'),
  userIds: Object.values(everybody).map(({ id }) => id),
  cameraIds: rows.map(({ id }) => id),
  until: new Date(world.clock.now()),
  days,
});
await sql`vacuum analyze camera`.execute(db.write());
await sql`vacuum analyze person`.execute(db.write());

const postmaster = await postmasterOf(db);
const figures = [];
for (const search of searchesOf(deeds, everybody)) {
  const figure = await measureSearch(search, Number(values.calls), postmaster);
  process.stderr.write(`${figure.what}: ${tenth(figure.p50Ms)} ${tenth(figure.p95Ms)}\n`);
  figures.push(figure);
}
console.log(
  table(
    ['what', 'found', 'processor ms, median', '95th'],
    figures.map(({ what, found, p50Ms, p95Ms }) => [what, found, tenth(p50Ms), tenth(p95Ms)]),
  ),
);
if (values.json) writeFileSync(values.json, JSON.stringify({ deeds, figures }, null, 2));
