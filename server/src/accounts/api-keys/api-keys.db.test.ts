/** API keys: who may hold them, what they open, and when they open nothing any more (C-118, C-119). */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Role } from '@nazar/contract/accounts.ts';
import type { CreatedApiKey } from '@nazar/contract/own-security.ts';
import { keyScopes, type KeyScope } from '@nazar/contract/route.ts';
import { seeAsHeader } from '@nazar/contract/see-as.ts';
import { routes } from '#testing/routes.ts';
import { until } from '#testing/until.ts';
import {
  call,
  signInEach,
  testPassword,
  testServer,
  type SignedIn,
  type TestServer,
} from '#testing/server.ts';
import { requestsPerWindow } from './rate.ts';

const path = '/secure-api/accounts/api-keys/';
const camerasPath = '/secure-api/cameras/';
const minePath = '/secure-api/accounts/security/update_my_security/';
const dayMs = 24 * 60 * 60_000;

let world: TestServer;
let actors: Record<Role, SignedIn>;

before(async () => {
  world = await testServer();
  actors = await signInEach(world);
});
after(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  await allowKeys(true);
  const write = world.database.db.write();
  await sql`delete from throttle`.execute(write);
  await sql`delete from api_key`.execute(write);
  for (const { id } of Object.values(actors)) await wantKeys(id);
});

async function allowKeys(isOn: boolean): Promise<void> {
  const value = JSON.stringify({ apiAccessEnabled: isOn, sessionTimeout: 240 });
  await sql`insert into setting values ('security', ${value}, now())
    on conflict (section) do update set value = excluded.value`.execute(world.database.db.write());
}

async function wantKeys(userId: string, allowed = 'All'): Promise<void> {
  await sql`insert into account_security (user_id, session_timeout, allowed_ips, api_access)
    values (${userId}, null, ${allowed}, true)
    on conflict (user_id) do update set session_timeout = null, allowed_ips = excluded.allowed_ips,
      api_access = true`.execute(world.database.db.write());
}

const ask = (who: SignedIn, scopes: readonly string[], more: object = {}) =>
  who.send('POST', path, { name: 'Script', scopes, password: testPassword, ...more });

async function aKey(
  who: SignedIn,
  scopes: readonly KeyScope[] = keyScopes,
): Promise<CreatedApiKey> {
  const reply = await ask(who, scopes);
  assert.equal(reply.status, 201, reply.text);
  return reply.json<CreatedApiKey>();
}

const by = (key: string) => ({ headers: { 'x-api-key': key } });
const opens = async (key: string, url = camerasPath): Promise<boolean> =>
  (await call(world.app, 'GET', url, by(key))).status === 200;

async function recorded(action: string): Promise<{ ip: string; details: unknown }[]> {
  const { rows } = await sql<{ ip: string; details: unknown }>`
    select ip, details from audit_entry where action = ${action} order by recorded_at, id`.execute(
    world.database.db.read(),
  );
  return rows;
}

const guarded = routes.filter((route) => typeof route.callers !== 'string');

test('C-118 a key is 256 bits, shown once, and only its SHA-256 is kept', async () => {
  const { key, ...rest } = await aKey(actors.user, ['cameras:read']);
  assert.match(key, /^nzk_[\w-]{43}$/);
  const secret = key.slice(4);
  assert.equal(Buffer.from(secret, 'base64url').length, 32);
  const listed = await actors.user.get(path);
  assert.deepEqual(listed.json<{ results: unknown[] }>().results, [rest]);
  const { rows } = await sql<{ text: string }>`
    select (select string_agg(api_key::text, '') from api_key)
      || (select string_agg(audit_entry::text, '') from audit_entry) as text`.execute(
    world.database.db.read(),
  );
  const dump = rows[0]!.text;
  assert.ok(dump.includes(rest.id));
  for (const form of [secret, Buffer.from(secret, 'base64url').toString('hex')]) {
    assert.ok(!listed.text.includes(form));
    assert.ok(!dump.includes(form));
  }
});

/**
 * Of the activity log visits and their counts, which stand at several addresses (APL-006 to 021); the list of cameras
 * stands at two more (APC-014). Names of people are read as faces are.
 */
