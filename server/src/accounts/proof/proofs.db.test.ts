/** Fresh proof by everything that an account may have, and by nothing that only looks like it. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { TwoFactorRequired } from '@nazar/contract/accounts.ts';
import type { PasskeyAdded } from '@nazar/contract/passkeys.ts';
import type { ProofWays } from '@nazar/contract/proof.ts';
import type { Assertion, CeremonyOptions } from '@nazar/contract/webauthn.ts';
import { Authenticator, type Lies } from '#testing/authenticator.ts';
import { Browser } from '#testing/browser.ts';
import { testProvider, type TestProvider } from '#testing/provider.ts';
import { recorded } from '#testing/activity-chain.ts';
import {
  call,
  testPassword,
  testServer,
  type Reply,
  type SignedIn,
  type TestServer,
} from '#testing/server.ts';

const base = '/secure-api/accounts/';
const headers = { host: 'localhost:8080' };
const minuteMs = 60_000;
const nowS = (): number => Math.floor(Date.now() / 1000);
let provider: TestProvider;
let world: TestServer;
let people = 0;

before(async () => {
  provider = await testProvider();
  const { issuer, clientId, clientSecret } = provider;
  const publicUrl = 'http://127.0.0.1';
  world = await testServer({
    publicUrl,
    provider: {
      issuer,
      clientId,
      clientSecret,
      publicUrl,
      name: 'Example ID',
      roleClaim: 'groups',
      roleMap: new Map(),
      strong: [],
      creates: true,
      connectsByEmail: false,
    },
  });
  await world.signIn('superadmin');
});
beforeEach(() => {
  provider.bend = {};
  const sub = `person-${(people += 1)}`;
  provider.person = { sub, email: `${sub}@elsewhere.example`, email_verified: true };
});
after(async () => {
  await world[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** A user who signs in elsewhere only, in a browser of theirs. */
class Elsewhere {
  readonly browser = new Browser(world, provider);
  access = '';
  id = '';

  static async signIn(): Promise<Elsewhere> {
    const one = new Elsewhere();
    const reply = await one.browser.signIn();
    assert.ok(typeof reply === 'object', JSON.stringify(reply));
    one.access = reply.access;
    one.id = reply.user.id;
    return one;
  }

  send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
    return this.browser.send(method, base + path, body, this.access);
  }

  async ways(): Promise<ProofWays> {
    return (await this.send('GET', 'proof/')).json<ProofWays>();
  }

  /** Where the browser lands after signing in there again. */
  async prove(): Promise<string> {
    const begun = await this.send('POST', 'proof/sign-on/');
    return this.browser.return(provider.visit(begun.json<{ url: string }>().url));
  }

  /** The code of the refusal, or 204. */
  async delete(): Promise<unknown> {
    const reply = await this.send('DELETE', 'users/delete_account/', {});
    return reply.statusCode === 204 ? 204 : reply.json()['code'];
  }

  async addPasskey(authenticator: Authenticator): Promise<string> {
    this.browser.host = 'localhost:8080';
    const asked = await this.send('POST', 'passkeys/options/', {});
    const passkey = authenticator.create(asked.json<CeremonyOptions>().options);
    const added = await this.send('POST', 'passkeys/', { name: 'Laptop', passkey });
    assert.equal(added.statusCode, 201, added.payload);
    return added.json<PasskeyAdded>().passkey.id;
  }
}

/** A user with a password and a passkey. */
interface Holder extends SignedIn {
  readonly authenticator: Authenticator;
  readonly passkeyId: string;
}

const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, more: object): Promise<Reply> =>
  call(world.app, method, base + path, { headers, ...more });

async function optionsOf(path: string, { access }: { access?: string } = {}): Promise<object> {
  const reply = await ask('POST', path, { access, body: {} });
  assert.equal(reply.status, 200, reply.text);
  return reply.json<CeremonyOptions>().options;
}

async function holder(): Promise<Holder> {
  const person = await world.signIn('user', `holder-${(people += 1)}@example.org`);
  const { access } = person;
  const authenticator = new Authenticator('http://localhost:8080');
  const asked = await ask('POST', 'passkeys/options/', {
    access,
    body: { password: testPassword },
  });
  const passkey = authenticator.create(asked.json<CeremonyOptions>().options);
  const added = await ask('POST', 'passkeys/', { access, body: { name: 'Laptop', passkey } });
  const passkeyId = added.json<PasskeyAdded>().passkey.id;
  return { ...person, authenticator, passkeyId };
}

const shown = async (
  { authenticator, access }: Pick<Holder, 'authenticator' | 'access'>,
  lies: Lies = {},
): Promise<Assertion | null> =>
  authenticator.get(await optionsOf('proof/passkey/', { access }), lies);

