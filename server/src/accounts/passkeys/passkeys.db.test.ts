import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { LoginReply, TwoFactorRequired } from '@nazar/contract/accounts.ts';
import type { Passkey, PasskeyAdded } from '@nazar/contract/passkeys.ts';
import type { TwoFactorState } from '@nazar/contract/two-factor.ts';
import type { Assertion, CeremonyOptions } from '@nazar/contract/webauthn.ts';
import { Authenticator, type Lies } from '#testing/authenticator.ts';
import { recorded } from '#testing/activity-chain.ts';
import {
  call,
  testPassword,
  testServer,
  type Reply,
  type SignedIn,
  type TestServer,
} from '#testing/server.ts';
import { siteOf } from '../site.ts';

const base = '/secure-api/accounts/';
const origin = 'http://localhost:8080';
const headers = { host: 'localhost:8080' };
const byPassword = { password: testPassword };
const minuteMs = 60_000;
let world: TestServer;
let people = 0;

before(async () => {
  world = await testServer({ hosts: ['127.0.0.1', 'localhost', 'nazar.example.org'] });
  await world.signIn('superadmin');
});
after(() => world[Symbol.asyncDispose]());

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const ask = (method: Method, path: string, more: object = {}): Promise<Reply> =>
  call(world.app, method, `${base}${path}`, { headers, ...more });

const newUser = (): Promise<SignedIn> => world.signIn('user', `key-${(people += 1)}@example.org`);

async function optionsOf(path: string, more: object = {}): Promise<object> {
  const reply = await ask('POST', path, more);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<CeremonyOptions>().options;
}

interface Holder extends SignedIn {
  readonly authenticator: Authenticator;
  readonly passkey: Passkey;
  readonly codes: string[] | null;
}

async function add(
  person: SignedIn,
  authenticator: Authenticator,
  lies: Lies = {},
): Promise<Reply> {
  const { access } = person;
  const asked = await optionsOf('passkeys/options/', { access, body: byPassword });
  const body = { name: 'Laptop', passkey: authenticator.create(asked, lies) };
  return ask('POST', 'passkeys/', { access, body });
}

async function holder(): Promise<Holder> {
  const person = await newUser();
  const authenticator = new Authenticator(origin);
  const added = await add(person, authenticator);
  assert.equal(added.status, 201, added.text);
  const { passkey, recovery_codes: codes } = added.json<PasskeyAdded>();
  return { ...person, authenticator, passkey, codes };
}

const firstStep = (email: string, more = headers): Promise<Reply> =>
  call(world.app, 'POST', `${base}login/`, {
    body: { email, password: testPassword },
    headers: more,
  });

const signIn = (passkey: Assertion | null): Promise<Reply> =>
  ask('POST', 'login/passkey/', { body: { passkey } });

async function shown({ authenticator }: Holder, lies: Lies = {}): Promise<Assertion | null> {
  return authenticator.get(await optionsOf('login/passkey/options/'), lies);
}

const stateOf = async ({ access }: SignedIn): Promise<TwoFactorState> =>
  (await ask('GET', 'two-factor/', { access })).json<TwoFactorState>();

test('a passkey opens the account without a password, and says who it is of', async () => {
  const person = await holder();
  const opened = await signIn(await shown(person));
  assert.equal(opened.status, 200, opened.text);
  assert.equal(opened.json<LoginReply>().user.email, person.email);
  const [listed] = (await ask('GET', 'passkeys/', person)).json<{ results: Passkey[] }>().results;
  assert.deepEqual([listed?.name, listed?.host], ['Laptop', 'localhost']);
  assert.equal(listed?.last_used_at, new Date(world.clock.now()).toISOString());
});

test('an answer opens once, and only for five minutes', async () => {
  const person = await holder();
  const answer = await shown(person);
  assert.equal((await signIn(answer)).status, 200);
  const again = await signIn(answer);
  assert.deepEqual([again.status, again.json()['code']], [401, 'passkey_refused']);
  const both = await shown(person);
  const replies = await Promise.all([signIn(both), signIn(both)]);
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200, 401]));
  const late = await shown(person);
  world.clock.advance(5 * minuteMs);
  assert.equal((await signIn(late)).status, 401);
});

