/** A user lost their second factor: who may remove it, and all that goes with it. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { TwoFactorRequired } from '@nazar/contract/accounts.ts';
import type { SecurityEvent } from '@nazar/contract/security-events.ts';
import type { RecoveryCodes, TotpSetup } from '@nazar/contract/two-factor.ts';
import type { CeremonyOptions } from '@nazar/contract/webauthn.ts';
import { mailedServer, type MailedServer } from '#testing/accounts.ts';
import { Authenticator } from '#testing/authenticator.ts';
import { recorded, type RecordedRow } from '#testing/activity-chain.ts';
import { call, testPassword, type Reply, type SignedIn, type TestServer } from '#testing/server.ts';
import type { MailServer } from '#testing/mail-server.ts';

const base = '/secure-api/accounts/';
const headers = { host: 'localhost:8080' };
let mailed: MailedServer;
let box: MailServer;
let world: TestServer;
let superadmin: SignedIn;
let admin: SignedIn;
let made = 0;

before(async () => {
  const hosts = ['127.0.0.1', 'localhost'];
  mailed = await mailedServer('https://nazar.example.org', { hosts });
  ({ box, world } = mailed);
  superadmin = await world.signIn('superadmin');
  admin = await world.signIn('admin');
});
after(() => mailed[Symbol.asyncDispose]());

interface Guarded extends SignedIn {
  readonly secret: string;
  readonly recovery: string[];
  readonly authenticator: Authenticator;
}

let person: Guarded;
beforeEach(async () => {
  person = await guarded('operator');
});

const codeOf = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: world.clock.now() });

/** With an authenticator app, a passkey and recovery codes. */
async function guarded(role: 'operator' | 'admin'): Promise<Guarded> {
  const one = await world.signIn(role, `lost-${(made += 1)}@example.org`);
  const { access } = one;
  const { secret } = (await one.send('POST', `${base}two-factor/setup/`, {})).json<TotpSetup>();
  const verified = await one.send('POST', `${base}two-factor/verify/`, { code: codeOf(secret) });
  assert.equal(verified.status, 200, verified.text);
  const { recovery_codes: recovery } = verified.json<RecoveryCodes>();
  const authenticator = new Authenticator('http://localhost:8080');
  const at = (path: string, body: object): Promise<Reply> =>
    call(world.app, 'POST', `${base}${path}`, { access, headers, body });
  world.clock.advance(60_000);
  const asked = await at('passkeys/options/', { password: testPassword });
  assert.equal(asked.status, 200, asked.text);
  const { options } = asked.json<CeremonyOptions>();
  const added = await at('passkeys/', { name: 'Laptop', passkey: authenticator.create(options) });
  assert.equal(added.status, 201, added.text);
  return { ...one, secret, recovery, authenticator };
}

const removeFrom = ({ id }: { id: string }, by: SignedIn): Promise<Reply> =>
  by.send('DELETE', `${base}users/${id}/two-factor/`);
const login = ({ email }: { email: string }): Promise<Reply> =>
  call(world.app, 'POST', `${base}login/`, { body: { email, password: testPassword } });
const isAsked = async (one: { email: string }): Promise<boolean> =>
  'two_factor_required' in (await login(one)).json();
const meOf = async (one: SignedIn): Promise<number> => (await one.get(`${base}users/me/`)).status;

async function deedsTo({ id }: { id: string }): Promise<RecordedRow[]> {
  const rows = await recorded(world.database.db);
  return rows.filter(
    ({ action, object_id }) => object_id === id && action === 'account.two_factor_removed',
  );
}

test('C-109, C-116 an administrator takes all of it off: the password alone opens the account again', async () => {
  assert.equal(await isAsked(person), true);
  const { challenge } = (await login(person)).json<TwoFactorRequired>();
  assert.equal((await removeFrom(person, admin)).status, 204);
  const signedIn = await login(person);
  assert.ok('access' in signedIn.json(), signedIn.text);
  world.clock.advance(60_000); // to a code that was not used yet
  for (const code of [person.recovery[0]!, codeOf(person.secret)]) {
    const late = await call(world.app, 'POST', `${base}login/two-factor/`, {
      body: { challenge, code },
    });
    assert.equal(late.status, 400, 'what was lost opens nothing');
  }
  const asked = await call(world.app, 'POST', `${base}login/passkey/options/`, {
    headers,
    body: {},
  });
  const passkey = person.authenticator.get(asked.json<CeremonyOptions>().options);
  const opened = await call(world.app, 'POST', `${base}login/passkey/`, {
    headers,
    body: { passkey },
  });
  assert.equal(opened.status, 401, 'no passkey either');
  const left = await sql<{ of: string }>`
    select user_id as of from user_totp union all select user_id from passkey
    union all select user_id from recovery_code`.execute(world.database.db.read());
  assert.ok(!left.rows.some((row) => row.of === person.id));
});

