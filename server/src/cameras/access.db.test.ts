import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { capabilities } from '@nazar/contract/capabilities.ts';
import type { CameraGroup, CameraViewer, Grant } from '@nazar/contract/access.ts';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { Visit } from '@nazar/contract/visits.ts';
import type { SystemHealth } from '@nazar/contract/system.ts';
import type { UserGroup } from '@nazar/contract/user-groups.ts';
import { recorded } from '#testing/activity-chain.ts';
import { unknownId } from '#testing/routes.ts';
import { testServer, type Reply, type SignedIn, type TestServer } from '#testing/server.ts';
import { until } from '#testing/until.ts';
import { aPicture, aVisit } from '#testing/world.ts';

const cameras = '/secure-api/cameras/';
const grants = '/secure-api/cameras/grants/';
const cameraGroups = '/secure-api/cameras/groups/';
const userGroups = '/secure-api/accounts/groups/';
const faceLogs = '/secure-api/activity-log/face-logs/';

let world: TestServer;
let admin: SignedIn;
let staff: SignedIn;
let operator: SignedIn;
let user: SignedIn;

before(async () => {
  world = await testServer();
  admin = await world.signIn('admin');
  [operator, user] = [await world.signIn('operator'), await world.signIn('user')];
  staff = await world.signIn('user', 'staff@example.org');
  await query(sql`update app_user set is_staff = true where id = ${staff.id}`);
});
after(() => world[Symbol.asyncDispose]());
beforeEach(() => query(sql`truncate camera_grant, camera_group, user_group cascade`));

const query = async (statement: { execute: (db: never) => Promise<unknown> }): Promise<void> => {
  await statement.execute(world.database.db.write() as never);
};

async function made<T>(reply: Promise<Reply>): Promise<T> {
  const answer = await reply;
  assert.ok(answer.status === 200 || answer.status === 201, answer.text);
  return answer.json<T>();
}

const address = { url: 'rtsp://192.168.1.9:554/s', username: 'viewer', ip_address: '192.168.1.9' };
const aCamera = async (name = 'Gate'): Promise<string> =>
  (await made<Camera>(admin.send('POST', cameras, { name, location: 'Yard', ...address }))).id;

const give = (
  to: { type: 'user' | 'user_group'; id: string },
  of: { type: 'camera' | 'camera_group'; id: string },
  capabilities: string[] = ['live'],
  categories: string[] = [],
): Promise<Grant> => made(admin.send('PUT', grants, { to, of, capabilities, categories }));

const toUser = (one: SignedIn) => ({ type: 'user', id: one.id }) as const;
const toGroup = ({ id }: UserGroup) => ({ type: 'user_group', id }) as const;
const ofCamera = (id: string) => ({ type: 'camera', id }) as const;
const ofGroup = ({ id }: CameraGroup) => ({ type: 'camera_group', id }) as const;
const group = (name: string, members: string[]): Promise<UserGroup> =>
  made(admin.send('POST', userGroups, { name, members }));
const cameraGroup = (name: string, list: string[]): Promise<CameraGroup> =>
  made(admin.send('POST', cameraGroups, { name, cameras: list }));

async function list(one: SignedIn): Promise<Camera[]> {
  return (await made<{ results: Camera[] }>(one.get(`${cameras}?page_size=1000`))).results;
}

const visible = async (one: SignedIn): Promise<string[]> => (await list(one)).map(({ id }) => id);

const listed = async (one: SignedIn, cameraId: string): Promise<Camera | undefined> =>
  (await list(one)).find(({ id }) => id === cameraId);

test('=CFL-004, H-17 a camera granted to a user is theirs to see, and no one else’s; without grants nothing is', async () => {
  const id = await aCamera();
  assert.deepEqual([await visible(user), await visible(operator)], [[], []]);
  await give(toUser(user), ofCamera(id));
  assert.deepEqual([await visible(user), await visible(operator)], [[id], []]);
  assert.equal((await user.get(`${cameras}${id}/`)).status, 200);
  assert.equal((await operator.get(`${cameras}${id}/`)).status, 404);
});

