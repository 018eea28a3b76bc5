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

test('C-401 zones of before count in every place where their camera was turned since they were saved', async () => {
  const db = database.db.write();
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await migrate(database.target, migrationsFolder, '0076-segments-end-where-the-next-begins');
  const add = async (log: readonly (readonly [action: string, field: string | null])[]) => {
    const id = uuidv7(1);
    await sql`insert into camera (id, name, location, type, status, resolution, fps, rotation, enable_face_recognition, created_at, updated_at)
      values (${id}, ${id}, 'Yard', 'rtsp', 'inactive', '1280x720', 25, 90, true, now(), now())`.execute(
      db,
    );
    await sql`insert into camera_zone (id, camera_id, kind, name, points, place)
      values (${uuidv7(2)}, ${id}, 'privacy', '', '[[0,0],[1,0],[0,1]]', 0)`.execute(db);
    for (const [second, [action, field]] of log.entries()) {
      const at = new Date(second * 1_000);
      await sql`insert into audit_entry (id, recorded_at, source, is_mock, ip, user_agent, action, object_type, object_id, details)
        values (${uuidv7(+at)}, ${at}, 'console', false, '', '', ${action}, 'camera', ${id},
          ${JSON.stringify({ fields: field === null ? [] : [field] })})`.execute(db);
    }
    return id;
  };
  const turned = ['camera.replaced', 'rotation'] as const;
  const saved = ['camera.zones_changed', null] as const;
  const [untouched, open, confirmed] = [
    await add([saved, ['camera.replaced', 'fps']]),
    await add([saved, turned]),
    await add([saved, turned, saved, saved]),
  ];
  assert.deepEqual(await migrate(database.target, migrationsFolder, '0077-turned-zones'), [
    '0077-turned-zones',
  ]);
  const { rows } = await sql<{ id: string }>`
    select camera.id, turns, turned_by, turned_until from camera
    join camera_zone zone on zone.camera_id = camera.id`.execute(db);
  const all = [0, 90, 180, 270];
  assert.deepEqual(
    [untouched, open, confirmed].map((id) => rows.find((row) => row.id === id)),
    [
      { id: untouched, turns: [0], turned_by: [0], turned_until: null },
      { id: open, turns: all, turned_by: all, turned_until: null },
      { id: confirmed, turns: [0], turned_by: all, turned_until: new Date(2_000) },
    ],
  );
});
