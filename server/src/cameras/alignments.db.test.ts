/** What is known of a camera's two streams, for one pair of them, and what cameras of before may have recorded. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { migrate, migrationNames } from '#db/migrations.ts';
import type { Scope } from '#http/scope.ts';
import { testDatabase } from '#testing/database.ts';
import { aCameraForm, aWorld, type World } from '#testing/world.ts';

const [url, sub_url] = ['rtsp://192.168.0.9/a', 'rtsp://192.168.0.9/b'];
const part = { x: 0.125, y: 0, width: 0.75, height: 1 };

let world: World;
let admin: Scope;
before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
});
after(() => world[Symbol.asyncDispose]());

const streamsOf = async (id: string): Promise<string> =>
  (await world.cameras.reaching.toIngest()).find((camera) => camera.id === id)!.streamsId;

test('another address is another pair of streams, of which nothing is known; another name is not', async () => {
  const { alignments } = world.cameras;
  const form = { ...aCameraForm({ status: 'active', url }), sub_url };
  const { id } = await world.cameras.add(admin, form);
  const streams = await streamsOf(id);
  await alignments.measured(id, { pair: `${streams}/1x1/1x1`, part, isConfirmed: false });
  assert.equal((await alignments.known(id)).length, 1);
  await world.cameras.replace(admin, id, { ...form, name: 'Another name' });
  assert.equal(await streamsOf(id), streams);
  await world.cameras.replace(admin, id, { ...form, sub_url: 'rtsp://192.168.0.9/c' });
  assert.notEqual(await streamsOf(id), streams);
  assert.deepEqual(await alignments.known(id), []);
  const { alignments: history } = await world.cameras.zones.masksOf(id);
  assert.equal(history.length, 1, 'what was recorded of the one before is still known');
});

test('a new measurement within a hundredth is the same, and one beyond is another', async () => {
  const { alignments } = world.cameras;
  const id = await world.camera(admin, { status: 'active', url, sub_url });
  const pair = `${await streamsOf(id)}/1x1/1x1`;
  for (const x of [0.125, 0.13, 0.145]) {
    await alignments.measured(id, { pair, part: { ...part, x }, isConfirmed: false });
    world.clock.advance(1_000);
  }
  const found = await alignments.ofCamera(id);
  assert.deepEqual(
    found.map((one) => one.part?.x),
    [0.125, 0.145],
  );
});

test('R-03 cameras of before that have, had or may have had a sub-stream may have recorded it', async () => {
  await using old = await testDatabase();
  const { db, target } = old;
  await sql`drop schema public cascade`.execute(db.write());
  await sql`create schema public`.execute(db.write());
  const names = migrationNames();
  await migrate(target, undefined, names[names.indexOf('0074-camera-alignments') - 1]);
  const idOf = (last: string) => `00000000-0000-4000-8000-00000000000${last}`;
  for (const [last, sub, deleted] of [
    ['a', '', null],
    ['b', sub_url, null],
    ['c', '', new Date()],
    ['d', '', null],
  ] as const) {
    await sql`
      insert into camera (id, name, location, type, status, resolution, fps, rotation, sub_url,
                          enable_face_recognition, created_at, updated_at, deleted_at)
      values (${idOf(last)}, ${last}, 'Yard', 'rtsp', 'inactive', '1280x720', 25, 0, ${sub}, true,
              now(), now(), ${deleted})`.execute(db.write());
  }
  for (const [last, field] of [
    ['a', 'name'],
    ['d', 'sub_url'],
  ] as const) {
    await sql`
      insert into audit_entry (id, recorded_at, action, source, is_mock, ip, user_agent, object_type,
                               object_id, details)
      values (gen_random_uuid(), now(), 'camera.replaced', 'console', false, '', '', 'camera', ${idOf(last)},
              ${JSON.stringify({ fields: [field] })})`.execute(db.write());
  }
  await migrate(target);
  const { rows } = await sql<{ name: string; had: boolean }>`
    select name, had_sub_stream as had from camera order by name`.execute(db.read());
  assert.deepEqual(
    rows.map(({ name, had }) => [name, had]),
    [
      ['a', false],
      ['b', true],
      ['c', true],
      ['d', true],
    ],
  );
});
