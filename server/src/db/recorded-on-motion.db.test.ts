import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { uuidv7 } from '#lib/ids.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { migrate, migrationsFolder } from './migrations.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

test('REC-033 cameras of before are recorded as they were, with and without settings of their own', async () => {
  const db = database.db.write();
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await migrate(database.target, migrationsFolder, '0079-folder-away');
  const [without, moving] = [uuidv7(1), uuidv7(2)];
  for (const id of [without, moving]) {
    await sql`insert into camera (id, name, location, type, status, resolution, fps, rotation, enable_face_recognition, created_at, updated_at)
      values (${id}, ${id}, 'Yard', 'rtsp', 'active', '1280x720', 25, 0, true, now(), now())`.execute(
      db,
    );
  }
  await sql`insert into recording_settings (camera_id, motion, retention_days, updated_at)
    values (${moving}, true, 7, now())`.execute(db);
  await migrate(database.target, migrationsFolder, '0080-recorded-on-motion');
  const { rows } = await sql<{ camera_id: string }>`
    select camera_id, motion, continuous, retention_days, quality from recording_settings order by camera_id`.execute(
    db,
  );
  const usual = { continuous: false, quality: 'ultra' };
  assert.deepEqual(rows, [
    { ...usual, camera_id: without, motion: false, retention_days: 30 },
    { ...usual, camera_id: moving, motion: true, retention_days: 7 },
  ]);
});
