import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { LoginReply, TwoFactorRequired } from '@nazar/contract/accounts.ts';
import type { RecoveryCodes, TotpSetup, TwoFactorState } from '@nazar/contract/two-factor.ts';
import { SecretKey } from '#lib/secrets.ts';
import { accountsOn } from '#testing/accounts.ts';
import { recorded } from '#testing/activity-chain.ts';
import { addressOf, named } from '#testing/routes.ts';
import {
  call,
  testPassword,
  testServer,
  type Reply,
  type SignedIn,
  type TestServer,
} from '#testing/server.ts';

const base = '/secure-api/accounts/';
const stepMs = 30_000;
const minuteMs = 60_000;
const master = SecretKey.random();
let world: TestServer;
let people = 0;

before(async () => {
  world = await testServer({ master });
  await world.signIn('superadmin');
});
after(() => world[Symbol.asyncDispose]());

interface Guarded extends SignedIn {
  readonly secret: string;
  readonly recovery: string[];
}

const newUser = (): Promise<SignedIn> =>
  world.signIn('user', `person-${(people += 1)}@example.org`);

const codeOf = (secret: string, offMs = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: world.clock.now() + offMs,
  });

/** Never of the present step: each test has its own 30 s. */
function freshCode(secret: string): string {
  world.clock.advance(2 * stepMs);
  return codeOf(secret);
}

async function guarded(): Promise<Guarded> {
  const person = await newUser();
  const { secret } = (await person.send('POST', `${base}two-factor/setup/`, {})).json<TotpSetup>();
  const verified = await person.send('POST', `${base}two-factor/verify/`, {
    code: freshCode(secret),
  });
  assert.equal(verified.status, 200, verified.text);
  return { ...person, secret, recovery: verified.json<RecoveryCodes>().recovery_codes };
}

const firstStep = (email: string, more: object = {}, headers = {}): Promise<Reply> =>
  call(world.app, 'POST', `${base}login/`, {
    body: { email, password: testPassword, ...more },
    headers,
  });

async function challengeOf(email: string): Promise<string> {
  return (await firstStep(email)).json<TwoFactorRequired>().challenge;
}

const secondStep = (challenge: string, code: string, headers = {}): Promise<Reply> =>
  call(world.app, 'POST', `${base}login/two-factor/`, { body: { challenge, code }, headers });

const stateOf = async (person: SignedIn): Promise<TwoFactorState> =>
  (await person.get(`${base}two-factor/`)).json<TwoFactorState>();

test('~SEC-010, C-109 a secret counts only after a code of it was shown', async () => {
  const person = await newUser();
  const setUp = async (): Promise<TotpSetup> =>
    (await person.send('POST', `${base}two-factor/setup/`, {})).json<TotpSetup>();
  const replaced = await setUp();
  const { secret, uri } = await setUp();
  assert.ok(uri.includes(secret) && uri.startsWith('otpauth://totp/Nazar'));
  assert.deepEqual(await stateOf(person), {
    is_on: false,
    totp: false,
    passkeys: 0,
    recovery_codes_left: 0,
    is_demanded: false,
  });
  assert.ok('access' in (await firstStep(person.email)).json(), 'not asked for yet');
  const verify = (code: string): Promise<Reply> =>
    person.send('POST', `${base}two-factor/verify/`, { code });
  for (const wrong of ['000000', codeOf(replaced.secret), codeOf(secret, -2 * stepMs)]) {
    assert.equal((await verify(wrong)).status, 400);
  }
  const reply = await verify(codeOf(secret));
  assert.equal(reply.status, 200, reply.text);
  assert.equal(new Set(reply.json<RecoveryCodes>().recovery_codes).size, 10);
  assert.deepEqual(await stateOf(person), {
    is_on: true,
    totp: true,
    passkeys: 0,
    recovery_codes_left: 10,
    is_demanded: false,
  });
  const again = await person.send('POST', `${base}two-factor/setup/`, {});
  assert.deepEqual([again.status, again.json()['code']], [409, 'two_factor_on']);
});

