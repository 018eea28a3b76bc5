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

test('ENT-003 cameras of before get the IP address of their stream, unless one was typed', async () => {
  const db = database.db.write();
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await migrate(database.target, migrationsFolder, '0087-kept-strangers');
  const cameras = [
    ['rtsp://192.168.1.20:554/s', '', '192.168.1.20'],
    ['http://10.0.0.7', '', '10.0.0.7'],
    ['rtsp://192.168.1.20/s', '192.168.1.9', '192.168.1.9'],
    ['rtsp://10.0.0.7.camera.example/s', '', ''],
    ['/dev/video0', '', ''],
    ['', '', ''],
  ] as const;
  for (const [index, [url, typed]] of cameras.entries()) {
    await sql`insert into camera (id, name, location, type, status, url, ip_address, resolution, fps, rotation, enable_face_recognition, created_at, updated_at)
      values (${uuidv7(index + 1)}, 'Gate', 'Yard', 'rtsp', 'active', ${url}, ${typed}, '1280x720', 25, 0, true, now(), now())`.execute(
      db,
    );
  }
  await migrate(database.target, migrationsFolder, '0088-camera-ip-addresses');
  const { rows } = await sql<{ ip_address: string }>`
    select ip_address from camera order by id`.execute(db);
  assert.deepEqual(
    rows.map(({ ip_address }) => ip_address),
    cameras.map(([, , then]) => then),
  );
});