test('~C-304, ~DASH-014 System Status shows the cameras one may see, and no other', async () => {
  const part = async (one: SignedIn): Promise<SystemHealth['camera_system']> =>
    (await made<SystemHealth>(one.get('/secure-api/system/health/'))).camera_system;
  const fine = { status: 'operational', detail: null };
  const down = { status: 'down', detail: 'health.cameras_down' };
  const fields = { name: 'Away', location: 'Yard', url: 'rtsp://127.0.0.1:9/s' };
  const { id } = await made<Camera>(admin.send('POST', cameras, fields));
  await made(admin.send('PATCH', `${cameras}${id}/update_status/`, { status: 'active' }));
  await until(async () => (await part(admin)).status === 'down');
  assert.deepEqual([await part(staff), await part(user)], [down, fine]);
  await give(toUser(user), ofCamera(id));
  assert.deepEqual([await part(user), await part(operator)], [down, fine]);
  await made(admin.send('PATCH', `${cameras}${id}/update_status/`, { status: 'inactive' }));
  await until(async () => (await part(admin)).status === 'operational');
});

test('=CFL-004 a grant to a group reaches its members, of a camera or of a group of cameras', async () => {
  const [gate, door, yard] = [await aCamera('Gate'), await aCamera('Door'), await aCamera('Yard')];
  const guards = await group('Guards', [user.id, operator.id]);
  const outside = await cameraGroup('Outside', [gate, yard]);
  await give(toGroup(guards), ofGroup(outside));
  await give(toUser(user), ofCamera(door));
  assert.deepEqual(new Set(await visible(user)), new Set([gate, yard, door]));
  assert.deepEqual(new Set(await visible(operator)), new Set([gate, yard]));
  await made(admin.send('PUT', `${cameraGroups}${outside.id}/`, { name: 'Out', cameras: [yard] }));
  assert.deepEqual(await visible(operator), [yard], 'what left the group is gone');
  await made(
    admin.send('PUT', `${userGroups}${guards.id}/`, { name: 'Guards', members: [user.id] }),
  );
  assert.deepEqual(await visible(operator), [], 'who left the group sees nothing of it');
  assert.equal((await admin.send('DELETE', `${userGroups}${guards.id}/`)).status, 204);
  assert.deepEqual(await visible(user), [door], 'a group takes its grants with it');
});

test('C-207 a grant that was taken back is gone with the next request', async () => {
  const id = await aCamera();
  const { id: grantId } = await give(toUser(user), ofCamera(id));
  assert.deepEqual(await visible(user), [id]);
  assert.equal((await admin.send('DELETE', `${grants}${grantId}/`)).status, 204);
  assert.deepEqual(await visible(user), []);
  assert.equal((await admin.send('DELETE', `${grants}${grantId}/`)).status, 404);
});

test('C-207 a role that was taken away takes the sight of everything with it', async () => {
  const id = await aCamera();
  const fallen = await world.signIn('admin', 'fallen@example.org');
  assert.ok((await visible(fallen)).includes(id));
  await query(sql`update app_user set role = 'user', is_staff = false where id = ${fallen.id}`);
  assert.deepEqual(await visible(fallen), []);
});

test('CFL-003, ROL-008 no capability changes a camera: that needs the role', async () => {
  const id = await aCamera();
  await give(toUser(operator), ofCamera(id), ['live', 'recordings', 'detect', 'manage', 'people']);
  for (const one of [operator, staff]) {
    const attempts = [
      await one.send('PUT', `${cameras}${id}/`, { name: 'Mine', location: 'Here' }),
      await one.send('PATCH', `${cameras}${id}/update_status/`, { status: 'active' }),
      await one.send('DELETE', `${cameras}${id}/`),
      await one.send('PUT', grants, { to: toUser(user), of: ofCamera(id), capabilities: ['live'] }),
      await one.send('POST', userGroups, { name: 'Ours' }),
      await one.send('POST', cameraGroups, { name: 'Ours' }),
    ];
    assert.deepEqual(
      attempts.map(({ status }) => status),
      Array(6).fill(403),
    );
  }
  assert.equal((await made<Camera>(admin.get(`${cameras}${id}/`))).name, 'Gate');
});