test('C-109, ~NSH-036 with it on, a login answers a challenge and no token and no cookie', async () => {
  const { email, secret } = await guarded();
  const reply = await firstStep(email, { remember: true }, { 'sec-fetch-site': 'same-origin' });
  assert.equal(reply.status, 200);
  const { challenge, ...rest } = reply.json<TwoFactorRequired>();
  assert.deepEqual(rest, { two_factor_required: true, methods: ['totp', 'recovery'] });
  assert.match(challenge, /^nzm_[\w-]{43}$/);
  assert.equal(reply.headers['set-cookie'], undefined);
  const opened = await secondStep(challenge, ` ${freshCode(secret).replace(/(?=...$)/, ' ')}`, {
    'sec-fetch-site': 'same-origin',
  });
  assert.equal(opened.status, 200, opened.text);
  assert.deepEqual(Object.keys(opened.json()).sort(), ['access', 'refresh', 'user']);
  assert.match(String(opened.headers['set-cookie']), /Max-Age=2592000/, 'remembered, as was asked');
  const { access } = opened.json<LoginReply>();
  const cookie = String(opened.headers['set-cookie']).split(';')[0]!;
  const me = await call(world.app, 'GET', `${base}users/me/`, { access, headers: { cookie } });
  assert.equal(me.json()['email'], email);
});

test('C-109 each code opens once: not again, not by two at once, not after a restart', async () => {
  const { email, secret } = await guarded();
  const challenges = await Promise.all(Array.from({ length: 4 }, () => challengeOf(email)));
  const code = freshCode(secret);
  const both = await Promise.all([
    secondStep(challenges[0]!, code),
    secondStep(challenges[1]!, code),
  ]);
  const statuses = both.map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([200, 400]));
  const { db } = world.database;
  const { clock } = world;
  const restarted = accountsOn(db, { clock, key: master.derive('accounts') });
  const client = { isBrowser: false, cookie: undefined, ip: '127.0.0.1', userAgent: 'test' };
  const show = (shown: string) =>
    restarted.signIn.withSecondFactor({ challenge: challenges[2]!, code: shown }, client);
  await assert.rejects(show(code), { code: 'code_wrong' });
  await assert.rejects(show(codeOf(secret, -stepMs)), { code: 'code_wrong' }, 'nor an older one');
  await show(codeOf(secret, stepMs));
  const late = await secondStep(challenges[3]!, codeOf(secret));
  assert.equal(late.status, 400, 'a newer one was taken');
});

test('C-109 a recovery code opens once and is gone', async () => {
  const person = await guarded();
  const [code = '', other = ''] = person.recovery;
  const opened = await secondStep(await challengeOf(person.email), ` ${code.toUpperCase()}`);
  assert.equal(opened.status, 200, opened.text);
  assert.equal((await secondStep(await challengeOf(person.email), code)).status, 400);
  assert.equal((await stateOf(person)).recovery_codes_left, 9);
  const stranger = await guarded();
  const foreign = await secondStep(await challengeOf(stranger.email), other);
  assert.equal(foreign.status, 400, 'of one account only');
  const renewed = await person.send('POST', `${base}two-factor/recovery-codes/`, {
    password: testPassword,
    code: freshCode(person.secret),
  });
  assert.equal(renewed.json<RecoveryCodes>().recovery_codes.length, 10);
  assert.equal((await secondStep(await challengeOf(person.email), other)).status, 400, 'replaced');
  const [fresh = ''] = renewed.json<RecoveryCodes>().recovery_codes;
  assert.equal((await secondStep(await challengeOf(person.email), fresh)).status, 200);
});