test('an answer of another page, name or account, or without a verified person, is refused', async () => {
  const [person, other] = [await holder(), await holder()];
  const forRegistration = (await optionsOf('passkeys/options/', {
    access: person.access,
    body: byPassword,
  })) as { challenge: string };
  const handle = (await shown(other))!.response.userHandle!;
  const lies: Lies[] = [
    { origin: 'http://evil.example' },
    { origin: 'http://localhost:9090' },
    { origin: 'https://localhost:8080' },
    { host: 'evil.example' },
    { type: 'webauthn.create' },
    { unverified: true },
    { handle },
    { id: Buffer.alloc(32, 7) },
    { challenge: Buffer.alloc(56, 7).toString('base64url') },
    { challenge: 'AAAA' },
    { challenge: forRegistration.challenge },
  ];
  for (const lie of lies) {
    assert.equal((await signIn(await shown(person, lie))).status, 401, JSON.stringify(lie));
    world.clock.advance(20 * minuteMs); // guesses are counted
  }
  const honest = await shown(person);
  const { signature } = (await shown(person))!.response;
  const forged = { ...honest!, response: { ...honest!.response, signature } };
  assert.equal((await signIn(forged)).status, 401, 'the signature of another answer');
  world.clock.advance(20 * minuteMs);
  assert.equal((await signIn(await shown(person))).status, 200);
});

test('a counter that goes back is a copy of the key and opens nothing', async () => {
  const person = await holder();
  assert.equal((await signIn(await shown(person, { counter: 7 }))).status, 200);
  for (const counter of [7, 6, 0]) {
    assert.equal((await signIn(await shown(person, { counter }))).status, 401, `${counter}`);
  }
  assert.equal((await signIn(await shown(person, { counter: 8 }))).status, 200);
});

test('C-105 five refused answers of one passkey and the sixth waits', async () => {
  const person = await holder();
  for (let guess = 0; guess < 5; guess += 1) {
    assert.equal((await signIn(await shown(person, { unverified: true }))).status, 401);
  }
  assert.equal((await signIn(await shown(person))).status, 429);
});

test('C-109 with a passkey the password alone opens nothing: it, or a recovery code, is the second step', async () => {
  const person = await holder();
  assert.equal(person.codes?.length, 10);
  assert.deepEqual(await stateOf(person), {
    is_on: true,
    totp: false,
    passkeys: 1,
    recovery_codes_left: 10,
    is_demanded: false,
  });
  const challenged = (await firstStep(person.email)).json<TwoFactorRequired>();
  assert.deepEqual(challenged.methods, ['passkey', 'recovery']);
  const { challenge } = challenged;
  const asked = await optionsOf('login/two-factor/passkey/', { body: { challenge } });
  const second = (passkey: unknown) =>
    ask('POST', 'login/two-factor/', { body: { challenge, passkey } });
  assert.equal(
    (await second(await shown(person))).status,
    401,
    'of the sign-in without a password',
  );
  const stranger = await holder();
  const strangers = stranger.authenticator.get({ ...asked, allowCredentials: [] });
  assert.equal((await second(strangers)).status, 401, 'of somebody else');
  const opened = await second(person.authenticator.get(asked));
  assert.equal(opened.status, 200, opened.text);
  const again = (await firstStep(person.email)).json<TwoFactorRequired>().challenge;
  const code = person.codes?.[0];
  const byCode = await ask('POST', 'login/two-factor/', { body: { challenge: again, code } });
  assert.equal(byCode.status, 200);
});

test('a passkey of another name of this installation is not offered here, and passkeys need a name', async () => {
  const person = await holder();
  const elsewhere = await firstStep(person.email, { host: 'nazar.example.org' });
  assert.deepEqual(elsewhere.json<TwoFactorRequired>().methods, ['recovery']);
  const address = await firstStep(person.email, { host: '127.0.0.1:8080' });
  assert.deepEqual(address.json<TwoFactorRequired>().methods, ['recovery']);
  const asked = { headers: { host: '127.0.0.1:8080' } };
  for (const path of ['login/passkey/options/', 'proof/passkey/']) {
    const reply = await ask('POST', path, { access: person.access, ...asked });
    assert.deepEqual([reply.status, reply.json()['code']], [409, 'passkeys_need_a_name'], path);
  }
  assert.deepEqual(siteOf('https', 'nazar.example.org'), {
    host: 'nazar.example.org',
    origin: 'https://nazar.example.org',
  });
  for (const none of ['[::1]:8080', '192.0.2.7', '', undefined, 'a b']) {
    assert.equal(siteOf('http', none), null, none);
  }
});