test('ROL-009 a user who may start detection on a camera learns so: by role, and where it was granted by `detect`', async () => {
  const id = await aCamera();
  const everybody = [admin, staff, operator, user];
  const may = async (): Promise<(boolean | undefined)[]> => {
    const lists = await Promise.all(everybody.map((one) => listed(one, id)));
    const read = await made<Camera>(admin.get(`${cameras}${id}/`));
    assert.equal(read.may_detect, lists[0]?.may_detect);
    return lists.map((camera) => camera?.may_detect);
  };
  for (const one of [operator, user]) await give(toUser(one), ofCamera(id), ['recordings']);
  assert.deepEqual(await may(), [true, false, false, false]);
  for (const one of [operator, user]) await give(toUser(one), ofCamera(id), ['detect']);
  assert.deepEqual(await may(), [true, false, true, false]);
});

test('C-307 how a camera is reached is shown with `manage` and without it not', async () => {
  const id = await aCamera();
  await give(toUser(user), ofCamera(id), ['live', 'recordings', 'detect', 'people']);
  const shown = async (one: SignedIn): Promise<unknown[]> => {
    const { url, username, ip_address } = await made<Camera>(one.get(`${cameras}${id}/`));
    return [url, username, ip_address];
  };
  const all = [address.url, address.username, address.ip_address];
  assert.deepEqual(await shown(user), [undefined, undefined, undefined]);
  await give(toUser(user), ofCamera(id), ['manage']);
  assert.deepEqual(await shown(user), all);
  assert.deepEqual(await shown(staff), all);
});

test('every grant includes the sight of the camera, and a second one for the same pair replaces the first', async () => {
  const id = await aCamera();
  const first = await give(toUser(user), ofCamera(id), ['manage', 'manage']);
  assert.deepEqual(first.capabilities, ['live', 'manage']);
  assert.deepEqual(first.to, { type: 'user', id: user.id, name: 'Test user' });
  assert.deepEqual(first.of, { type: 'camera', id, name: 'Gate' });
  const second = await give(toUser(user), ofCamera(id), ['live']);
  assert.equal(second.id, first.id);
  const listed = await made<{ results: Grant[] }>(staff.get(`${grants}?user=${user.id}`));
  assert.deepEqual(listed.results, [second]);
  const none = await made<{ results: Grant[] }>(staff.get(`${grants}?user=${operator.id}`));
  assert.deepEqual(none.results, []);
});

test('a grant of what is not there is refused, and nothing is kept', async () => {
  const id = await aCamera();
  const gone = await aCamera('Gone');
  assert.equal((await admin.send('DELETE', `${cameras}${gone}/`)).status, 204);
  const refused = async (body: object): Promise<unknown> => {
    const live = { to: toUser(user), of: ofCamera(id), capabilities: ['live'], ...body };
    const reply = await admin.send('PUT', grants, live);
    assert.equal(reply.status, 404, reply.text);
    return reply.json()['code'];
  };
  const user_group = { type: 'user_group', id: unknownId };
  assert.equal(await refused({ to: { type: 'user', id: unknownId } }), 'user_not_found');
  assert.equal(await refused({ to: user_group }), 'group_not_found');
  assert.equal(await refused({ of: ofCamera(unknownId) }), 'camera_not_found');
  assert.equal(await refused({ of: ofCamera(gone) }), 'camera_not_found');
  assert.equal(await refused({ of: { type: 'camera_group', id: unknownId } }), 'group_not_found');
  assert.equal(await refused({ categories: [unknownId] }), 'category_not_found');
  for (const capabilities of [[], ['everything'], 'live']) {
    const body = { to: toUser(user), of: ofCamera(id), capabilities };
    assert.equal((await admin.send('PUT', grants, body)).status, 400);
  }
  assert.deepEqual((await made<{ results: Grant[] }>(admin.get(grants))).results, []);
});

