/** A database from before visits had their name: nothing has another name afterwards, and all is there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, type Kysely } from 'kysely';
import { catalogOf } from '#testing/catalog.ts';
import { testDatabase } from '#testing/database.ts';
import { migrate, migrationsFolder } from './migrations.ts';

const camera = '00000000-0000-4000-8000-00000000000a';
const [known, stranger] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
];

/** Makes a month and three visits in it and one outside; the word of then is the older one. */
async function fill(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into camera (id, name, location, type, status, resolution, fps, rotation,
                        enable_face_recognition, created_at, updated_at)
    values (${camera}, 'Gate', 'Yard', 'rtsp', 'inactive', '1280x720', 25, 0, true, now(), now())`.execute(
    db,
  );
  await sql`
    insert into identity (id, number, data_key, created_at)
    values (${known}, null, '\\x00', now()), (${stranger}, 1, '\\x00', now())`.execute(db);
  await sql`
    create table sighting_2026_01 partition of sighting
    for values from ('2026-01-01T00:00:00Z') to ('2026-02-01T00:00:00Z')`.execute(db);
  await see(db, 'sighting', [
    [known, '2026-01-05T08:00:00Z'],
    [stranger, '2026-01-05T08:10:00Z'],
    [stranger, '2026-01-06T09:00:00Z'],
    [known, '2026-05-01T10:00:00Z'],
  ]);
  await sql`
    insert into sighting_picture (sighting_id, identity_id, chip, pack_id, pack_version, template)
    select id, identity_id, '\\x01', 'pack', '1', '\\x02' from sighting`.execute(db);
}

async function see(
  db: Kysely<unknown>,
  table: string,
  visits: readonly (readonly [string, string])[],
): Promise<void> {
  for (const [identityId, at] of visits) {
    await sql`
      insert into ${sql.table(table)} (id, camera_id, identity_id, started_at, ended_at, quality)
      values (gen_random_uuid(), ${camera}, ${identityId}, ${at}, ${at}, 0.5)`.execute(db);
  }
}

async function figures(db: Kysely<unknown>, word: string): Promise<unknown> {
  const of = (name: string) => sql.table(`${word}${name}`);
  const { rows } = await sql`
    select (select count(*)::int from ${of('')}) as visits,
           (select count(*)::int from ${of('_picture')}) as pictures,
           (select sum(visits)::int from ${of('_hour_now')}) as hours,
           (select sum(visits)::int from ${of('_camera_day_now')}) as "cameraDays",
           (select sum(visits)::int from ${of('_day')}) as days,
           (select visits from ${of('_stranger')} where stranger_id = ${stranger}) as stranger,
           (select count(*)::int from ${of('_default')}) as outside`.execute(db);
  return rows[0];
}

test('visits of a database from before keep their rows and counts under their new name', async () => {
  await using database = await testDatabase();
  const db = database.db.write<unknown>();
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await migrate(database.target, migrationsFolder, '0098-named-in-batches');
  await fill(db);
  const before = { visits: 4, pictures: 4, hours: 4, cameraDays: 4, days: 4, stranger: 2 };
  assert.deepEqual(await figures(db, 'sighting'), { ...before, outside: 1 });
  await migrate(database.target, migrationsFolder, '0099-visits');
  assert.deepEqual(await figures(db, 'visit'), { ...before, outside: 1 });

  const lines = Object.values(await catalogOf(database.target)).flat();
  assert.ok(lines.some((line) => line.includes('visit_2026_01_pkey')));
  assert.deepEqual(
    lines.filter((line) => line.includes('sighting')),
    [],
  );
  const { rows: notNull } = await sql<{ name: string }>`
    select conname as name from pg_constraint where conname like '%sighting%'`.execute(db);
  assert.deepEqual(notNull, []);

  // What counts them goes on.
  await see(db, 'visit', [[stranger, '2026-01-07T08:00:00Z']]);
  await sql`update visit set deleted_at = now() where started_at = '2026-01-06T09:00:00Z'`.execute(
    db,
  );
  await sql`delete from visit where started_at = '2026-05-01T10:00:00Z'`.execute(db);
  const now = { visits: 4, pictures: 4, hours: 3, cameraDays: 3, days: 3, stranger: 2, outside: 0 };
  assert.deepEqual(await figures(db, 'visit'), now);
  await sql`select visit_recount('infinity')`.execute(db);
  assert.deepEqual(await figures(db, 'visit'), now);
});
