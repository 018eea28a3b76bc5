/** A process that is killed in the middle of the migrations leaves the database of before; the next one brings it up to date. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql, type Kysely } from 'kysely';
import { catalogOf } from '#testing/catalog.ts';
import { testDatabase } from '#testing/database.ts';
import { until } from '#testing/until.ts';
import { newClient, type Target } from './connection.ts';
import { migrate, migrationNames, migrationsFolder } from './migrations.ts';

/** The last one before `schema.sql`. */
const before = '0098-named-in-batches';
const program = join(import.meta.dirname, '../testing/migrate-process.ts');
/** Locks that hold the migrations at the first table of the first of them, and when three of them are done. */
const places = ['sighting in access share mode', 'security_warning in access exclusive mode'];

/** Two visits of one unknown person at one camera. */
async function fill(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into camera (id, name, location, type, status, resolution, fps, rotation, enable_face_recognition,
                        created_at, updated_at)
    values (gen_random_uuid(), 'Gate', 'Yard', 'rtsp', 'inactive', '1280x720', 25, 0, true, now(), now())`.execute(
    db,
  );
  await sql`
    insert into identity (id, number, data_key, created_at)
    values (gen_random_uuid(), 1, '\\x00', now())`.execute(db);
  for (const at of ['2026-01-05T08:00:00Z', '2026-01-06T09:00:00Z']) {
    await sql`
      insert into sighting (id, camera_id, identity_id, started_at, ended_at, quality)
      select gen_random_uuid(), camera.id, identity.id, ${at}, ${at}, 0.5 from camera, identity`.execute(
      db,
    );
  }
}

/** How many connections migrate, or wait for a lock while they do. */
async function migrating(db: Kysely<unknown>, isWaiting: boolean): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where application_name = 'nazar migration' and datname = current_database()
       and (not ${isWaiting} or wait_event_type = 'Lock')`.execute(db);
  return rows.length;
}

/** Kills a process that migrates when it waits for that lock; resolves when PostgreSQL has undone its work. */
async function killedAt(target: Target, db: Kysely<unknown>, place: string): Promise<void> {
  const client = newClient(target);
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${place}`);
  const { host = '', user = '', database = '' } = target;
  const child = spawn(process.execPath, [program, host, user, database], { stdio: 'inherit' });
  const exited = once(child, 'exit');
  await until(async () => (await migrating(db, true)) > 0);
  child.kill('SIGKILL');
  await exited;
  await client.end();
  await until(async () => (await migrating(db, false)) === 0);
}

test('killed while it migrates, a database is as it was, and the next start migrates all of it', async () => {
  await using database = await testDatabase();
  const { db, target } = database;
  const write = db.write<unknown>();
  await sql`drop schema public cascade`.execute(write);
  await sql`create schema public`.execute(write);
  await migrate(target, migrationsFolder, before);
  await fill(write);
  const catalog = await catalogOf(target);
  const { rows: visits } = await sql`select * from sighting order by id`.execute(write);
  for (const place of places) {
    await killedAt(target, write, place);
    assert.deepEqual(await catalogOf(target), catalog, place);
    assert.deepEqual((await sql`select * from sighting order by id`.execute(write)).rows, visits);
  }
  const names = migrationNames();
  assert.deepEqual(await migrate(target), names.slice(names.indexOf(before) + 1));
  assert.deepEqual((await sql`select * from visit order by id`.execute(write)).rows, visits);
  const { rows: counts } = await sql`
    select sum(visits)::integer as visits from visit_hour_total_now`.execute(write);
  assert.deepEqual(counts, [{ visits: 2 }]);
});