test('a deleted camera is granted to no one and in no group', async () => {
  const id = await aCamera();
  const outside = await cameraGroup('Outside', [id]);
  await give(toUser(user), ofCamera(id));
  await give(toUser(operator), ofGroup(outside));
  assert.equal((await admin.send('DELETE', `${cameras}${id}/`)).status, 204);
  const left = await made<{ results: Grant[] }>(admin.get(grants));
  assert.deepEqual(
    left.results.map(({ of }) => of.type),
    ['camera_group'],
  );
  assert.deepEqual(
    (await made<CameraGroup>(admin.get(`${cameraGroups}${outside.id}/`))).cameras,
    [],
  );
});

test('C-1009 names are read with `people`: everyone’s, or those of the granted categories', async () => {
  const id = await aCamera();
  const { results: categories } = await made<{ results: { id: string; name: string }[] }>(
    admin.get('/secure-api/faces/categories/'),
  );
  for (const [look, { id: category, name }] of categories.entries()) {
    const visit = aVisit(id, world.clock.now() + look, { picture: aPicture(look) });
    await world.server.visits.write(visit);
    const person = { first_name: name, last_name: 'Example', category, sighting: visit.id };
    await made(admin.send('POST', '/secure-api/faces/', person));
  }
  const names = async (more = ''): Promise<string[]> => {
    const { results } = await made<{ results: Visit[] }>(user.get(`${faceLogs}?limit=9${more}`));
    assert.ok(results.every(({ person_id }) => person_id === null));
    assert.ok(
      results.every(({ is_recognized }) => is_recognized),
      'counted as recognised',
    );
    return results.map(({ person_name }) => person_name).toSorted();
  };
  const [first] = categories;
  const hidden = 'Known person';
  await give(toUser(user), ofCamera(id));
  assert.deepEqual(await names(), [hidden, hidden, hidden]);
  await give(toUser(user), ofCamera(id), ['live'], [first!.id]);
  assert.deepEqual(await names(), [hidden, hidden, `${first!.name} Example`]);
  assert.deepEqual(await names('&person_name=vip%20example'), [], 'no filter tells more');
  const both = await group('Readers', [user.id]);
  await give(toGroup(both), ofCamera(id), ['live', 'people']);
  assert.deepEqual(await names(), categories.map(({ name }) => `${name} Example`).toSorted());
  const { results } = await made<{ results: Grant[] }>(admin.get(`${grants}?user=${user.id}`));
  assert.deepEqual(results[0]?.categories, [first!.id]);
});

test('the users who may see a camera are listed with the reason: administrators, its maker, those it was granted to', async () => {
  const id = await aCamera();
  const guards = await group('Guards', [user.id, operator.id]);
  await give(toGroup(guards), ofCamera(id), ['recordings']);
  await give(toUser(user), ofCamera(id), ['people']);
  const { results } = await made<{ results: CameraViewer[] }>(staff.get(`${cameras}${id}/access/`));
  const found = (one: SignedIn) => results.find(({ user: seen }) => seen.id === one.id);
  assert.equal(found(admin)?.reason, 'administrator');
  assert.equal(found(staff)?.reason, 'administrator');
  assert.deepEqual(found(operator)?.capabilities, ['live', 'recordings']);
  assert.deepEqual(found(operator)?.groups, ['Guards']);
  assert.deepEqual(found(user)?.capabilities, ['live', 'recordings', 'people']);
  await query(sql`update app_user set role = 'user', is_staff = false where id = ${admin.id}`);
  const again = await made<{ results: CameraViewer[] }>(staff.get(`${cameras}${id}/access/`));
  await query(sql`update app_user set role = 'admin', is_staff = true where id = ${admin.id}`);
  const maker = again.results.find(({ user: seen }) => seen.id === admin.id);
  assert.deepEqual([maker?.reason, maker?.capabilities.length], ['made', capabilities.length]);
});