/** What answers the question for a second factor, between password and session. */
async function secondStep({ email, authenticator }: Holder): Promise<Assertion | null> {
  const first = await ask('POST', 'login/', { body: { email, password: testPassword } });
  const { challenge } = first.json<TwoFactorRequired>();
  const options = await ask('POST', 'login/two-factor/passkey/', { body: { challenge } });
  return authenticator.get(options.json<CeremonyOptions>().options);
}

/** Something that takes fresh proof and changes nothing. */
const tryWith = async (access: string, body: object): Promise<unknown> => {
  const reply = await ask('POST', 'passkeys/options/', { access, body });
  return reply.status === 200 ? 200 : (reply.json()['code'] ?? reply.status);
};

test('C-115 an account without a password deletes itself after signing in elsewhere again', async () => {
  const person = await Elsewhere.signIn();
  assert.deepEqual(await person.ways(), {
    password: false,
    passkey: false,
    sign_on: 'Example ID',
    signed_on_until: null,
  });
  assert.equal(await person.delete(), 'proof_required', 'signing in was no proof for this');
  assert.equal(await person.prove(), '/security?signOn=proved');
  const until = new Date(world.clock.now() + 5 * minuteMs).toISOString();
  assert.equal((await person.ways()).signed_on_until, until);
  const key = await person.send('POST', 'api-keys/', { name: 'Script', scopes: ['live'] });
  assert.equal(key.json()['code'], 'api_access_off', 'the proof was enough, the policy is not');
  assert.equal(await person.delete(), 204);
});

test('a sign-in elsewhere counts in the session that began it, and for five minutes', async () => {
  const [here, there] = [await Elsewhere.signIn(), await Elsewhere.signIn()];
  assert.equal(here.id, there.id, 'two sessions of one account');
  assert.equal(await here.prove(), '/security?signOn=proved');
  assert.equal(await there.delete(), 'proof_required');
  assert.equal((await there.ways()).signed_on_until, null);
  world.clock.advance(5 * minuteMs);
  assert.equal(await here.delete(), 'proof_required');
  assert.equal(await here.prove(), '/security?signOn=proved');
  assert.equal(await here.delete(), 204);
});

test('the provider has to say that it asked just now, and about the same person', async () => {
  const person = await Elsewhere.signIn();
  const { url } = (await person.send('POST', 'proof/sign-on/')).json<{ url: string }>();
  const { searchParams } = new URL(url);
  assert.deepEqual([searchParams.get('prompt'), searchParams.get('max_age')], ['login', '0']);
  for (const auth_time of [undefined, nowS() - 600, 'now']) {
    provider.bend = { claims: { auth_time } };
    assert.equal(await person.prove(), '/security?signOn=failed', String(auth_time));
  }
  provider.bend = {};
  const owner = provider.person;
  provider.person = { ...owner, sub: `stranger-${people}` };
  assert.equal(await person.prove(), '/security?signOn=other_person');
  provider.person = owner;
  const begun = (await person.send('POST', 'proof/sign-on/')).json<{ url: string }>();
  const thief = new Browser(world, provider);
  assert.equal(await thief.return(provider.visit(begun.url)), '/login?signOn=expired');
  assert.equal(await person.delete(), 'proof_required');
});

test('an answer that was begun as a sign-in proves nothing, and one that proves signs no one in', async () => {
  const person = await Elsewhere.signIn();
  const back = provider.visit(await person.browser.begin());
  assert.equal(await person.browser.return(back), '/login?signOn=proven');
  assert.equal(await person.delete(), 'proof_required');
  assert.equal(await person.prove(), '/security?signOn=proved');
  assert.equal((await person.browser.complete()).statusCode, 410);
});

test('C-208 a passkey proves what it was asked for: this purpose, account and session, once, verified', async () => {
  const [person, other] = [await holder(), await holder()];
  const login = await ask('POST', 'login/passkey/', {
    body: { passkey: person.authenticator.get(await optionsOf('login/passkey/options/')) },
  });
  const elsewhere = login.json<{ access: string }>().access;
  const { authenticator, access } = person;
  const late = await shown(person);
  const asked = async (path: string) => authenticator.get(await optionsOf(path, { access }));
  const wrong: [string, () => Promise<Assertion | null>][] = [
    ['to sign in', () => asked('login/passkey/options/')],
    ['as second factor', () => secondStep(person)],
    ['in another session', () => shown({ authenticator, access: elsewhere })],
    ['of another account', () => shown(other)],
    ['nobody was there', () => shown(person, { unverified: true })],
    ['a made-up challenge', () => shown(person, { challenge: 'AAAA' })],
    ['another page', () => shown(person, { origin: 'http://evil.example' })],
  ];
  for (const [name, show] of wrong) {
    assert.equal(await tryWith(access, { passkey: await show() }), 'passkey_refused', name);
    world.clock.advance(minuteMs); // they are counted as guesses
  }
  world.clock.advance(minuteMs);
  const good = await shown(person);
  assert.equal(await tryWith(access, { passkey: good }), 200);
  assert.equal(await tryWith(access, { passkey: good }), 'passkey_refused', 'replayed');
  assert.equal(await tryWith(access, { passkey: late }), 'passkey_refused', 'eight minutes old');
});

