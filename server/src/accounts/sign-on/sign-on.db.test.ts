import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { LoginReply, TwoFactorRequired } from '@nazar/contract/accounts.ts';
import { Browser } from '#testing/browser.ts';
import { testProvider, type TestProvider } from '#testing/provider.ts';
import { call, testPassword, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import type { ProviderOptions } from './provider.ts';
import { parseRoleMap } from './role-map.ts';

const base = '/secure-api/accounts/oidc';
const mePath = '/secure-api/accounts/users/me/';
const publicUrl = 'http://127.0.0.1';
let provider: TestProvider;
let world: TestServer;
const superadmins = new WeakMap<TestServer, SignedIn>();
const superadminOf = (server: TestServer): SignedIn => superadmins.get(server)!;
let people = 0;

function optionsFor(more: Partial<ProviderOptions> = {}): ProviderOptions {
  const { issuer, clientId, clientSecret } = provider;
  return {
    issuer,
    clientId,
    clientSecret,
    publicUrl,
    name: 'Example Sign-On',
    roleClaim: 'groups',
    roleMap: new Map(),
    creates: true,
    connectsByEmail: false,
    strong: [],
    ...more,
  };
}

/** A server whose provider is set up so, with an administrator. */
async function aServer(more: Partial<ProviderOptions> = {}): Promise<TestServer> {
  const server = await testServer({ provider: optionsFor(more), publicUrl });
  superadmins.set(server, await server.signIn('superadmin'));
  return server;
}

before(async () => {
  provider = await testProvider();
  world = await aServer();
});
beforeEach(() => {
  provider.bend = {};
  const sub = `person-${(people += 1)}`;
  provider.person = {
    sub,
    email: `${sub}@elsewhere.example`,
    email_verified: true,
    name: 'Ayla Test',
  };
});
after(async () => {
  await world[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const aBrowser = (server = world): Browser => new Browser(server, provider);

async function signedIn(browser = aBrowser()): Promise<LoginReply> {
  const reply = await browser.signIn();
  assert.ok(typeof reply === 'object', JSON.stringify(reply));
  return reply;
}

test('C-201, SES-009 a new user signs in through the provider: an account of role user, a session like every other', async () => {
  const browser = aBrowser();
  const { access, user } = await signedIn(browser);
  assert.deepEqual([user.role, user.first_name, user.last_name], ['user', 'Ayla', 'Test']);
  assert.equal((await browser.send('GET', mePath, undefined, access)).json()['id'], user.id);
  assert.equal(
    (await call(world.app, 'GET', mePath, { access })).status,
    401,
    'without the cookie',
  );
  assert.equal((await signedIn()).user.id, user.id, 'the same account the next time');
  const password = { email: user.email, password: '!' };
  const login = await call(world.app, 'POST', '/secure-api/accounts/login/', { body: password });
  assert.equal(login.status, 401, 'there is no password to it');
});

test('a provider may give one name only, or none: the account is made all the same', async () => {
  provider.person = { ...provider.person, name: 'Sukarno' };
  const { user: one } = await signedIn();
  assert.deepEqual([one.first_name, one.last_name], ['Sukarno', '']);
  const sub = `nameless-${people}`;
  provider.person = { sub, email: `${sub}@elsewhere.example`, email_verified: true };
  const { user: none } = await signedIn();
  assert.deepEqual([none.first_name, none.last_name], [sub, '']);
});

test('C-119 nothing that opens anything is ever in an address, and every secret works once', async () => {
  const browser = aBrowser();
  const url = await browser.begin();
  const cookie = browser.cookies.get('nazar-sign-on')!;
  assert.ok(!url.includes(cookie));
  const back = provider.visit(url);
  const thief = aBrowser();
  thief.cookies.set('nazar-sign-on', cookie);
  const landed = await browser.return(back);
  assert.equal(landed, '/login?signOn=proven');
  assert.notEqual(browser.cookies.get('nazar-sign-on'), cookie);
  assert.equal(await thief.return(back), '/login?signOn=expired', 'the answer again');
  const again = aBrowser();
  again.cookies.set('nazar-sign-on', browser.cookies.get('nazar-sign-on')!);
  assert.equal((await browser.complete()).statusCode, 200);
  assert.equal((await again.complete()).json()['code'], 'sign_on_expired', 'the session again');
});

test('an answer without the cookie, or of another browser, opens nothing', async () => {
  const [one, other] = [aBrowser(), aBrowser()];
  const [mine, theirs] = [provider.visit(await one.begin()), provider.visit(await other.begin())];
  assert.equal(await aBrowser().return(mine), '/login?signOn=expired');
  assert.equal(
    await one.return(theirs),
    '/login?signOn=failed',
    'log-in with somebody else’s answer',
  );
  assert.equal((await one.complete()).statusCode, 410);
});

test('C-706 an invalid answer is refused: state, nonce, issuer, viewers, signature, age, code', async () => {
  const bends: [string, TestProvider['bend']][] = [
    ['another state', { back: { state: 'x'.repeat(43) } }],
    ['another issuer beside the code', { back: { iss: 'https://evil.example' } }],
    ['a code that was never given', { back: { code: 'made-up' } }],
    ['another nonce', { claims: { nonce: 'x'.repeat(43) } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for another client', { claims: { aud: 'somebody-else' } }],
    ['alg none', { signature: 'none' }],
    ['a foreign key', { signature: 'foreign' }],
    ['expired', { ageS: 3_600 }],
    ['nobody', { claims: { sub: '' } }],
  ];
  for (const [name, bend] of bends) {
    provider.bend = bend;
    assert.equal(await aBrowser().signIn(), '/login?signOn=failed', name);
  }
  provider.bend = { error: 'access_denied' };
  assert.equal(await aBrowser().signIn(), '/login?signOn=refused');
  provider.bend = {};
  await signedIn();
});

test('a sign-in takes ten minutes at most, and the session is fetched within two', async () => {
  const slow = aBrowser();
  const back = provider.visit(await slow.begin());
  world.clock.advance(10 * 60_000);
  assert.equal(await slow.return(back), '/login?signOn=expired');
  const late = aBrowser();
  assert.equal(await late.return(provider.visit(await late.begin())), '/login?signOn=proven');
  world.clock.advance(2 * 60_000);
  assert.equal((await late.complete()).statusCode, 410);
});

test('C-113 an account that is here is not taken by its address: its owner connects it, with the password', async () => {
  const own = await world.signIn('operator', `local-${people}@example.org`);
  provider.person = { ...provider.person, email: own.email };
  assert.equal(await aBrowser().signIn(), '/login?signOn=address_taken');
  const browser = aBrowser();
  const connect = (password: string) =>
    browser.send('POST', `${base}/connection/`, { password }, own.access);
  assert.equal((await connect('wrong-horse-8')).statusCode, 400);
  const { url } = (await connect(testPassword)).json<{ url: string }>();
  assert.equal(await browser.return(provider.visit(url)), '/security?signOn=connected');
  const { user } = await signedIn();
  assert.deepEqual([user.id, user.role], [own.id, 'operator']);
  const connection = await own.get(`${base}/connection/`);
  assert.match(String(connection.json()['connected_at']), /^2026-/);
  assert.equal((await own.send('DELETE', `${base}/connection/`, { password: 'x' })).status, 400);
  const gone = await own.send('DELETE', `${base}/connection/`, { password: testPassword });
  assert.equal(gone.status, 204);
  assert.equal(await aBrowser().signIn(), '/login?signOn=address_taken');
});

test('an identity belongs to one account, and nothing is connected for a user who has signed out', async () => {
  await signedIn();
  const own = await world.signIn('user', `second-${people}@example.org`);
  const browser = aBrowser();
  const connect = async (): Promise<URL> => {
    const reply = await browser.send(
      'POST',
      `${base}/connection/`,
      { password: testPassword },
      own.access,
    );
    return provider.visit(reply.json<{ url: string }>().url);
  };
  assert.equal(await browser.return(await connect()), '/security?signOn=connected_elsewhere');
  provider.person = { ...provider.person, sub: `other-${people}` };
  const back = await connect();
  await own.send('POST', '/secure-api/accounts/logout/');
  assert.equal(await browser.return(back), '/security?signOn=expired');
});

test('by address only where it is allowed, verified, and of users who administer nothing', async () => {
  await using server = await aServer({ connectsByEmail: true });
  const own = await server.signIn('user', `same-${people}@example.org`);
  provider.person = { ...provider.person, email: own.email.toUpperCase(), email_verified: false };
  assert.equal(await aBrowser(server).signIn(), '/login?signOn=no_account');
  provider.person = { ...provider.person, email_verified: true };
  assert.equal((await signedIn(aBrowser(server))).user.id, own.id);
  provider.person = {
    ...provider.person,
    sub: `admin-${people}`,
    email: superadminOf(server).email,
  };
  assert.equal(await aBrowser(server).signIn(), '/login?signOn=address_taken');
});

test('C-117 a disabled account stays out, before the provider is asked and after', async () => {
  const { user } = await signedIn();
  const browser = aBrowser();
  assert.equal(await browser.return(provider.visit(await browser.begin())), '/login?signOn=proven');
  const path = `/secure-api/accounts/users/${user.id}/`;
  const boss = await world.signIn('superadmin', 'boss@example.org');
  assert.equal((await boss.send('PATCH', path, { is_active: false })).status, 200);
  assert.equal((await browser.complete()).json()['code'], 'account_disabled');
  assert.equal(await aBrowser().signIn(), '/login?signOn=disabled');
});

test('C-109 a second factor that is set up here is asked for, unless the provider’s counts', async () => {
  await using server = await aServer({ strong: ['mfa'] });
  const own = await server.signIn('user', `guarded-${people}@example.org`);
  const browser = aBrowser(server);
  const connect = await browser.send(
    'POST',
    `${base}/connection/`,
    { password: testPassword },
    own.access,
  );
  await browser.return(provider.visit(connect.json<{ url: string }>().url));
  const setUp = await own.send('POST', '/secure-api/accounts/two-factor/setup/', {});
  const secret = Secret.fromBase32(setUp.json<{ secret: string }>().secret);
  const code = (): string => new TOTP({ secret }).generate({ timestamp: server.clock.now() });
  const verified = await own.send('POST', '/secure-api/accounts/two-factor/verify/', {
    code: code(),
  });
  assert.equal(verified.status, 200, verified.text);
  for (const amr of [['pwd'], 'mfa ', undefined]) {
    provider.bend = { claims: { amr } };
    const asked = aBrowser(server);
    const answer = (await asked.signIn()) as unknown as TwoFactorRequired;
    assert.equal(answer.two_factor_required, true, String(amr));
    assert.equal('access' in answer, false);
    assert.equal(asked.cookies.size, 0);
  }
  provider.bend = {};
  const asked = (await aBrowser(server).signIn()) as unknown as TwoFactorRequired;
  server.clock.advance(60_000);
  const second = await aBrowser(server).send('POST', '/secure-api/accounts/login/two-factor/', {
    challenge: asked.challenge,
    code: code(),
  });
  assert.equal(second.json<LoginReply>().user.id, own.id, second.payload);
  provider.bend = { claims: { amr: ['pwd', 'mfa'] } };
  assert.equal((await signedIn(aBrowser(server))).user.id, own.id);
});

test('without OIDC_CREATE no one gets an account', async () => {
  await using server = await aServer({ creates: false });
  assert.equal(await aBrowser(server).signIn(), '/login?signOn=no_account');
});

test('C-116 the provider’s groups give the role at each sign-in, recorded; a local superadmin remains', async () => {
  const roleMap = parseRoleMap('cams=admin,ops=operator,root=superadmin')!;
  await using server = await aServer({ roleMap });
  const roleWith = async (groups: string[]): Promise<string> => {
    provider.bend = { claims: { groups } };
    return (await signedIn(aBrowser(server))).user.role;
  };
  assert.equal(await roleWith(['superadmin', 'nothing']), 'user');
  assert.equal(await roleWith(['ops', 'cams']), 'admin');
  assert.equal(await roleWith(['ops']), 'operator', 'taken away with the group');
  assert.equal(await roleWith(['root']), 'superadmin', 'because a line says so');
  const { rows } = await sql<{ details: object }>`
    select details from audit_entry where action = 'account.role_mapped' `.execute(
    server.database.db.read(),
  );
  assert.ok(rows.some(({ details }) => isDeepStrictEqual(details, { from: 'user', to: 'admin' })));
  // The local one is the last who can sign in without the provider, whatever else there is.
  const local = superadminOf(server);
  const others = (await local.get('/secure-api/accounts/users/')).json<{
    results: { id: string; role: string }[];
  }>().results;
  assert.equal(others.filter(({ role }) => role === 'superadmin').length, 2);
  const gone = await local.send('DELETE', '/secure-api/accounts/users/delete_account/', {
    password: testPassword,
  });
  assert.equal(gone.json()['code'], 'last_superadmin');
  const browser = aBrowser(server);
  const connect = await browser.send(
    'POST',
    `${base}/connection/`,
    { password: testPassword },
    local.access,
  );
  provider.person = { ...provider.person, sub: `boss-${people}` };
  await browser.return(provider.visit(connect.json<{ url: string }>().url));
  assert.equal(await roleWith(['ops']), 'superadmin', 'not even the provider takes the last one');
});

test('C-118 a provider that does not answer is reported, and asked again the next time', async () => {
  await using server = await testServer({
    provider: optionsFor({ issuer: 'http://127.0.0.1:9' }),
    publicUrl,
  });
  await server.signIn('admin');
  const begin = await aBrowser(server).send('POST', `${base}/begin/`, {});
  assert.deepEqual([begin.statusCode, begin.json()['code']], [503, 'sign_on_unavailable']);
});

test('C-105 made-up cookies are guesses: twenty a minute for a network', async () => {
  const statuses: number[] = [];
  for (let tried = 0; tried < 25; tried += 1) {
    const reply = await world.app.inject({
      method: 'POST',
      url: `${base}/complete/`,
      remoteAddress: '198.51.100.77',
      headers: {
        host: '127.0.0.1',
        cookie: `nazar-sign-on=nzd_${String(tried).padStart(43, 'x')}`,
      },
      payload: {},
    });
    statuses.push(reply.statusCode);
  }
  assert.deepEqual([statuses[19], statuses[20]], [410, 429]);
});

test('without a provider there is nothing to call, and the sign-in page knows', async () => {
  await using server = await testServer();
  const admin = await server.signIn('admin');
  const none = await aBrowser(server).send('POST', `${base}/begin/`, {});
  assert.equal(none.statusCode, 404);
  assert.equal((await admin.get('/secure-api/setup/')).json()['sign_on'], null);
  const named = await call(world.app, 'GET', '/secure-api/setup/');
  assert.equal(named.json()['sign_on'], 'Example Sign-On');
});