test('C-208 a challenge opens the second step only, once, for five minutes, and nothing else opens it', async () => {
  const person = await guarded();
  const challenge = await challengeOf(person.email);
  for (const kind of ['nza', 'nzr', 'nzc', 'nzm']) {
    const access = challenge.replace('nzm', kind);
    assert.equal((await call(world.app, 'GET', `${base}users/me/`, { access })).status, 401, kind);
    const refresh = await call(world.app, 'POST', '/token/refresh/', { body: { refresh: access } });
    assert.equal(refresh.status, 401, kind);
  }
  const code = freshCode(person.secret);
  const { access, refresh } = person;
  const others = [access, refresh, access.replace('nza', 'nzm'), `nzm_${'A'.repeat(43)}`, 'nzm_'];
  for (const other of others) {
    const reply = await secondStep(other, code);
    assert.deepEqual([reply.status, reply.json()['code']], [401, 'challenge_invalid'], other);
  }
  assert.equal((await secondStep(challenge, code)).status, 200, 'the code was not used up');
  assert.equal((await secondStep(challenge, freshCode(person.secret))).status, 401, 'once');
  const late = await challengeOf(person.email);
  world.clock.advance(5 * minuteMs);
  assert.equal((await secondStep(late, codeOf(person.secret))).status, 401, 'five minutes');
});

test('C-109, C-117 a challenge opens nothing after another password, or for a disabled account', async () => {
  const { server, database } = world;
  const changed = await guarded();
  const challenge = await challengeOf(changed.email);
  await server.accounts.resetPassword(changed.email, 'another-horse-8-staple');
  assert.equal((await secondStep(challenge, freshCode(changed.secret))).status, 401);
  const disabled = await guarded();
  const second = await challengeOf(disabled.email);
  await sql`update app_user set is_active = false where id = ${disabled.id}`.execute(
    database.db.write(),
  );
  assert.equal((await secondStep(second, freshCode(disabled.secret))).status, 401);
});

test('C-105, C-109 five wrong codes and the sixth waits, on every path that takes one; the password buys no more', async () => {
  const paths: ((person: Guarded, code: string) => Promise<Reply>)[] = [
    async ({ email }, code) => secondStep(await challengeOf(email), code),
    (person, code) =>
      person.send('POST', `${base}two-factor/disable/`, { password: testPassword, code }),
    (person, code) =>
      person.send('POST', `${base}two-factor/recovery-codes/`, { password: testPassword, code }),
  ];
  for (const path of paths) {
    const person = await guarded();
    for (let guess = 0; guess < 5; guess += 1) {
      assert.equal((await path(person, `00000${guess}`)).status, 400);
      // The password is right each time, and forgives nothing.
      await challengeOf(person.email);
    }
    const right = freshCode(person.secret);
    world.clock.advance(-2 * stepMs); // the wait of 30 s is not over
    const refused = await path(person, right);
    assert.equal(refused.status, 429, refused.text);
    const [recovery = ''] = person.recovery;
    assert.equal((await path(person, recovery)).status, 429, 'one count for both kinds');
    world.clock.advance(2 * stepMs);
    assert.ok((await path(person, right)).status < 300);
  }
});

test('C-105 the set-up and turning off count guesses, too', async () => {
  const person = await newUser();
  await person.send('POST', `${base}two-factor/setup/`, {});
  const verify = () => person.send('POST', `${base}two-factor/verify/`, { code: '000000' });
  for (let guess = 0; guess < 5; guess += 1) assert.equal((await verify()).status, 400);
  assert.equal((await verify()).status, 429);
  const other = await guarded();
  const body = { password: 'not it', code: codeOf(other.secret) };
  const disable = () => other.send('POST', `${base}two-factor/disable/`, body);
  for (let guess = 0; guess < 5; guess += 1) assert.equal((await disable()).status, 400);
  assert.equal((await disable()).status, 429);
  assert.equal((await firstStep(other.email)).status, 429, 'one count with the login');
});

