import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { LoginReply, User } from '@nazar/contract/accounts.ts';
import { call, testPassword, testServer, type Reply, type TestServer } from '#testing/server.ts';

const loginPath = '/secure-api/accounts/login/';
const mePath = '/secure-api/accounts/users/me/';
const setupPath = '/secure-api/setup/administrator/';
const dayMs = 24 * 60 * 60_000;

let world: TestServer;
before(async () => {
  world = await testServer();
});
after(() => world[Symbol.asyncDispose]());

const first = (code: string, more: object = {}) => ({
  code,
  email: 'first@example.org',
  password: testPassword,
  first_name: 'First',
  last_name: 'Administrator',
  ...more,
});

test('C-101 a fresh installation has no account: all but the set-up answers 503 until the code is used', async () => {
  const { app, server, clock } = world;
  const post = (body: object): Promise<Reply> => call(app, 'POST', setupPath, { body });
  for (const [method, url, body] of [
    ['GET', mePath, undefined],
    ['GET', '/secure-api/cameras/', undefined],
    ['POST', '/secure-api/faces/', undefined],
    ['POST', loginPath, { email: 'admin@example.org', password: 'admin' }],
    ['POST', '/token/refresh/', { refresh: 'nzr_x' }],
  ] as const) {
    const reply = await call(app, method, url, body ? { body } : {});
    assert.deepEqual([reply.status, reply.json()['code']], [503, 'setup_required'], url);
  }
  assert.equal((await call(app, 'GET', '/healthz')).status, 200);
  assert.equal((await call(app, 'GET', '/secure-api/setup/')).json()['required'], true);

  const expired = await server.accounts.newSetupCode();
  assert.ok(Buffer.from(expired, 'base64url').length >= 16, '128 bits');
  clock.advance(dayMs);
  assert.equal((await post(first(expired))).status, 403, 'valid for 24 h');
  const replaced = await server.accounts.newSetupCode();
  const code = await server.accounts.newSetupCode();
  assert.equal((await post(first(replaced))).status, 403, 'only the newest');
  const short = await post(first(code, { password: 'k7#mQ2x!9ab' }));
  assert.equal(short.status, 400, 'a bad password does not use the code up');
  assert.match(short.json<{ password: string[] }>().password[0]!, /12/);

  const both = await Promise.all([
    post(first(code)),
    post(first(code, { email: 'second@example.org' })),
  ]);
  const opened = both.filter(({ status }) => status === 201);
  assert.equal(opened.length, 1, 'once');
  const { user } = opened[0]!.json<LoginReply>();
  assert.deepEqual([user.role, user.is_staff, user.is_superuser], ['superadmin', true, true]);
  const late = await post(first(code));
  assert.deepEqual([late.status, late.json()['code']], [410, 'setup_done']);
  assert.equal((await call(app, 'GET', '/secure-api/setup/')).json()['required'], false);
});

test('C-105 guesses at the set-up code are counted: after five the right one waits, too', async () => {
  await using fresh = await testServer();
  const { app, server, clock } = fresh;
  const code = await server.accounts.newSetupCode();
  const guess = (guessed: string) => call(app, 'POST', setupPath, { body: first(guessed) });
  const statuses: number[] = [];
  for (let i = 0; i < 6; i += 1) statuses.push((await guess(`wrong-${i}`)).status);
  assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429]);
  const right = await guess(code);
  assert.deepEqual([right.status, right.json()['code']], [429, 'too_many_requests']);
  clock.advance(dayMs / 2);
  assert.equal((await guess(code)).status, 201, 'the wait ends');
});

test('SES-009, APA-005, ENT-002 login answers access, refresh and the user, and nothing more', async () => {
  await world.signIn('operator', 'oper@example.org');
  const body = { email: ' OPER@example.org ', password: testPassword };
  const reply = await call(world.app, 'POST', loginPath, { body });
  assert.equal(reply.status, 200);
  assert.deepEqual(Object.keys(reply.json()).sort(), ['access', 'refresh', 'user']);
  const { user } = reply.json<LoginReply>();
  const known: Partial<User> = { email: 'oper@example.org', role: 'operator', is_staff: false };
  assert.deepEqual({ ...user, ...known }, user);
  for (const field of ['id', 'first_name', 'last_name', 'is_superuser']) assert.ok(field in user);
  assert.ok(!/argon2|hash|password/.test(reply.text));
  assert.equal(reply.headers['set-cookie'], undefined, 'a script gets no cookie');
});

test('SES-013, C-108 unknown and wrong are answered with the very same words', async () => {
  const texts = new Set<string>();
  for (const email of ['oper@example.org', 'nobody@example.org']) {
    const reply = await call(world.app, 'POST', loginPath, { body: { email, password: 'not it' } });
    assert.equal(reply.status, 401);
    assert.equal(reply.json()['detail'], 'Invalid email or password');
    texts.add(reply.text);
  }
  assert.equal(texts.size, 1);
});

test('C-104 too many guesses: 429 and the seconds to wait', async () => {
  const body = { email: 'guessed@example.org', password: 'not it' };
  for (let guess = 0; guess < 5; guess += 1) await call(world.app, 'POST', loginPath, { body });
  const reply = await call(world.app, 'POST', loginPath, { body });
  assert.equal(reply.status, 429);
  assert.equal(reply.headers['retry-after'], '30');
});

