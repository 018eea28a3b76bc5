/** What people and the installation demand of the use of an account, over the API. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { MySecurity } from '@nazar/contract/own-security.ts';
import { testPassword, testServer, type SignedIn, type TestServer } from '#testing/server.ts';

const readPath = '/secure-api/accounts/security/my_security/';
const updatePath = '/secure-api/accounts/security/update_my_security/';
const mePath = '/secure-api/accounts/users/me/';

let world: TestServer;
let users = 0;

before(async () => {
  world = await testServer();
  await world.signIn('superadmin');
});
after(() => world[Symbol.asyncDispose]());
beforeEach(() => policy({}));

async function policy(security: object): Promise<void> {
  await sql`insert into setting values ('security', ${JSON.stringify(security)}, now())
    on conflict (section) do update set value = excluded.value`.execute(world.database.db.write());
}

const newUser = (): Promise<SignedIn> => world.signIn('user', `user-${(users += 1)}@example.org`);

interface From {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly access?: string;
  readonly payload?: object;
  readonly headers?: Record<string, string>;
}

/** One request as it comes from that address. */
const from = (
  remoteAddress: string,
  url: string,
  { method = 'GET', access, payload, headers }: From,
) =>
  world.app.inject({
    method,
    url,
    remoteAddress,
    headers: {
      host: 'localhost',
      ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
      ...headers,
    },
    ...(payload ? { payload } : {}),
  });
const logIn = (ip: string, email: string, password = testPassword) =>
  from(ip, '/secure-api/accounts/login/', { method: 'POST', payload: { email, password } });
const refreshed = (ip: string, refresh: string) =>
  from(ip, '/token/refresh/', { method: 'POST', payload: { refresh } });

test('SEC-011, SEC-012, ~SEC-013 the defaults are 30 minutes, All, no API access', async () => {
  const who = await newUser();
  assert.deepEqual((await who.get(readPath)).json(), {
    session_timeout: 30,
    allowed_ips: 'All',
    api_access: false,
    effective: { session_timeout_minutes: 30, api_access: false },
    policy: { session_timeout_minutes: 30, api_access: false },
    ip: '127.0.0.1',
    session_ends_in_s: 30 * 60,
  });
});

test('CFL-021, CFL-022 the stricter of the two limits applies', async () => {
  const who = await newUser();
  const set = async (change: object) => {
    const reply = await who.send('PATCH', updatePath, change);
    assert.equal(reply.status, 200, reply.text);
    return reply.json<MySecurity>();
  };
  assert.equal((await set({ session_timeout: 'never' })).effective.session_timeout_minutes, 30);
  await policy({ sessionTimeout: 240, apiAccessEnabled: true });
  assert.equal((await set({ session_timeout: 120 })).effective.session_timeout_minutes, 120);
  const both = await set({ session_timeout: 15, api_access: true });
  assert.deepEqual(both.effective, { session_timeout_minutes: 15, api_access: true });
  await policy({ sessionTimeout: 240, apiAccessEnabled: false });
  const suspended = await set({ session_timeout: 'never', api_access: true });
  assert.deepEqual(suspended.effective, { session_timeout_minutes: 240, api_access: false });
  assert.deepEqual([suspended.session_timeout, suspended.api_access], ['never', true]);
});

test('SEC-011 other times than those on offer are refused', async () => {
  const who = await newUser();
  for (const session_timeout of [5, 29, 240, 0, null, '30', 'Never']) {
    const reply = await who.send('PATCH', updatePath, { session_timeout });
    assert.equal(reply.status, 400, String(session_timeout));
    assert.ok(reply.json()['session_timeout']);
  }
});

test('SEC-012 a list that is none, or that the caller is not in, is refused and changes nothing', async () => {
  const who = await newUser();
  const wrong = await who.send('PATCH', updatePath, { allowed_ips: '192.0.2.1, somewhere' });
  assert.equal(wrong.status, 400);
  assert.match(String(wrong.json()['allowed_ips']), /somewhere/);
  const outside = await who.send('PATCH', updatePath, { allowed_ips: '192.0.2.0/24, ::1' });
  assert.equal(outside.status, 409);
  assert.equal(outside.json()['code'], 'address_locked_out');
  assert.equal((await who.get(readPath)).json()['allowed_ips'], 'All');
  const fine = await who.send('PATCH', updatePath, { allowed_ips: '192.0.2.0/24, 127.0.0.1' });
  assert.equal(fine.json()['allowed_ips'], '192.0.2.0/24, 127.0.0.1');
  assert.equal(
    (await who.send('PATCH', updatePath, { allowed_ips: '' })).json()['allowed_ips'],
    'All',
  );
});

