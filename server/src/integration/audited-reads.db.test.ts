/** C-806: a view is in the activity log before the answer leaves, once for a while of the same. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { recorded } from '#testing/activity-chain.ts';
import { makers } from '#testing/matrix-objects.ts';
import { call, testServer, type SignedIn, type TestServer } from '#testing/server.ts';

const name = 'Canary';
let world: TestServer;
let admin: SignedIn;

before(async () => {
  world = await testServer();
  admin = await world.signIn('admin');
});
after(() => world[Symbol.asyncDispose]());

async function entries(action: string) {
  return (await recorded(world.database.db)).filter((row) => row.action === action);
}

test('C-806 a view of a person is recorded, once in ten minutes of asking again and again', async () => {
  const { id } = await makers.person(world, admin, admin);
  const path = `/secure-api/faces/${id}/`;
  await Promise.all([1, 2, 3].map(() => admin.get(path)));
  const [entry, ...more] = await entries('face.viewed');
  assert.deepEqual([entry?.object_id, entry?.user_id, more.length], [id, admin.id, 0]);
  world.clock.advance(9 * 60_000);
  await admin.get(path);
  assert.equal((await entries('face.viewed')).length, 1);
  const other = await world.signIn('superadmin');
  await other.get(path);
  assert.equal((await entries('face.viewed')).length, 2, 'somebody else is another reader');
  world.clock.advance(60_000);
  await other.get(path);
  assert.equal((await entries('face.viewed')).length, 2);
  world.clock.advance(9 * 60_000 - 1);
  await other.get(path);
  assert.equal((await entries('face.viewed')).length, 2);
});

test('C-806 C-308 a failed read is not recorded as read', async () => {
  const reader = await world.signIn('user');
  const before = (await entries('face.viewed')).length;
  const { id } = await makers.person(world, admin, admin);
  assert.equal((await reader.get(`/secure-api/faces/${id}/`)).status, 404);
  assert.equal((await entries('face.viewed')).length, before);
});

test('C-806 C-1003 a search for a person is recorded, and not whom it was for', async () => {
  const reader = await world.signIn('operator');
  const search = async (path: string): Promise<void> => {
    const reply = await reader.get(path);
    assert.equal(reply.status, 200, reply.text);
  };
  await search('/secure-api/faces/');
  await search('/secure-api/activity-log/face-logs/');
  assert.equal((await entries('face.searched')).length, 0, 'a list is no search');
  for (let round = 0; round < 2; round += 1) {
    await search(`/secure-api/faces/?search=${name}`);
    await search(`/secure-api/activity-log/face-logs/?person_name=${name}`);
  }
  await search(`/secure-api/faces/?search=${name}2`);
  const found = await entries('face.searched');
  assert.deepEqual(found.map(({ details }) => String(details['where'])).toSorted(), [
    'face_logs',
    'faces',
    'faces',
  ]);
  assert.ok(!JSON.stringify(await recorded(world.database.db)).includes(name));
});

test('C-806 an answer that cannot be recorded is not shown', async () => {
  const reader = await world.signIn('admin', 'reader@example.org');
  const { id } = await makers.person(world, reader, reader);
  const { db } = world.database;
  await sql`alter table audit_entry rename to audit_entry_away`.execute(db.write());
  const hidden = await reader.get(`/secure-api/faces/${id}/`);
  await sql`alter table audit_entry_away rename to audit_entry`.execute(db.write());
  assert.equal(hidden.status, 500);
  assert.equal((await reader.get(`/secure-api/faces/${id}/`)).status, 200);
  const views = await entries('face.viewed');
  assert.ok(
    views.some(({ object_id }) => object_id === id),
    'the failed one does not count as recorded',
  );
});

test('C-120 attempts that are refused for their number are one entry for each wait', async () => {
  const victim = await world.signIn('user', 'victim@example.org');
  const guess = () =>
    call(world.app, 'POST', '/secure-api/accounts/login/', {
      body: { email: victim.email, password: 'wrong' },
    });
  const statuses: number[] = [];
  for (let round = 0; round < 12; round += 1) statuses.push((await guess()).status);
  assert.deepEqual([...new Set(statuses)], [401, 429]);
  const [refused, ...more] = await entries('account.login_throttled');
  assert.deepEqual(
    [refused?.object_id, more.length, refused?.details],
    [victim.id, 0, { wait_s: 30 }],
  );
  world.clock.advance(30_000);
  assert.equal((await guess()).status, 401);
  for (let round = 0; round < 3; round += 1) assert.equal((await guess()).status, 429);
  assert.deepEqual(
    (await entries('account.login_throttled')).map(({ details }) => details['wait_s']),
    [30, 60],
  );
});

test('C-806 the log of a user holds whom they viewed', async () => {
  const boss = await world.signIn('admin', 'boss@example.org');
  const list = await boss.get('/secure-api/activity-log/activity-logs/?action=view');
  assert.ok(list.text.includes('face.viewed'), list.text);
});