test('C-203, =SES-005 a browser gets a strict cookie that no script reads, for as long as it asked', async () => {
  const login = async (remember: boolean): Promise<string> => {
    const body = { email: 'oper@example.org', password: testPassword, remember };
    const headers = { 'sec-fetch-site': 'same-origin' };
    const reply = await call(world.app, 'POST', loginPath, { body, headers });
    return String(reply.headers['set-cookie']);
  };
  const kept = await login(true);
  assert.match(
    kept,
    /^nazar-session=nzc_[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  assert.match(
    await login(false),
    /^nazar-session=nzc_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
  );
});

test('APA-004, SES-015, SES-016 refresh answers a new pair; rubbish is 401', async () => {
  const { refresh } = await world.signIn('user', 'refresher@example.org');
  const post = (body: object): Promise<Reply> =>
    call(world.app, 'POST', '/token/refresh/', { body });
  const reply = await post({ refresh });
  assert.deepEqual(Object.keys(reply.json()).sort(), ['access', 'refresh']);
  const { access } = reply.json<LoginReply>();
  assert.equal((await call(world.app, 'GET', mePath, { access })).status, 200);
  for (const wrong of ['nzr_', 'x'.repeat(128), `nzr_${'A'.repeat(43)}`]) {
    assert.equal((await post({ refresh: wrong })).status, 401, '=SES-017');
  }
  assert.equal((await post({})).status, 400);
});

test('APA-002, APA-008, SES-023 a user reads who they are, by the header and by nothing else', async () => {
  const me = await world.signIn('user', 'me@example.org');
  assert.equal((await me.get(mePath)).json<User>().email, 'me@example.org');
  const attempts = [
    { url: `${mePath}?access=${me.access}`, headers: {} },
    { url: mePath, headers: { authorization: me.access } },
    { url: mePath, headers: { authorization: `Basic ${me.access}` } },
    { url: mePath, headers: { 'x-forwarded-user': 'me@example.org', 'remote-user': me.id } },
    { url: mePath, headers: { cookie: `nazar-session=${me.access}` } },
  ];
  for (const { url, headers } of attempts) {
    assert.equal(
      (await call(world.app, 'GET', url, { headers })).status,
      401,
      JSON.stringify(headers),
    );
  }
});

test('APA-007, SES-024 logout ends the session, its refresh and its cookie', async () => {
  const leaving = await world.signIn('user', 'leaving@example.org');
  const reply = await leaving.send('POST', '/secure-api/accounts/logout/');
  assert.equal(reply.status, 204);
  const cleared = String(reply.headers['set-cookie']);
  assert.match(cleared, /^nazar-session=; Max-Age=0; Path=\/; .*HttpOnly; SameSite=Strict$/);
  assert.equal((await leaving.get(mePath)).status, 401);
  const { refresh } = leaving;
  const again = await call(world.app, 'POST', '/token/refresh/', { body: { refresh } });
  assert.equal(again.status, 401);
});

test('APA-012, APA-013, ~APA-014, ~CFL-018 preferences: nothing chosen at first, each kept on its own', async () => {
  const path = '/secure-api/accounts/preferences';
  const me = await world.signIn('user', 'choosy@example.org');
  const other = await world.signIn('user', 'other@example.org');
  const none = {
    language: null,
    theme: null,
    avatar_color: null,
    sidebar_collapsed: false,
    cameras_view: 'grid',
    faces_view: 'grid',
    timezone: null,
  };
  const change = (body: object): Promise<Reply> =>
    me.send('PATCH', `${path}/update_my_preferences/`, body);
  assert.deepEqual((await me.get(`${path}/my_preferences/`)).json(), none);
  assert.deepEqual((await change({})).json(), none);
  await Promise.all([
    change({ language: 'az' }),
    change({ theme: 'dark' }),
    change({ faces_view: 'list' }),
    change({ timezone: 'Asia/Baku' }),
  ]);
  const chosen = {
    ...none,
    language: 'az',
    theme: 'dark',
    faces_view: 'list',
    timezone: 'Asia/Baku',
  };
  assert.deepEqual((await me.get(`${path}/my_preferences/`)).json(), chosen);
  assert.deepEqual((await change({ theme: null })).json(), { ...chosen, theme: null });
  assert.deepEqual((await other.get(`${path}/my_preferences/`)).json(), none);
  for (const wrong of [
    { language: 'fr' },
    { theme: 'blue' },
    { avatar_color: 'red' },
    { user_id: 1, theme: 2 },
    { timezone: '' },
    { timezone: 'Europe/Atlantis' },
  ]) {
    assert.equal((await change(wrong)).status, 400, JSON.stringify(wrong));
  }
});

test('C-203 behind a proxy that does TLS the cookie is bound to this host, and cleared as it was set', async () => {
  await using secure = await testServer({ trustProxy: ['127.0.0.1'] });
  const { email } = await secure.signIn('admin');
  const headers = { 'x-forwarded-proto': 'https', 'sec-fetch-site': 'same-origin' };
  const body = { email, password: testPassword };
  const login = await call(secure.app, 'POST', loginPath, { body, headers });
  const set = String(login.headers['set-cookie']);
  assert.match(
    set,
    /^__Host-nazar-session=nzc_[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  const { access } = login.json<LoginReply>();
  const cookie = set.split(';')[0]!;
  const out = await call(secure.app, 'POST', '/secure-api/accounts/logout/', {
    access,
    headers: { ...headers, cookie },
  });
  assert.equal(out.status, 204);
  assert.match(
    String(out.headers['set-cookie']),
    /^__Host-nazar-session=; .*Secure; SameSite=Strict$/,
  );
});