test('C-109, C-111 off needs password and code; on and off end all other sessions and not this one', async () => {
  const person = await newUser();
  const other = (await firstStep(person.email)).json<LoginReply>().access;
  const lives = async (access: string): Promise<boolean> =>
    (await call(world.app, 'GET', `${base}users/me/`, { access })).status === 200;
  const ended: string[] = [];
  using _reader = world.server.accounts.sessionEnded.on(({ sessionId }) => ended.push(sessionId));
  const { secret } = (await person.send('POST', `${base}two-factor/setup/`, {})).json<TotpSetup>();
  assert.ok(await lives(other));
  await person.send('POST', `${base}two-factor/verify/`, { code: freshCode(secret) });
  assert.deepEqual(
    [await lives(other), await lives(person.access), ended.length],
    [false, true, 1],
  );
  const again = (
    await secondStep(await challengeOf(person.email), freshCode(secret))
  ).json<LoginReply>().access;
  const disable = (body: object) => person.send('POST', `${base}two-factor/disable/`, body);
  const code = freshCode(secret);
  assert.equal((await disable({ code })).status, 400);
  assert.equal((await disable({ password: testPassword })).status, 400);
  assert.ok('password' in (await disable({ password: 'not it', code })).json());
  assert.ok('code' in (await disable({ password: testPassword, code: '000000' })).json());
  assert.ok((await stateOf(person)).is_on && (await lives(again)));
  assert.equal((await disable({ password: testPassword, code })).status, 204);
  assert.deepEqual(
    [await lives(again), await lives(person.access), ended.length],
    [false, true, 2],
  );
  assert.deepEqual(await stateOf(person), {
    is_on: false,
    totp: false,
    passkeys: 0,
    recovery_codes_left: 0,
    is_demanded: false,
  });
  assert.ok('access' in (await firstStep(person.email)).json());
  const off = await disable({ password: testPassword, code: freshCode(secret) });
  assert.equal(off.json()['code'], 'two_factor_off');
});

test('C-109 a session older than 15 minutes sets nothing up without fresh proof', async () => {
  const person = await newUser();
  world.clock.advance(9 * minuteMs);
  const tokens = await call(world.app, 'POST', '/token/refresh/', {
    body: { refresh: person.refresh },
  });
  const { access } = tokens.json<LoginReply>();
  world.clock.advance(7 * minuteMs);
  const setUp = (body: object) =>
    call(world.app, 'POST', `${base}two-factor/setup/`, { access, body });
  assert.equal((await setUp({})).json()['code'], 'proof_required');
  assert.equal((await setUp({ password: 'not it' })).status, 400);
  assert.equal((await setUp({ password: testPassword })).status, 200);
});

test('C-120 switching factors on and off, and the way a user came in, are recorded; nothing secret is', async () => {
  const person = await guarded();
  const [recovery = ''] = person.recovery;
  world.clock.advance(1); // entries of one moment have no order that this test could rely on
  await secondStep(await challengeOf(person.email), '000000');
  await secondStep(await challengeOf(person.email), freshCode(person.secret));
  world.clock.advance(1);
  await secondStep(await challengeOf(person.email), recovery);
  const prove = (code: string) => ({ password: testPassword, code });
  await person.send('POST', `${base}two-factor/recovery-codes/`, prove(freshCode(person.secret)));
  await person.send('POST', `${base}two-factor/disable/`, prove(freshCode(person.secret)));
  const all = await recorded(world.database.db);
  const entries = all.filter(
    ({ object_id, details }) =>
      object_id === person.id && details['how'] !== 'password' && !details['role'],
  );
  assert.deepEqual(
    entries.map(({ action, details }) => [action, details]),
    [
      ['account.two_factor_on', {}],
      ['account.login_failed', { how: 'totp' }],
      ['account.login', { how: 'totp' }],
      ['account.login', { how: 'recovery' }],
      ['account.recovery_codes_made', {}],
      ['account.two_factor_off', {}],
    ],
  );
  for (const { ip } of entries) assert.equal(ip, '127.0.0.1');
});

