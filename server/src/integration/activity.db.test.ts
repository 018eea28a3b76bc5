/** How modules are joined: each deed leaves its entry, in the same transaction, with where from and without a secret. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { FaceFields } from '@nazar/contract/faces.ts';
import { accountsOn } from '#testing/accounts.ts';
import { recorded, type RecordedRow } from '#testing/activity-chain.ts';
import { call, testPassword, testServer, type TestServer } from '#testing/server.ts';
import { aCameraForm, aSeenFace, aWorld } from '#testing/world.ts';

const canary = 'canary-7-never-written';
const agent = 'Example/1.0 (agent)';
let served: TestServer;

before(async () => {
  served = await testServer();
});
after(() => served[Symbol.asyncDispose]());

/** What was recorded since `before` entries. */
async function since(before: number): Promise<RecordedRow[]> {
  return (await rows()).slice(before);
}
const rows = (): Promise<RecordedRow[]> => recorded(served.database.db);

function summary({ action, object_type, object_id, user_id }: RecordedRow) {
  return [action, object_type, object_id, user_id];
}

/** Calls as a user's browser or script does, with its name. */
function request(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  access: string | null,
  body?: object,
) {
  return call(served.app, method, url, {
    headers: { 'user-agent': agent },
    ...(access === null ? {} : { access }),
    ...(body ? { body } : {}),
  });
}

const loginPath = '/secure-api/accounts/login/';

test('C-120 set-up, login, failed login and logout are recorded with address and agent', async () => {
  const { accounts } = served.server;
  const code = await accounts.newSetupCode();
  const email = 'first@example.org';
  const made = await request('POST', '/secure-api/setup/administrator/', null, {
    code,
    email,
    password: `${testPassword}-${canary}`,
    first_name: 'First',
    last_name: 'Example',
    registration: 'closed',
  });
  assert.equal(made.status, 201, made.text);
  const { user } = made.json<{ user: { id: string } }>();
  await request('POST', loginPath, null, { email, password: canary });
  await request('POST', loginPath, null, { email: `${canary}@example.org`, password: canary });
  const login = await request('POST', loginPath, null, {
    email,
    password: `${testPassword}-${canary}`,
  });
  const { access, refresh } = login.json<{ access: string; refresh: string }>();
  await request('POST', '/secure-api/accounts/logout/', access, { refresh });
  const entries = await rows();
  assert.deepEqual(entries.map(summary), [
    ['account.set_up', 'user', user.id, user.id],
    ['account.login_failed', 'user', user.id, null],
    ['account.login_failed', null, null, null],
    ['account.login', 'user', user.id, user.id],
    ['account.logout', 'user', user.id, user.id],
  ]);
  for (const { ip, user_agent, source } of entries) {
    assert.deepEqual([ip, user_agent, source], ['127.0.0.1', agent, 'request']);
  }
  assert.deepEqual(
    entries.slice(0, 4).map(({ details }) => details),
    Array.from({ length: 4 }, () => ({ how: 'password' })),
  );
  const [, , , began, ended] = entries;
  assert.ok(began?.session_id && began.session_id === ended?.session_id);
});

test('C-120 accounts made and passwords reset at the console say so', async () => {
  const before = (await rows()).length;
  const { id, email } = await served.signIn('operator');
  await served.server.accounts.resetPassword(email, `${canary}-console`);
  const [made, , reset] = await since(before);
  assert.deepEqual(summary(made!), ['account.created', 'user', id, null]);
  assert.deepEqual([made!.source, made!.details], ['console', { role: 'operator' }]);
  assert.deepEqual(summary(reset!), ['account.password_reset', 'user', id, null]);
});

test('C-120 C-801 changes to cameras are recorded with before and after, and how they are reached by name only', async () => {
  const { id: userId, access } = await served.signIn('admin');
  const before = (await rows()).length;
  const form = aCameraForm({ url: 'rtsp://192.168.1.9/s', username: 'viewer', password: canary });
  const path = '/secure-api/cameras/';
  const { id } = (await request('POST', path, access, form)).json<{ id: string }>();
  const moved = { ...form, name: 'Door', password: `${canary}-2` };
  assert.equal((await request('PUT', `${path}${id}/`, access, moved)).status, 200);
  const status = await request('PATCH', `${path}${id}/update_status/`, access, { status: 'error' });
  assert.equal(status.status, 200, status.text);
  const gone = await request('DELETE', `${path}${id}/`, access);
  assert.ok(gone.status < 300, gone.text);
  const entries = await since(before);
  assert.deepEqual(entries.map(summary), [
    ['camera.added', 'camera', id, userId],
    ['camera.replaced', 'camera', id, userId],
    ['camera.status_changed', 'camera', id, userId],
    ['camera.deleted', 'camera', id, userId],
  ]);
  assert.deepEqual(entries[1]!.details, {
    fields: ['name', 'password'],
    changes: { name: { from: form.name, to: 'Door' } },
  });
  assert.deepEqual(entries[2]!.details, { from: 'inactive', to: 'error' });
  for (const { ip, user_agent, session_id } of entries) {
    assert.deepEqual([ip, user_agent], ['127.0.0.1', agent]);
    assert.ok(session_id);
  }
});