test('APC-010, ~APC-011, C-308 groups of cameras show what one may see of them', async () => {
  const [gate, door] = [await aCamera('Gate'), await aCamera('Door')];
  const both = await cameraGroup('Both', [gate, door, gate]);
  const rest = await cameraGroup('Empty', []);
  await give(toUser(user), ofCamera(door));
  const seen = async (one: SignedIn): Promise<[string, string[]][]> =>
    (await made<{ results: CameraGroup[] }>(one.get(cameraGroups))).results.map((one) => [
      one.name,
      one.cameras,
    ]);
  assert.deepEqual(await seen(staff), [
    ['Both', [door, gate]],
    ['Empty', []],
  ]);
  assert.deepEqual(await seen(user), [['Both', [door]]]);
  assert.deepEqual(await seen(operator), []);
  assert.equal((await operator.get(`${cameraGroups}${both.id}/`)).status, 404);
  assert.equal((await user.get(`${cameraGroups}${rest.id}/`)).status, 404);
  assert.equal((await admin.send('POST', cameraGroups, { name: 'BOTH' })).status, 409);
  assert.equal(
    (await admin.send('POST', cameraGroups, { name: 'New', cameras: [unknownId] })).status,
    404,
  );
  assert.equal((await admin.send('DELETE', `${cameraGroups}${both.id}/`)).status, 204);
  assert.deepEqual(await seen(user), []);
});

test('a group of users has a name of its own and members who exist', async () => {
  const guards = await group('Guards', [user.id, user.id]);
  assert.deepEqual(
    guards.members.map(({ id }) => id),
    [user.id],
  );
  assert.equal((await admin.send('POST', userGroups, { name: 'guards' })).status, 409);
  const stranger = { name: 'New', members: [unknownId] };
  assert.equal((await admin.send('POST', userGroups, stranger)).status, 404);
  assert.equal((await admin.send('PUT', `${userGroups}${unknownId}/`, { name: 'x' })).status, 404);
  assert.equal((await admin.send('DELETE', `${userGroups}${unknownId}/`)).status, 404);
  const listed = await made<{ results: UserGroup[] }>(staff.get(userGroups));
  assert.deepEqual(listed.results, [guards]);
  assert.equal((await operator.get(userGroups)).status, 403);
});

test('H-20 a user reads the name of the maker of a camera they may see, and of no one else', async () => {
  const id = await aCamera();
  const name = (whom: SignedIn): Promise<Reply> => user.get(`/secure-api/users/${whom.id}/`);
  assert.deepEqual([(await name(admin)).status, (await name(user)).status], [404, 200]);
  await give(toUser(user), ofCamera(id));
  assert.equal((await name(admin)).json()['full_name'], 'Test admin');
  assert.deepEqual([(await name(staff)).status, (await name(operator)).status], [404, 404]);
});

test('C-801 the activity log holds who granted and revoked what', async () => {
  const id = await aCamera();
  const guards = await group('Guards', [user.id]);
  const { id: grantId } = await give(toGroup(guards), ofCamera(id), ['people']);
  await admin.send('DELETE', `${grants}${grantId}/`);
  const entries = await recorded(world.database.db);
  const about = entries.filter(({ object_id }) => object_id === id || object_id === guards.id);
  assert.deepEqual(
    about.map(({ action, user_id, details }) => [action, user_id === admin.id, details]).slice(1),
    [
      ['account.group_added', true, { added: [user.id], name: 'Guards', removed: [] }],
      [
        'camera.granted',
        true,
        { capabilities: ['live', 'people'], categories: [], user_group: guards.id },
      ],
      ['camera.grant_taken', true, { user_group: guards.id }],
    ],
  );
});