const mayBeReached = new RegExp(
  [
    '^/secure-api/(cameras|faces|face_detector|analytics)/',
    '^/secure-api/alerts/(counts/|mode/|:id/(update_status/|assign/)?)?$',
    '^/secure-api/notifications/(unread_count/|stream/)?$',
    '^/secure-api/activity-log/(face-logs|daily-face-logs|face-recognition)/',
    '^/secure-api/activity-log/activity-logs/(face-recognition-stats|daily-face-logs)/',
    '^/secure-api/(persons|person/list)/$',
    '^(/secure-api)?/camera/list/$',
  ].join('|'),
);

test('C-118 no key gets at keys, users, settings or the activity log', () => {
  const reachable = guarded
    .filter(({ keyScope }) => keyScope !== undefined)
    .map(({ path: to }) => to);
  assert.ok(reachable.length > 20);
  for (const to of reachable) {
    assert.match(to, mayBeReached);
  }
});

test('C-119 a key is taken from two headers only: in an address it opens nothing, with a session neither', async () => {
  const { key } = await aKey(actors.admin);
  assert.ok(await opens(key));
  const bearer = await call(world.app, 'GET', camerasPath, { access: key });
  assert.equal(bearer.status, 200);
  for (const query of [
    `?api_key=${key}`,
    `?access=${key}`,
    `?search=${key}`,
    `?X-Api-Key=${key}`,
  ]) {
    const alone = await call(world.app, 'GET', camerasPath + query);
    assert.equal(alone.status, 401, query);
    const { access } = actors.admin;
    const beside = await call(world.app, 'GET', camerasPath + query, { access });
    assert.equal(beside.status, 401, `${query} beside a session`);
    assert.equal((await call(world.app, 'GET', camerasPath + query, by(key))).status, 401);
  }
  const both = { access: actors.admin.access, headers: { 'x-api-key': key } };
  assert.equal((await call(world.app, 'GET', camerasPath, both)).status, 401);
});

test('C-208 a key is no access token, no refresh token, and no token is a key', async () => {
  const { key } = await aKey(actors.admin);
  const { access, refresh } = actors.admin;
  const bodies = [key, key.replace('nzk', 'nzr')];
  for (const shown of bodies) {
    const reply = await call(world.app, 'POST', '/token/refresh/', { body: { refresh: shown } });
    assert.equal(reply.status, 401);
  }
  const forged = [
    access,
    refresh,
    access.replace('nza', 'nzk'),
    key.replace('nzk', 'nza'),
    'nzk_',
    '',
  ];
  for (const shown of forged) assert.equal(await opens(shown), false, shown.slice(0, 4));
});

test('C-118 no user sees as another user by a key', async () => {
  const { key } = await aKey(actors.superadmin);
  const seeAs = `/secure-api/accounts/users/${actors.user.id}/see-as/`;
  const begun = await actors.superadmin.send('POST', seeAs);
  assert.ok(begun.status < 300, begun.text);
  const headers = { 'x-api-key': key, [seeAsHeader]: actors.user.id };
  const reply = await call(world.app, 'GET', camerasPath, { headers });
  assert.equal(reply.status, 403);
  assert.equal(reply.json()['code'], 'see_as_forbidden');
});

test('C-118 the owner made less is the key made less, at the next request', async () => {
  const owner = await world.signIn('admin', 'lowered@example.org');
  await wantKeys(owner.id);
  const { key } = await aKey(owner);
  const add = () => call(world.app, 'POST', camerasPath, { ...by(key), body: { name: '' } });
  assert.equal((await add()).status, 400, 'an admin adds cameras: only the body is wrong');
  await actors.superadmin.send('PATCH', `/secure-api/accounts/users/${owner.id}/`, {
    role: 'user',
  });
  assert.equal((await add()).status, 403);
  assert.ok(await opens(key));
});

test('C-117 a disabled or deleted owner: the key opens nothing', async () => {
  const owner = await world.signIn('user', 'leaving@example.org');
  await wantKeys(owner.id);
  const { key } = await aKey(owner);
  assert.ok(await opens(key));
  const user = `/secure-api/accounts/users/${owner.id}/`;
  await actors.superadmin.send('PATCH', user, { is_active: false });
  assert.equal(await opens(key), false);
  await actors.superadmin.send('PATCH', user, { is_active: true });
  assert.ok(await opens(key));
  await sql`delete from app_user where id = ${owner.id}`.execute(world.database.db.write());
  assert.equal(await opens(key), false);
});