test('C-120 saving without a change leaves no entry, of whatever kind it is', async () => {
  const { access } = await served.signIn('superadmin');
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await request('POST', path, access, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.json<{ id: string }>().id;
  };
  const form = aCameraForm({ url: 'rtsp://192.168.1.9/s', username: 'viewer', password: canary });
  const camera = `/secure-api/cameras/${await made('/secure-api/cameras/', form)}/`;
  const group = { name: 'Night', description: 'Until six', members: [] };
  const cameras = { name: 'Doors', description: '', cameras: [] };
  const tiles = [{ camera_id: camera.split('/').at(-2), is_pinned: true }];
  const layout = { name: 'Day', tiles, tiles_per_page: 4, tour_seconds: null, is_shared: true };
  const groupId = await made('/secure-api/accounts/groups/', group);
  const camerasId = await made('/secure-api/cameras/groups/', cameras);
  const layoutId = await made('/secure-api/cameras/layouts/', layout);
  const saved: readonly ['PUT' | 'PATCH', string, object][] = [
    ['PATCH', `${camera}update_status/`, { status: 'maintenance' }],
    ['PUT', camera, { ...form, status: 'maintenance', name: 'Door', password: '' }],
    ['PATCH', `${camera}recording_settings/`, { motionDetection: false, retentionDays: 7 }],
    ['PUT', `/secure-api/accounts/groups/${groupId}/`, { ...group, name: 'Late' }],
    ['PUT', `/secure-api/cameras/groups/${camerasId}/`, { ...cameras, name: 'Gates' }],
    ['PUT', `/secure-api/cameras/layouts/${layoutId}/`, { ...layout, name: 'Night', revision: 1 }],
  ];
  for (const [method, path, body] of saved) {
    const first = (await rows()).length;
    const once = await request(method, path, access, body);
    assert.equal(once.status, 200, once.text);
    assert.equal((await since(first)).length, 1, `${method} ${path}`);
    const next = 'revision' in body ? { ...body, revision: 2 } : body;
    const again = await request(method, path, access, next);
    assert.equal(again.status, 200, again.text);
    assert.deepEqual((await since(first)).slice(1).map(summary), [], `${method} ${path} again`);
  }
});

test('C-120 C-1003 actions on people are recorded without a word of who they are', async () => {
  await using world = await aWorld();
  const { database, faces } = world;
  const scope = { ...(await world.actor('admin')), ip: '192.0.2.9', userAgent: agent };
  const [category] = await faces.categories.list();
  const fields = FaceFields.parse({
    first_name: canary,
    last_name: 'Example',
    category: category!.id,
    notes: canary,
  });
  const { id } = await faces.add(scope, fields, [], aSeenFace(3));
  await faces.change(scope, id, { notes: `${canary} again`, position: 'Cook' });
  // As it was: no entry follows.
  await faces.change(scope, id, { notes: `${canary} again`, category: category!.id });
  const { images } = await faces.read(scope, id);
  await faces.photos.remove(scope, id, images[0]!.id);
  await faces.remove(scope, id);
  const entries = (await recorded(database.db)).slice(1);
  assert.deepEqual(entries.map(summary), [
    ['face.added', 'face', id, scope.userId],
    ['face.changed', 'face', id, scope.userId],
    ['face.image_deleted', 'face', id, scope.userId],
    ['face.deleted', 'face', id, scope.userId],
  ]);
  assert.deepEqual(entries[1]!.details, { fields: ['notes', 'position'] });
  assert.ok(!JSON.stringify(entries).includes(canary));
  for (const { ip, user_agent } of entries)
    assert.deepEqual([ip, user_agent], ['192.0.2.9', agent]);
});

test('C-801 a change that cannot be recorded does not happen', async () => {
  await using world = await aWorld();
  const { database, clock, cameras, faces } = world;
  const { db } = database;
  const scope = await world.actor('admin');
  const cameraId = await world.camera(scope);
  const person = await world.person(scope, 'Sevda', 5);
  const accounts = accountsOn(db, { clock, key: world.master.derive('accounts') });
  await sql`alter table audit_entry rename to audit_entry_away`.execute(db.write());
  await assert.rejects(cameras.updateStatus(scope, cameraId, 'error'));
  await assert.rejects(cameras.remove(scope, cameraId));
  await assert.rejects(cameras.add(scope, aCameraForm()));
  await assert.rejects(faces.remove(scope, person.id));
  await assert.rejects(accounts.resetPassword(scope.email, 'another-horse-8-staple'));
  await sql`alter table audit_entry_away rename to audit_entry`.execute(db.write());
  assert.equal((await cameras.read(scope, cameraId)).status, 'inactive');
  assert.equal((await cameras.list(scope, { page: 1, page_size: 10, ordering: 'name' })).count, 1);
  await faces.read(scope, person.id);
});

test('C-120 the activity log holds no user’s password and no token', async () => {
  const text = JSON.stringify(await rows());
  assert.ok(text.includes('account.login'));
  assert.ok(!text.includes(canary));
  assert.ok(!text.includes(testPassword));
  const { access, refresh } = await served.signIn('user');
  const later = JSON.stringify(await rows());
  assert.ok(!later.includes(access) && !later.includes(refresh));
});