test('C-109, C-601 neither secret nor codes nor challenges can be read in the database', async () => {
  const person = await guarded();
  const challenge = await challengeOf(person.email);
  const { db } = world.database;
  const dump = async (): Promise<string> => {
    const { rows } = await sql<{ row: string }>`
      select user_totp::text as row from user_totp
      union all select recovery_code::text from recovery_code
      union all select login_challenge::text from login_challenge
      union all select audit_entry::text from audit_entry`.execute(db.read());
    return rows.map(({ row }) => row).join('\n');
  };
  const text = await dump();
  const raw = Buffer.from(Secret.fromBase32(person.secret).bytes).toString('hex');
  const token = Buffer.from(challenge.slice(4), 'base64url').toString('hex');
  for (const secret of [person.secret, raw, challenge.slice(4), token, ...person.recovery]) {
    assert.ok(!text.includes(secret));
    assert.ok(!text.includes(Buffer.from(secret).toString('hex')));
  }
  const other = await guarded();
  await sql`
    update user_totp set secret = (select secret from user_totp where user_id = ${person.id})
    where user_id = ${other.id}`.execute(db.write());
  const moved = await secondStep(await challengeOf(other.email), freshCode(person.secret));
  assert.equal(moved.status, 500, 'a secret moved to another account does not open');
});

test('challenges that expired are cleared away, those that live stay', async () => {
  const { email, secret } = await guarded();
  await challengeOf(email);
  world.clock.advance(4 * minuteMs);
  const young = await challengeOf(email);
  world.clock.advance(2 * minuteMs);
  await world.server.accounts.deleteExpiredTokens();
  const { rows } = await sql`select 1 from login_challenge`.execute(world.database.db.read());
  assert.equal(rows.length, 1);
  assert.equal((await secondStep(young, codeOf(secret))).status, 200);
});

test('C-110 while the policy demands it, an account without a second factor reaches its set-up and nothing else', async () => {
  const { server, database } = world;
  const demand = (value: object): Promise<unknown> =>
    sql`insert into setting values ('security', ${JSON.stringify(value)}, now())
      on conflict (section) do update set value = excluded.value`.execute(database.db.write());
  const [admin, person, safe] = [
    await world.signIn('admin', 'policy-admin@example.org'),
    await newUser(),
    await guarded(),
  ];
  const cameras = ({ access }: SignedIn) =>
    call(world.app, 'GET', '/secure-api/cameras/', { access });
  await demand({ twoFactorAuth: true, twoFactorFor: 'administrators' });
  assert.deepEqual(
    [(await cameras(admin)).status, (await cameras(person)).status, (await cameras(safe)).status],
    [403, 200, 200],
  );
  await demand({ twoFactorAuth: true, twoFactorFor: 'all' });
  const open = new Set(server.routes.filter(({ whileEnrolling }) => whileEnrolling).map(named));
  assert.deepEqual(
    [...open].filter(
      (name) =>
        !/(logout|me|my_preferences|sessions|two-factor|setup|verify|passkeys|options|proof|proof\/[\w-]+)\/$/.test(
          name,
        ),
    ),
    [],
  );
  for (const { method, path, callers, whileEnrolling, body } of server.routes) {
    if (typeof callers === 'string' || !callers.includes('user') || path.includes('logout'))
      continue;
    const url = addressOf(path);
    const { access } = person;
    const reply = await call(world.app, method, url, { access, ...(body ? { body: {} } : {}) });
    const isRefused = reply.status === 403 && reply.text.includes('two_factor_required_by_policy');
    assert.equal(isRefused, whileEnrolling !== true, `${method} ${path} ${reply.text}`);
  }
  assert.equal((await cameras(safe)).status, 200);
  const { is_demanded, is_on } = await stateOf(person);
  assert.deepEqual([is_demanded, is_on], [true, false]);
  const { secret } = (await person.send('POST', `${base}two-factor/setup/`, {})).json<TotpSetup>();
  await person.send('POST', `${base}two-factor/verify/`, { code: freshCode(secret) });
  assert.equal((await cameras(person)).status, 200, 'open at once');
  await demand({ twoFactorAuth: false });
  assert.equal((await cameras(admin)).status, 200);
});