test('~SEC-013, CFL-022 keys need both the policy and the own wish; the own wish withdrawn revokes them for good', async () => {
  const { key } = await aKey(actors.user);
  await allowKeys(false);
  assert.equal(await opens(key), false);
  assert.equal((await ask(actors.user, ['live'])).json()['code'], 'api_access_off');
  await allowKeys(true);
  assert.ok(await opens(key), 'the policy suspends');
  assert.equal((await actors.user.send('PATCH', minePath, { api_access: false })).status, 200);
  assert.equal(await opens(key), false);
  assert.equal((await ask(actors.user, ['live'])).status, 409);
  await actors.user.send('PATCH', minePath, { api_access: true });
  assert.equal(await opens(key), false, 'revoked, not suspended');
});

test('C-118 a key ends when its time is over, after a year at the latest', async () => {
  for (const days of [0, 366, 1.5, -1]) {
    const reply = await ask(actors.user, ['live'], { expires_in_days: days });
    assert.equal(reply.status, 400, String(days));
    assert.ok(reply.json()['expires_in_days']);
  }
  const owner = actors.user.id;
  const year = (
    await ask(actors.user, ['cameras:read'], { expires_in_days: 365 })
  ).json<CreatedApiKey>();
  const usual = await aKey(actors.user, ['cameras:read']);
  const life = ({ created_at, expires_at }: CreatedApiKey): number =>
    (Date.parse(expires_at) - Date.parse(created_at)) / dayMs;
  assert.deepEqual([life(year), life(usual)], [365, 90]);
  const soon = new Date(world.clock.now() + 1);
  await sql`update api_key set expires_at = ${soon} where user_id = ${owner}`.execute(
    world.database.db.write(),
  );
  assert.ok(await opens(year.key));
  world.clock.advance(1);
  assert.equal(await opens(year.key), false);
  assert.deepEqual((await actors.user.get(path)).json()['results'], []);
});

test('C-118 a key is asked for with the password, a name and scopes that there are', async () => {
  const wrong = [
    { password: 'wrong-password-1' },
    { name: '' },
    { name: 'x'.repeat(101) },
    { scopes: [] },
    { scopes: ['users:write'] },
    { scopes: 'live' },
  ];
  for (const more of wrong) {
    const reply = await ask(actors.user, ['live'], more);
    assert.equal(reply.status, 400, JSON.stringify(more));
    assert.deepEqual(
      Object.keys(reply.json()).map((field) => field.split('.')[0]),
      Object.keys(more),
    );
  }
  assert.equal((await actors.user.get(path)).json<{ results: unknown[] }>().results.length, 0);
});

test('C-118 users revoke their own keys, administrators any key, and others see none of it', async () => {
  const { key, id } = await aKey(actors.user);
  const of = `${path}?user_id=${actors.user.id}`;
  assert.equal((await actors.operator.get(of)).status, 404);
  assert.equal((await actors.operator.send('DELETE', `${path}${id}/`)).status, 404);
  assert.ok(await opens(key));
  assert.equal((await actors.admin.get(of)).json<{ results: unknown[] }>().results.length, 1);
  assert.equal((await actors.admin.send('DELETE', `${path}${id}/`)).status, 204);
  assert.equal(await opens(key), false);
  assert.equal((await actors.admin.send('DELETE', `${path}${id}/`)).status, 404, 'once');
  const mine = [await aKey(actors.user), await aKey(actors.user)];
  const others = await aKey(actors.operator);
  assert.equal((await actors.user.send('DELETE', `${path}${mine[0]!.id}/`)).status, 204);
  assert.deepEqual([await opens(mine[0]!.key), await opens(mine[1]!.key)], [false, true]);
  assert.equal((await actors.user.send('DELETE', path)).status, 204);
  assert.deepEqual([await opens(mine[1]!.key), await opens(others.key)], [false, true]);
});