test('C-117, C-206 all sessions of that user end, and no others', async () => {
  const other = await guarded('operator');
  assert.equal((await removeFrom(person, admin)).status, 204);
  assert.equal(await meOf(person), 401);
  assert.equal(await meOf(other), 200);
  assert.equal(await isAsked(other), true);
  assert.equal(await meOf(admin), 200);
});

test('C-120, C-111 it is recorded with who did it, and the owner gets an email', async () => {
  const count = box.delivered.length;
  assert.equal((await removeFrom(person, admin)).status, 204);
  const deeds = await deedsTo(person);
  assert.deepEqual(
    deeds.map(({ user_id, details }) => [user_id, details]),
    [[admin.id, { has_app: true, passkeys: 1 }]],
  );
  // Emails of what was set up before may still be on their way.
  const email = await box.email(count, /Two-factor authentication was reset/);
  assert.deepEqual(email.to, [person.email]);
  const { access } = (await login(person)).json<{ access: string }>();
  const events = await call(world.app, 'GET', `${base}security/events/`, { access });
  const removal = events
    .json<{ results: SecurityEvent[] }>()
    .results.find(({ kind }) => kind === 'two_factor_removed');
  assert.deepEqual([removal?.by, removal?.ip], ['administrator', '']);
});

test('C-116 an admin can reset only users and operators, and no one can reset themselves', async () => {
  const privileged = await guarded('admin');
  const refused = await removeFrom(privileged, admin);
  assert.deepEqual([refused.status, refused.json()['code']], [403, 'forbidden']);
  const own = await removeFrom(privileged, privileged);
  assert.deepEqual([own.status, own.json()['code']], [403, 'own_role']);
  assert.equal((await removeFrom(person, person)).status, 403);
  assert.equal(await isAsked(privileged), true);
  assert.deepEqual(await deedsTo(privileged), []);
  assert.equal((await removeFrom(privileged, superadmin)).status, 204);
  assert.equal(await isAsked(privileged), false);
});

test('C-120 where there is none nothing ends and nothing is recorded', async () => {
  const plain = await world.signIn('user', `plain-${made}@example.org`);
  const reply = await removeFrom(plain, admin);
  assert.deepEqual([reply.status, reply.json()['code']], [409, 'two_factor_off']);
  assert.equal(await meOf(plain), 200);
  assert.deepEqual(await deedsTo(plain), []);
});

test('C-105 guesses at the old codes do not keep the user from setting up new ones', async () => {
  const { challenge } = (await login(person)).json<TwoFactorRequired>();
  const guess = (): Promise<Reply> =>
    call(world.app, 'POST', `${base}login/two-factor/`, { body: { challenge, code: '000000' } });
  let last = await guess();
  for (let left = 20; left > 0 && last.status !== 429; left -= 1) last = await guess();
  assert.equal(last.status, 429);
  assert.equal((await removeFrom(person, admin)).status, 204);
  const { access } = (await login(person)).json<{ access: string }>();
  const send = (path: string, body: object): Promise<Reply> =>
    call(world.app, 'POST', `${base}two-factor/${path}/`, { access, body });
  const { secret } = (await send('setup', {})).json<TotpSetup>();
  const verified = await send('verify', { code: codeOf(secret) });
  assert.equal(verified.status, 200, verified.text);
});

test('C-109, C-120 from the console: the same for every account, including the only superadmin', async () => {
  const privileged = await guarded('admin');
  const { lostFactor } = world.server.accounts;
  await lostFactor.removeFromConsole(privileged.email.toUpperCase());
  assert.equal(await meOf(privileged), 401);
  assert.equal(await isAsked(privileged), false);
  assert.deepEqual(
    (await deedsTo(privileged)).map(({ source, user_id }) => [source, user_id]),
    [['console', null]],
  );
  await assert.rejects(lostFactor.removeFromConsole(privileged.email), { code: 'two_factor_off' });
  await assert.rejects(lostFactor.removeFromConsole('nobody@example.org'), {
    code: 'user_not_found',
  });
});