test('C-801 a group that is renamed is recorded with what it was called', async () => {
  const guards = await group('Guards', [user.id]);
  const yard = await cameraGroup('Yard', []);
  const put = (path: string, body: object) => made(admin.send('PUT', path, body));
  await put(`${userGroups}${guards.id}/`, { name: 'Night guards', members: [] });
  await put(`${userGroups}${guards.id}/`, { name: 'Night guards', description: 'x', members: [] });
  await put(`${cameraGroups}${yard.id}/`, { name: 'Front yard', cameras: [] });
  const entries = (await recorded(world.database.db)).filter(
    ({ action, object_id }) =>
      action.endsWith('.group_changed') && [guards.id, yard.id].includes(object_id ?? ''),
  );
  const noMembersMoved = { added: [], removed: [] };
  assert.deepEqual(
    entries.map(({ object_id, details }) => [object_id, details]),
    [
      [
        guards.id,
        {
          name: 'Night guards',
          added: [],
          removed: [user.id],
          fields: ['name'],
          changes: { name: { from: 'Guards', to: 'Night guards' } },
        },
      ],
      [guards.id, { name: 'Night guards', ...noMembersMoved, fields: ['description'] }],
      [
        yard.id,
        {
          name: 'Front yard',
          ...noMembersMoved,
          fields: ['name'],
          changes: { name: { from: 'Yard', to: 'Front yard' } },
        },
      ],
    ],
  );
});

test('C-801 an entry lists thirty of many granted categories, and says how many more', async () => {
  const id = await aCamera();
  await query(sql`
    insert into face_category (id, name, color, created_at)
    select gen_random_uuid(), 'Many ' || n, '#000000', now() from generate_series(1, 200) n`);
  const { rows } = await sql<{ id: string }>`
    select id from face_category where name like 'Many %'`.execute(world.database.db.read());
  const ids = rows.map((row) => row.id);
  await give(toUser(user), ofCamera(id), ['live'], ids);
  const entry = (await recorded(world.database.db)).findLast(
    ({ action, object_id }) => action === 'camera.granted' && object_id === id,
  );
  assert.deepEqual(entry?.details, {
    capabilities: ['live'],
    categories: ids.slice(0, 30),
    more_categories: 170,
    user: user.id,
  });
  await query(sql`delete from face_category where name like 'Many %'`);
});

test('~CFL-001, ~CFL-002 the database itself keeps flags and role together', async () => {
  const wrong = [
    sql`update app_user set is_superuser = true where id = ${user.id}`,
    sql`update app_user set role = 'superadmin' where id = ${user.id}`,
    sql`update app_user set role = 'superadmin', is_superuser = true where id = ${user.id}`,
    sql`update app_user set role = 'admin' where id = ${user.id}`,
    sql`update app_user set is_staff = false where id = ${admin.id}`,
  ];
  for (const statement of wrong) await assert.rejects(query(statement), /check constraint/);
});

test('=CFL-004 a grant without the sight of the camera, or to two at once, cannot be kept', async () => {
  const id = await aCamera();
  const { id: groupId } = await group('Guards', []);
  const insert = (capabilities: string[], userId: string | null, groupOf: string | null) =>
    query(sql`insert into camera_grant (id, user_id, user_group_id, camera_id, capabilities, granted_at)
              values (gen_random_uuid(), ${userId}, ${groupOf}, ${id}, ${capabilities}, now())`);
  await assert.rejects(insert(['manage'], user.id, null), /check constraint/);
  await assert.rejects(insert(['live', 'all'], user.id, null), /check constraint/);
  await assert.rejects(insert(['live'], user.id, groupId), /check constraint/);
  await assert.rejects(insert(['live'], null, null), /check constraint/);
  await insert(['live'], user.id, null);
  await assert.rejects(insert(['live'], user.id, null), /camera_grant_once/);
});