test('C-118 a user holds twenty keys at most, even when they ask at once', async () => {
  const asked = Array.from({ length: 24 }, () => ask(actors.operator, ['live']));
  const codes = (await Promise.all(asked)).map(({ status }) => status);
  assert.deepEqual(
    [codes.filter((code) => code === 201).length, codes.filter((code) => code === 409).length],
    [20, 4],
  );
});

test('C-120 actions on keys are recorded, and the first use from each address', async () => {
  const before = (await recorded('account.key_first_used')).length;
  const { key, id } = await aKey(actors.user, ['cameras:read']);
  const from = (remoteAddress: string) =>
    world.app.inject({
      url: camerasPath,
      remoteAddress,
      headers: { host: 'localhost', 'x-api-key': key },
    });
  for (const ip of ['192.0.2.7', '192.0.2.7', '198.51.100.3', '192.0.2.7']) {
    world.clock.advance(1);
    assert.equal((await from(ip)).statusCode, 200);
  }
  const entries = (await recorded('account.key_first_used')).slice(before);
  assert.deepEqual(entries, [
    { ip: '192.0.2.7', details: { key: id } },
    { ip: '198.51.100.3', details: { key: id } },
  ]);
  const [listed] = (await actors.user.get(path)).json<{ results: CreatedApiKey[] }>().results;
  assert.equal(listed?.last_used_ip, '192.0.2.7');
  assert.equal(listed?.last_used_at, new Date(world.clock.now()).toISOString());
  await actors.user.send('DELETE', `${path}${id}/`);
  for (const action of ['account.key_created', 'account.key_revoked']) {
    const about = (await recorded(action)).filter(({ details }) =>
      JSON.stringify(details).includes(id),
    );
    assert.equal(about.length, 1, action);
  }
  // The first address is where it was made for; the other is one to warn of.
  const warned = async () =>
    (await world.server.warnings.list()).filter(({ kind }) => kind === 'key_new_address');
  await until(async () => (await warned()).length > 0);
  assert.equal((await warned()).length, 1);
});

test('SEC-012 a key is used from where its owner may be, and from nowhere else', async () => {
  const { key } = await aKey(actors.user, ['cameras:read']);
  await wantKeys(actors.user.id, '192.0.2.0/24');
  assert.equal(await opens(key), false);
  const inside = await world.app.inject({
    url: camerasPath,
    remoteAddress: '192.0.2.200',
    headers: { host: 'localhost', 'x-api-key': key },
  });
  assert.equal(inside.statusCode, 200);
});

test('C-105, C-106 wrong keys from one network are counted, in the database, and then refused unread', async () => {
  const guess = (key: string, remoteAddress = '203.0.113.5') =>
    world.app.inject({
      url: camerasPath,
      remoteAddress,
      headers: { host: 'localhost', 'x-api-key': key },
    });
  const { key } = await aKey(actors.user, ['cameras:read']);
  for (let count = 0; count < 120; count += 1) {
    assert.equal((await guess(`nzk_${'A'.repeat(43)}`)).statusCode, 401);
  }
  const refused = await guess(key, '203.0.113.99');
  assert.equal(refused.statusCode, 429, 'the right one, from the same network');
  assert.ok(Number(refused.headers['retry-after']) <= 60);
  assert.equal((await guess(key, '203.0.114.5')).statusCode, 200);
  const { rows } = await sql<{ failures: number }>`
    select failures from throttle where key = 'key:203.0.113'`.execute(world.database.db.read());
  assert.equal(rows[0]?.failures, 120);
  world.clock.advance(60_000);
  assert.equal((await guess(key)).statusCode, 200);
});

test('C-118 a key that asks too often waits, and no other key with it', async () => {
  world.clock.advance(60_000);
  const owner = await world.signIn('user', 'wild@example.org');
  await wantKeys(owner.id);
  const wild = await aKey(owner, ['cameras:read']);
  const calm = await aKey(owner, ['cameras:read']);
  for (let count = 0; count < requestsPerWindow; count += 1) assert.ok(await opens(wild.key));
  const refused = await call(world.app, 'GET', camerasPath, by(wild.key));
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.ok(await opens(calm.key));
  world.clock.advance(60_000);
  assert.ok(await opens(wild.key));
});
