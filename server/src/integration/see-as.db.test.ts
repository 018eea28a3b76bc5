/** An administrator sees what another user sees: the same answers, nothing changed, nothing personal, all recorded. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Route } from '@nazar/contract/route.ts';
import type { Role } from '@nazar/contract/accounts.ts';
import { recorded } from '#testing/activity-chain.ts';
import { addressOf } from '#testing/routes.ts';
import { call, testServer, type Reply, type SignedIn, type TestServer } from '#testing/server.ts';
import { openSocket } from '#testing/sockets.ts';
import { until } from '#testing/until.ts';
import { aVisit } from '#testing/world.ts';
import { grantTo, makers } from '#testing/matrix-objects.ts';

let world: TestServer;
let superadmin: SignedIn;
let admin: SignedIn;
let user: SignedIn;
let cameraId: string;

before(async () => {
  world = await testServer();
  superadmin = await world.signIn('superadmin');
  admin = await world.signIn('admin');
  user = await world.signIn('user');
  cameraId = (await makers.camera(world, superadmin, user))['id']!;
  await makers.camera(world, superadmin, user);
  await grantTo(world, superadmin, user, cameraId);
  await makers.person(world, user, user);
  await makers.person(world, superadmin, user);
  await world.server.visits.write(aVisit(cameraId, world.clock.now()));
});
after(() => world[Symbol.asyncDispose]());

const begin = (who: SignedIn, whom: string): Promise<Reply> =>
  who.send('POST', `/secure-api/accounts/users/${whom}/see-as/`);
const end = (who: SignedIn, whom: string): Promise<Reply> =>
  who.send('DELETE', `/secure-api/accounts/users/${whom}/see-as/`);
const as = (
  who: SignedIn,
  whom: string,
  url: string,
  method: Route['method'] = 'GET',
  body: object = {},
): Promise<Reply> =>
  call(world.app, method, url, {
    access: who.access,
    headers: { 'x-see-as': whom },
    ...(method === 'GET' ? {} : { body }),
  });
const code = (reply: Reply): unknown => reply.json()['code'];

const lists = [
  '/secure-api/accounts/users/me/',
  '/secure-api/accounts/users/',
  '/secure-api/cameras/',
  '/secure-api/cameras/snapshots/latest/',
  '/secure-api/cameras/groups/',
  '/secure-api/faces/',
  '/secure-api/faces/statistics/',
  '/secure-api/faces/detections/',
  '/secure-api/activity-log/face-logs/',
  '/secure-api/analytics/summary/',
  '/secure-api/cameras/grants/',
];

test('an administrator who sees as a user gets what the user gets, refusals too', async () => {
  assert.equal((await begin(admin, user.id)).status, 201);
  for (const url of [...lists, `/secure-api/cameras/${cameraId}/`]) {
    const [seen, own] = [await as(admin, user.id, url), await user.get(url)];
    assert.deepEqual([seen.status, seen.text], [own.status, own.text], url);
  }
  const [camera] = (await as(admin, user.id, '/secure-api/cameras/')).json<{
    results: { id: string }[];
  }>().results;
  assert.equal(camera?.id, cameraId);
});

test('no route changes anything meanwhile, and none of one’s own account answers', async () => {
  await begin(admin, user.id);
  const everyone = world.server.routes.filter(({ callers }) => typeof callers !== 'string');
  let refused = 0;
  for (const route of everyone) {
    if (route.shownAs) {
      const watches = /\/live\/ticket\/$|\/low_latency_stream\/|\/playback\/$/.test(route.path);
      assert.ok(route.method === 'GET' || watches, route.path);
      continue;
    }
    const url = addressOf(route.path);
    const reply = await as(admin, user.id, url, route.method);
    assert.equal(reply.status, 403, `${route.method} ${url}: ${reply.text}`);
    refused += 1;
  }
  assert.ok(refused > 20);
  const reply = await as(admin, user.id, '/secure-api/accounts/sessions/');
  assert.equal(code(reply), 'seeing_as');
});

test('seeing as another user must be begun, by an administrator, never of an account above them, and ends', async () => {
  const me = '/secure-api/accounts/users/me/';
  await end(admin, user.id);
  assert.equal(code(await as(admin, user.id, me)), 'see_as_ended', 'not begun');
  assert.equal((await begin(user, admin.id)).status, 403);
  assert.equal(code(await as(user, admin.id, me)), 'see_as_ended', 'a user with a header');
  assert.equal(code(await begin(admin, superadmin.id)), 'see_as_forbidden');
  assert.equal(code(await begin(admin, admin.id)), 'see_as_forbidden');
  assert.equal((await begin(superadmin, admin.id)).status, 201);
  assert.equal((await begin(admin, user.id)).status, 201);
  assert.equal((await as(admin, user.id, me)).status, 200);
  assert.equal(code(await as(superadmin, user.id, me)), 'see_as_ended', 'only in that session');
  assert.equal(code(await as(admin, 'nobody', me)), 'see_as_ended');
  assert.equal((await end(admin, user.id)).status, 204);
  assert.equal(code(await as(admin, user.id, me)), 'see_as_ended', 'left');
});

test('C-207 seeing as a user ends when they rise above the administrator, or are disabled', async () => {
  const me = '/secure-api/accounts/users/me/';
  const rises = await world.signIn('operator');
  await begin(admin, rises.id);
  const change = (body: object): Promise<Reply> =>
    superadmin.send('PATCH', `/secure-api/accounts/users/${rises.id}/`, body);
  await change({ role: 'superadmin' satisfies Role });
  assert.equal(code(await as(admin, rises.id, me)), 'see_as_ended');
  await change({ role: 'user' satisfies Role });
  assert.equal((await as(admin, rises.id, me)).status, 200);
  await change({ is_active: false });
  assert.equal(code(await as(admin, rises.id, me)), 'see_as_ended');
});

test('C-120 seeing as another user is recorded once, and what was watched is the administrator’s deed', async () => {
  const watched = await world.signIn('user', 'watched@example.org');
  await grantTo(world, superadmin, watched, cameraId);
  const started = (await recorded(world.database.db)).length;
  await begin(admin, watched.id);
  for (const url of lists) await as(admin, watched.id, url);
  const path = `/secure-api/cameras/${cameraId}/live/`;
  const reply = await as(admin, watched.id, `${path}ticket/`, 'POST');
  assert.equal(reply.status, 201, reply.text);
  const { ticket } = reply.json<{ ticket: string }>();
  const { closed } = await openSocket(world.app, `${path}ws/?ticket=${ticket}`);
  assert.equal(await closed, 1000, 'let in; the camera has no address');
  await end(admin, watched.id);
  const entries = (await recorded(world.database.db)).slice(started);
  const changes = entries.map(({ action, user_id, object_id, details }) => [
    action,
    user_id,
    object_id,
    details,
  ]);
  assert.deepEqual(changes, [
    ['account.see_as_begun', admin.id, watched.id, {}],
    ['camera.watched', admin.id, cameraId, { seen_as: watched.id }],
    ['account.see_as_ended', admin.id, watched.id, {}],
  ]);
});

test('live events come with the rights of the user who is seen as, and end with that', async () => {
  await begin(admin, user.id);
  const reader = await openSocket(world.app, '/secure-api/news/ws/');
  reader.socket.send(JSON.stringify({ access: admin.access, see_as: user.id }));
  const hidden = (await makers.camera(world, superadmin, user))['id']!;
  // Nothing is sent before it is known whose rights count.
  for (let at = 0; !reader.received.some(({ kind }) => kind === 'visits'); at += 1) {
    world.clock.advance(100);
    for (const camera of [hidden, cameraId]) {
      await world.server.visits.write(aVisit(camera, world.clock.now() + at));
    }
  }
  for (const message of reader.received) {
    const { seen = [] } = message as { seen?: { camera_id: string }[] };
    assert.ok(seen.every(({ camera_id: id }) => id === cameraId));
  }
  const refused = await openSocket(world.app, '/secure-api/news/ws/');
  refused.socket.send(JSON.stringify({ access: admin.access, see_as: superadmin.id }));
  assert.equal(await refused.closed, 1008);
  await end(admin, user.id);
  await until(() => {
    world.clock.advance(2_000);
    return reader.socket.readyState !== reader.socket.OPEN;
  });
  assert.equal(await reader.closed, 1008);
});