test('C-105, C-107 refused proofs are guesses: after five of them the next waits, right or wrong', async () => {
  const person = await holder();
  for (let tried = 0; tried < 5; tried += 1) {
    const passkey = await shown(person, { unverified: true });
    assert.equal(await tryWith(person.access, { passkey }), 'passkey_refused');
  }
  assert.equal(await tryWith(person.access, { passkey: await shown(person) }), 'too_many_requests');
  assert.equal(await tryWith(person.access, { password: testPassword }), 200, 'counted apart');
});

test('C-111 a young session alone makes no passkey, which would be proof from then on', async () => {
  const { access } = await world.signIn('user', `young-${(people += 1)}@example.org`);
  assert.equal(await tryWith(access, {}), 'proof_required');
  const setUp = await ask('POST', 'two-factor/setup/', { access, body: {} });
  assert.equal(setUp.status, 200, 'an app alone proves nothing');
});

test('C-109 a passkey is proof and second factor at once; a password is not', async () => {
  const person = await holder();
  const { access, passkeyId } = person;
  const remove = (body: object): Promise<Reply> =>
    ask('DELETE', `passkeys/${passkeyId}/`, { access, body });
  assert.equal((await remove({ password: testPassword })).status, 400);
  assert.equal((await remove({})).json()['code'], 'proof_required');
  assert.equal((await remove({ passkey: await shown(person) })).status, 204);
});

test('no user removes the only way into their account', async () => {
  const person = await Elsewhere.signIn();
  await person.prove();
  const disconnect = (body: object) => person.send('DELETE', 'oidc/connection/', body);
  assert.equal((await disconnect({})).json()['code'], 'last_way_in');
  const authenticator = new Authenticator('http://localhost:8080');
  const passkeyId = await person.addPasskey(authenticator);
  assert.equal((await disconnect({})).statusCode, 204);
  assert.deepEqual(await person.ways(), {
    password: false,
    passkey: true,
    sign_on: null,
    signed_on_until: null,
  });
  const options = await person.send('POST', 'proof/passkey/');
  const passkey = authenticator.get(options.json<CeremonyOptions>().options);
  const removed = await person.send('DELETE', `passkeys/${passkeyId}/`, { passkey });
  assert.equal(removed.json()['code'], 'last_way_in');
});

test('a connection with a provider that is asked no more is neither proof nor a way in', async () => {
  const person = await Elsewhere.signIn();
  await person.prove();
  const authenticator = new Authenticator('http://localhost:8080');
  const passkeyId = await person.addPasskey(authenticator);
  await sql`update provider_identity set issuer = 'https://former.example' where user_id = ${person.id}`.execute(
    world.database.db.write(),
  );
  const none = { sign_on: null, signed_on_until: null };
  assert.deepEqual(await person.ways(), { password: false, passkey: true, ...none });
  const connection = await person.send('GET', 'oidc/connection/');
  assert.deepEqual(connection.json(), { connected_at: null });
  const options = await person.send('POST', 'proof/passkey/');
  const passkey = authenticator.get(options.json<CeremonyOptions>().options);
  const removed = await person.send('DELETE', `passkeys/${passkeyId}/`, { passkey });
  assert.equal(removed.json()['code'], 'last_way_in');
});

test('C-120 each proof is in the activity log, with how, and so is each that was refused', async () => {
  const person = await holder();
  const { access } = person;
  for (const body of [
    { password: 'wrong-horse-8' },
    { passkey: await shown(person, { unverified: true }) },
    { passkey: await shown(person) },
  ]) {
    world.clock.advance(1);
    await tryWith(access, body);
  }
  const entries = (await recorded(world.database.db)).filter(
    ({ object_id, action }) => object_id === person.id && /proof|proven/.test(action),
  );
  assert.deepEqual(
    entries.map(({ action, details }) => [action, details]),
    [
      ['account.proven', { how: 'password' }],
      ['account.proof_refused', { how: 'password' }],
      ['account.proof_refused', { how: 'passkey' }],
      ['account.proven', { how: 'passkey' }],
    ],
  );
});

test('an answer of the provider is forgotten when it counts no more', async () => {
  const person = await Elsewhere.signIn();
  await person.prove();
  world.clock.advance(5 * minuteMs + 1);
  await world.server.accounts.deleteExpiredTokens();
  const { rows } = await sql`select 1 from fresh_sign_on`.execute(world.database.db.read());
  assert.deepEqual(rows, []);
});
