/** What administrators do with accounts beside their rights: invite, help, put out, let in again, delete. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { OneTimeLink } from '@nazar/contract/recovery.ts';
import type { CreatedUser, ListedUser, UserDetail, UserSession } from '@nazar/contract/users.ts';
import { mailedServer, type MailedServer } from '#testing/accounts.ts';
import { emailsSent } from '#testing/outbox.ts';
import { recorded, type RecordedRow } from '#testing/activity-chain.ts';
import {
  call,
  testPassword,
  testServer,
  type Reply,
  type SignedIn,
  type TestServer,
} from '#testing/server.ts';
import type { MailServer } from '#testing/mail-server.ts';

const users = '/secure-api/accounts/users/';
const origin = 'https://nazar.example.org';
const fresh = 'another-horse-8-staple';

let mailed: MailedServer;
let box: MailServer;
let world: TestServer;
let superadmin: SignedIn;
let admin: SignedIn;
let person: SignedIn;
let made = 0;

before(async () => {
  mailed = await mailedServer(origin);
  ({ box, world } = mailed);
  superadmin = await world.signIn('superadmin');
  admin = await world.signIn('admin');
});
after(() => mailed[Symbol.asyncDispose]());
beforeEach(async () => {
  await emailsSent(world.database.db);
  person = await world.signIn('operator', `person-${(made += 1)}@example.org`);
});

const form = (more: object = {}): object => ({
  email: `made-${(made += 1)}@example.org`,
  first_name: 'New',
  last_name: 'User',
  ...more,
});

const login = (email: string, password: string): Promise<Reply> =>
  call(world.app, 'POST', '/secure-api/accounts/login/', { body: { email, password } });

function choose({ path }: OneTimeLink, new_password = fresh): Promise<Reply> {
  const [, uid, token] = /^\/reset-password\/([^/]+)\/([\w-]+)/.exec(path) ?? [];
  const body = { uid, token, new_password };
  return call(world.app, 'POST', '/secure-api/accounts/password-reset/confirm/', { body });
}

const linkFor = async ({ id }: { id: string }, by = superadmin): Promise<OneTimeLink> => {
  const reply = await by.send('POST', `${users}${id}/reset-link/`);
  assert.equal(reply.status, 201, reply.text);
  return reply.json<OneTimeLink>();
};

const deeds = async ({ id }: { id: string }): Promise<RecordedRow[]> =>
  (await recorded(world.database.db)).filter(({ object_id }) => object_id === id);

test('C-116, ~NSH-047 a new user gets a link by email, and chooses a password that no one else knows', async () => {
  const count = box.delivered.length;
  const chosen = await admin.send('POST', users, form({ password: 'chosen-by-an-administrator' }));
  assert.deepEqual([chosen.status, Object.keys(chosen.json())], [400, ['password']]);
  const reply = await admin.send('POST', users, form());
  const user = reply.json<CreatedUser>();
  assert.deepEqual([user.has_password, user.link.mailed], [false, true]);
  assert.equal(user.link.url, origin + user.link.path);
  assert.match(user.link.path, /\?for=invitation$/);
  const days = (Date.parse(user.link.expires_at) - world.clock.now()) / 86_400_000;
  assert.equal(days, 7);
  for (const guess of ['chosen-by-an-administrator', ' ', user.link.path]) {
    assert.equal((await login(user.email, guess)).status, 401);
  }
  const email = await box.email(count);
  assert.deepEqual(email.to, [user.email]);
  assert.ok(email.text.includes(user.link.url ?? '-'));
  assert.equal((await choose(user.link)).status, 200);
  assert.equal((await login(user.email, fresh)).status, 200);
  const now = (await admin.get(`${users}${user.id}/`)).json<UserDetail>();
  assert.equal(now.has_password, true);
  assert.equal(now.last_login_at, new Date(world.clock.now()).toISOString());
  const rows = (await deeds(user)).filter(({ action }) => action !== 'account.login_failed');
  assert.deepEqual(
    rows.slice(0, 2).map(({ action, user_id }) => [action, user_id]),
    [
      ['account.created', admin.id],
      ['account.password_reset', user.id],
    ],
  );
});

test('C-116 a link for a user who cannot sign in: shown once, the newest one works, recorded', async () => {
  const [first, second] = [await linkFor(person, admin), await linkFor(person, admin)];
  assert.equal((await choose(first)).status, 403);
  assert.equal((await person.get('/secure-api/accounts/users/me/')).status, 200);
  assert.equal((await choose(second)).status, 200);
  assert.equal((await person.get('/secure-api/accounts/users/me/')).status, 401);
  const rows = await deeds(person);
  const issued = rows.filter(({ action }) => action === 'account.link_issued');
  assert.deepEqual(
    issued.map(({ user_id, ip }) => [user_id, ip]),
    [
      [admin.id, '127.0.0.1'],
      [admin.id, '127.0.0.1'],
    ],
  );
  assert.ok(!JSON.stringify(rows).includes(second.path.slice(-20)));
});

test('C-116 a link made for a user does not open the administrator they became', async () => {
  const link = await linkFor(person, admin);
  const raised = await superadmin.send('PATCH', `${users}${person.id}/`, { role: 'superadmin' });
  assert.equal(raised.status, 200);
  assert.equal((await choose(link)).status, 403);
  const other = await world.signIn('user', `other-${made}@example.org`);
  const otherLink = await linkFor(other, admin);
  await admin.send('PATCH', `${users}${other.id}/`, { is_active: false });
  await admin.send('PATCH', `${users}${other.id}/`, { is_active: true });
  assert.equal((await choose(otherLink)).status, 403);
});

test('CFL-050 a user who becomes an administrator signs in anew, with a password that is long enough', async () => {
  const link = await linkFor(person);
  await choose(link, 'nine-9999');
  const tokens = (await login(person.email, 'nine-9999')).json<{ access: string }>();
  const me = '/secure-api/accounts/users/me/';
  assert.equal((await call(world.app, 'GET', me, tokens)).status, 200);
  await superadmin.send('PATCH', `${users}${person.id}/`, { role: 'admin' });
  assert.equal((await call(world.app, 'GET', me, tokens)).status, 401);
  const refused = await login(person.email, 'nine-9999');
  assert.deepEqual([refused.status, refused.json()['code']], [403, 'password_too_short_for_role']);
  assert.equal((await login(person.email, 'wrong')).status, 401);
  await choose(await linkFor(person));
  assert.equal((await login(person.email, fresh)).status, 200);
});

test('C-206 sessions of a user are listed, one is ended, all are ended; others stay', async () => {
  world.clock.advance(1); // newer than the first
  await login(person.email, testPassword);
  const path = `${users}${person.id}/sessions/`;
  const list = async (): Promise<UserSession[]> =>
    (await admin.get(path)).json<{ results: UserSession[] }>().results;
  const [newest] = await list();
  assert.equal((await list()).length, 2);
  const ended: string[] = [];
  using reading = world.server.accounts.sessionEnded.on(({ sessionId }) => {
    ended.push(sessionId);
  });
  assert.ok(reading);
  assert.equal((await admin.send('DELETE', `${path}${newest!.id}/`)).status, 204);
  assert.deepEqual(ended, [newest!.id]);
  assert.equal((await person.get('/secure-api/accounts/users/me/')).status, 200);
  const other = await world.signIn('user', `other-${made}@example.org`);
  const [foreign] = (await admin.get(`${users}${other.id}/sessions/`)).json<{
    results: UserSession[];
  }>().results;
  const missed = await admin.send('DELETE', `${path}${foreign!.id}/`);
  assert.deepEqual([missed.status, missed.json()['code']], [404, 'session_not_found']);
  assert.equal((await admin.send('DELETE', path)).status, 204);
  assert.equal((await person.get('/secure-api/accounts/users/me/')).status, 401);
  assert.equal((await other.get('/secure-api/accounts/users/me/')).status, 200);
  assert.equal((await list()).length, 0);
  const last = (await deeds(person)).at(-1);
  assert.deepEqual([last?.action, last?.details], ['account.sessions_ended', { count: 1 }]);
});

test('C-104 a locked account is shown as such and unlocked', async () => {
  for (let guess = 0; guess < 6; guess += 1) await login(person.email, 'wrong');
  assert.equal((await login(person.email, testPassword)).status, 429);
  const lockedUntil = async (): Promise<string | null> =>
    (await admin.get(`${users}${person.id}/`)).json<UserDetail>().locked_until;
  const until = await lockedUntil();
  assert.ok(until !== null && Date.parse(until) > world.clock.now());
  assert.equal((await admin.send('POST', `${users}${person.id}/unlock/`)).status, 204);
  assert.equal(await lockedUntil(), null);
  assert.equal((await login(person.email, testPassword)).status, 200);
});

test('C-117 a deleted user is out at once and gone; the last superadmin stays', async () => {
  assert.equal((await admin.send('DELETE', `${users}${person.id}/`)).status, 204);
  assert.equal((await person.get('/secure-api/accounts/users/me/')).status, 401);
  assert.equal((await login(person.email, testPassword)).status, 401);
  assert.equal((await admin.get(`${users}${person.id}/`)).status, 404);
  const last = (await deeds(person)).at(-1);
  assert.deepEqual([last?.action, last?.user_id], ['account.deleted', admin.id]);
  const oneself = await superadmin.send('DELETE', `${users}${superadmin.id}/`);
  assert.deepEqual([oneself.status, oneself.json()['code']], [403, 'own_role']);
});

test('C-120 the activity log names who changed whose rights, and how', async () => {
  await superadmin.send('PATCH', `${users}${person.id}/`, { is_staff: true });
  await superadmin.send('PATCH', `${users}${person.id}/`, { is_staff: false, is_active: false });
  await superadmin.send('PATCH', `${users}${person.id}/`, { is_active: false });
  const rows = (await deeds(person)).slice(-3);
  assert.deepEqual(
    rows.map(({ action, details, user_id, source }) => [action, details, user_id, source]),
    [
      ['account.role_changed', { from: 'operator', to: 'staff' }, superadmin.id, 'request'],
      ['account.role_changed', { from: 'staff', to: 'operator' }, superadmin.id, 'request'],
      ['account.disabled', {}, superadmin.id, 'request'],
    ],
  );
});

test('APA-011 lists are filtered, sorted and paged by the server', async () => {
  await using small = await testServer();
  const boss = await small.signIn('superadmin', 'zoe@example.org');
  for (const [role, name] of [
    ['user', 'Çinar'],
    ['operator', 'anar'],
    ['user', 'Bəxtiyar'],
  ] as const) {
    await small.server.accounts.createUser({
      email: `${role}-${name.length}@example.org`,
      password: testPassword,
      firstName: name,
      lastName: 'A',
      role,
    });
    small.clock.advance(1000);
  }
  const names = async (query: string): Promise<string[]> => {
    const reply = await boss.get(`${users}?${query}`);
    return reply.json<{ results: ListedUser[] }>().results.map(({ first_name }) => first_name);
  };
  assert.deepEqual(await names('role=user&ordering=created'), ['Çinar', 'Bəxtiyar']);
  assert.deepEqual(await names('role=user&ordering=-created'), ['Bəxtiyar', 'Çinar']);
  assert.deepEqual((await names('ordering=name')).slice(0, 2), ['anar', 'Bəxtiyar']);
  assert.deepEqual(await names('ordering=-role&page_size=1'), ['Test']);
  assert.deepEqual(await names('ordering=last_login&page_size=1'), ['Test']);
  assert.deepEqual(await names('ordering=-last_login&page_size=1'), ['Test']);
  assert.deepEqual(await names('search=anar%20a'), ['anar']);
  assert.deepEqual(await names('is_active=false'), []);
  await sql`insert into user_totp (user_id, secret, created_at, confirmed_at)
    select id, '', now(), case when first_name = 'anar' then now() end from app_user
    where first_name in ('anar', 'Test')`.execute(small.database.db.write());
  assert.deepEqual(await names('two_factor=true'), ['anar']);
  assert.equal((await names('two_factor=false')).length, 3);
  assert.equal((await boss.get(`${users}?ordering=password_hash`)).status, 400);
});