test('a passkey is added for this account here and now, verified, once, and at most ten of them', async () => {
  const person = await newUser();
  const authenticator = new Authenticator(origin);
  for (const lies of [
    { origin: 'http://evil.example' },
    { host: 'evil.example' },
    { type: 'webauthn.get' },
    { unverified: true },
    { challenge: Buffer.alloc(56, 7).toString('base64url') },
  ]) {
    assert.equal((await add(person, authenticator, lies)).status, 401, JSON.stringify(lies));
  }
  const { access } = person;
  const other = await newUser();
  const theirs = await optionsOf('passkeys/options/', {
    access: other.access,
    body: byPassword,
  });
  const passkey = authenticator.create(theirs);
  const stolen = await ask('POST', 'passkeys/', { access, body: { name: 'x', passkey } });
  assert.equal(stolen.status, 401, 'asked of somebody else');
  const mine = await ask('POST', 'passkeys/', {
    access: other.access,
    body: { name: 'x', passkey },
  });
  assert.equal(mine.status, 201);
  const twice = { access: other.access, body: { name: 'x', passkey } };
  assert.equal((await ask('POST', 'passkeys/', twice)).status, 401);
  const double = await add(person, authenticator, { id: Buffer.from(passkey.id, 'base64url') });
  assert.equal(double.status, 401, 'a credential is of one account');
  for (let made = 0; made < 10; made += 1) {
    assert.equal((await add(person, authenticator)).status, 201);
  }
  const eleventh = await add(person, authenticator);
  assert.deepEqual([eleventh.status, eleventh.json()['code']], [409, 'passkeys_too_many']);
});

test('C-111 the first passkey ends all other sessions, the next does not; C-109 removing takes fresh proof and a second factor', async () => {
  const person = await newUser();
  const elsewhere = (await firstStep(person.email)).json<LoginReply>().access;
  const lives = async (access: string): Promise<boolean> =>
    (await ask('GET', 'users/me/', { access })).status === 200;
  const authenticator = new Authenticator(origin);
  const first = (await add(person, authenticator)).json<PasskeyAdded>();
  assert.deepEqual([await lives(elsewhere), await lives(person.access)], [false, true]);
  const second = (await add(person, authenticator)).json<PasskeyAdded>();
  assert.equal(second.recovery_codes, null, 'there are some');
  const { access } = person;
  const renamed = await ask('PATCH', `passkeys/${second.passkey.id}/`, {
    access,
    body: { name: 'Phone' },
  });
  assert.equal(renamed.json<Passkey>().name, 'Phone');
  const remove = (id: string, body: object) => ask('DELETE', `passkeys/${id}/`, { access, body });
  const proof = async () => authenticator.get(await optionsOf('proof/passkey/', { access }));
  const { id } = first.passkey;
  assert.equal((await remove(id, { password: testPassword })).status, 400, 'no proof');
  assert.equal(
    (await remove(id, { password: 'not it', code: first.recovery_codes?.[0] })).status,
    400,
  );
  assert.equal((await remove(id, { password: testPassword, code: '000000' })).status, 400);
  const stranger = await holder();
  const foreign = await remove(stranger.passkey.id, { password: testPassword });
  assert.equal(foreign.status, 404);
  assert.equal((await remove(id, { passkey: await proof() })).status, 204);
  assert.deepEqual((await stateOf(person)).recovery_codes_left, 10);
  const last = { password: testPassword, code: first.recovery_codes?.[0] };
  assert.equal((await remove(second.passkey.id, last)).status, 204);
  assert.deepEqual(await stateOf(person), {
    is_on: false,
    totp: false,
    passkeys: 0,
    recovery_codes_left: 0,
    is_demanded: false,
  });
  assert.ok('access' in (await firstStep(person.email)).json());
});

test('C-117 a disabled account has no passkey that opens it; C-208 a passkey’s challenge is no other token', async () => {
  const person = await holder();
  const answer = await shown(person);
  await sql`update app_user set is_active = false where id = ${person.id}`.execute(
    world.database.db.write(),
  );
  assert.equal((await signIn(answer)).status, 401);
  const { challenge } = (await optionsOf('login/passkey/options/')) as { challenge: string };
  assert.equal((await ask('GET', 'users/me/', { access: challenge })).status, 401);
  const second = await ask('POST', 'login/two-factor/', { body: { challenge, code: '000000' } });
  assert.equal(second.status, 401);
});

test('C-120 passkeys added, renamed, removed and used are recorded', async () => {
  const person = await holder();
  const { access, passkey } = person;
  world.clock.advance(1);
  await ask('PATCH', `passkeys/${passkey.id}/`, { access, body: { name: 'Phone' } });
  world.clock.advance(1);
  await signIn(await shown(person));
  world.clock.advance(1);
  await signIn(await shown(person, { unverified: true }));
  world.clock.advance(1);
  const proof = { password: testPassword, code: person.codes?.[0] };
  assert.equal(
    (await ask('DELETE', `passkeys/${passkey.id}/`, { access, body: proof })).status,
    204,
  );
  const entries = (await recorded(world.database.db)).filter(
    ({ object_id, action }) => object_id === person.id && /passkey|login/.test(action),
  );
  assert.deepEqual(entries.map(({ action, details }) => [action, details]).slice(1), [
    ['account.passkey_added', { name: 'Laptop' }],
    ['account.passkey_renamed', { name: 'Phone' }],
    ['account.login', { how: 'passkey' }],
    ['account.passkey_removed', { name: 'Phone' }],
  ]);
});