test('SEC-012 from elsewhere an account opens nothing: no login, no refresh, no request', async () => {
  const who = await newUser();
  await who.send('PATCH', updatePath, { allowed_ips: '127.0.0.1, 192.0.2.0/24' });
  const [inside, elsewhere] = ['192.0.2.9', '198.51.100.9'];
  const login = await logIn(elsewhere, who.email);
  assert.equal(login.statusCode, 403);
  assert.equal(login.json<{ code: string }>().code, 'address_not_allowed');
  assert.equal((await logIn(elsewhere, who.email, 'wrong-password-1')).statusCode, 401);
  assert.equal((await from(elsewhere, mePath, who)).statusCode, 401);
  assert.equal((await refreshed(elsewhere, who.refresh)).statusCode, 401);
  assert.equal((await from(inside, mePath, who)).statusCode, 200, 'and where they may, they go on');
  assert.equal((await refreshed(inside, who.refresh)).statusCode, 200);
  assert.equal((await logIn(inside, who.email)).statusCode, 200);
  assert.equal((await logIn(`::ffff:${inside}`, who.email)).statusCode, 200);
});

test('CFL-022 the installation’s list applies to every user, before any password is checked', async () => {
  const who = await newUser();
  await policy({ allowedIPs: '192.0.2.0/24' });
  for (const password of [testPassword, 'wrong-password-1']) {
    const reply = await logIn('198.51.100.9', who.email, password);
    assert.equal(reply.statusCode, 403);
    assert.equal(reply.json<{ code: string }>().code, 'address_not_allowed');
  }
  assert.equal((await who.get(mePath)).status, 401, 'a session that was there before, too');
  assert.equal((await logIn('192.0.2.1', who.email)).statusCode, 200);
  await world.server.settings.allowAllAddresses();
  assert.equal((await who.get(mePath)).status, 200);
});

test('C-905, H-23 a stranger’s X-Forwarded-For lets no one in', async () => {
  const who = await newUser();
  await policy({ allowedIPs: '192.0.2.0/24' });
  for (const header of [
    'x-forwarded-for',
    'forwarded',
    'x-real-ip',
    'client-ip',
    'cf-connecting-ip',
  ]) {
    const headers = { [header]: header === 'forwarded' ? 'for=192.0.2.1' : '192.0.2.1' };
    const reply = await from('198.51.100.9', mePath, { ...who, headers });
    assert.equal(reply.statusCode, 401, header);
  }
});

test('C-801 a change is recorded with what was before, one that changes nothing is not', async () => {
  const who = await newUser();
  for (const session_timeout of [60, 60, 'never']) {
    world.clock.advance(1);
    await who.send('PATCH', updatePath, { session_timeout });
  }
  const { rows } = await sql<{ details: unknown }>`
    select details from audit_entry where action = 'account.security_changed' and user_id = ${who.id}
    order by recorded_at, id`.execute(world.database.db.read());
  assert.deepEqual(
    rows.map(({ details }) => details),
    [
      { changes: { sessionTimeout: { from: 30, to: 60 } }, keys_revoked: 0 },
      { changes: { sessionTimeout: { from: 60, to: null } }, keys_revoked: 0 },
    ],
  );
});

test('C-204, H-15 a poll asks when the session ends without putting it off', async () => {
  const who = await newUser();
  const endsIn = async (headers: Record<string, string>): Promise<number> => {
    const reply = await from('127.0.0.1', readPath, { ...who, headers });
    return reply.json<MySecurity>().session_ends_in_s / 60;
  };
  world.clock.advance(5 * 60_000);
  assert.equal(await endsIn({ 'x-poll': '1' }), 25);
  assert.equal(await endsIn({}), 30);
});

test('C-105 refresh tokens that are none are counted by network, and logins of that network are not', async () => {
  const who = await newUser();
  const wrong = `nzr_${'A'.repeat(43)}`;
  for (let count = 0; count < 120; count += 1) {
    assert.equal((await refreshed('203.0.113.5', wrong)).statusCode, 401);
  }
  assert.equal((await refreshed('203.0.113.6', who.refresh)).statusCode, 429);
  assert.equal((await logIn('203.0.113.6', who.email)).statusCode, 200);
  world.clock.advance(60_000);
  assert.equal((await refreshed('203.0.113.6', who.refresh)).statusCode, 200);
});
