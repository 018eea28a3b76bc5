/** Registration, and what people do with their own account. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import type { OwnSession } from '@nazar/contract/own-account.ts';
import { recorded } from '#testing/activity-chain.ts';
import { call, testPassword, testServer, type Reply, type TestServer } from '#testing/server.ts';

let world: TestServer;
let made = 0;

before(async () => {
  world = await testServer();
  await world.signIn('superadmin');
});
after(() => world[Symbol.asyncDispose]());

const register = '/secure-api/accounts/register/';
const changePassword = '/secure-api/accounts/change-password/';
const updateMe = '/secure-api/accounts/users/update_me/';
const deleteAccount = '/secure-api/accounts/users/delete_account/';
const sessionsPath = '/secure-api/accounts/sessions/';
const me = '/secure-api/accounts/users/me/';
const newPassword = 'quite-another-9-staple';

const anEmail = (): string => `someone-${(made += 1)}@example.org`;
const form = (more: object = {}) => ({
  first_name: 'New',
  last_name: 'Person',
  email: anEmail(),
  password: testPassword,
  password2: testPassword,
  ...more,
});
const login = (email: string, password = testPassword, at = world): Promise<Reply> =>
  call(at.app, 'POST', '/secure-api/accounts/login/', { body: { email, password } });
const listed = async (actor: { get(url: string): Promise<Reply> }): Promise<OwnSession[]> =>
  (await actor.get(sessionsPath)).json<{ results: OwnSession[] }>().results;

test('APA-006, SES-044, NSH-001 a user who registers may sign in, as a user', async () => {
  const email = anEmail();
  const reply = await call(world.app, 'POST', register, { body: form({ email }) });
  assert.equal(reply.status, 201);
  const { id, ...rest } = reply.json();
  assert.match(String(id), /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, { email, first_name: 'New', last_name: 'Person', role: 'user' });
  assert.equal((await login(email)).status, 200);
  const again = await call(world.app, 'POST', register, { body: form({ email }) });
  assert.equal(again.status, 400);
  assert.ok(Array.isArray(again.json()['email']));
});

test('CFL-015, ~SES-034, ~SES-043 a registration is of five fields, and of no less', async () => {
  const five = form();
  assert.deepEqual(Object.keys(five).toSorted(), [
    'email',
    'first_name',
    'last_name',
    'password',
    'password2',
  ]);
  for (const field of Object.keys(five)) {
    const body = Object.fromEntries(Object.entries(five).filter(([name]) => name !== field));
    const reply = await call(world.app, 'POST', register, { body });
    assert.deepEqual([reply.status, Object.keys(reply.json()).includes(field)], [400, true], field);
  }
  assert.equal((await login(five.email)).status, 401, 'nobody was registered');
  assert.equal((await call(world.app, 'POST', register, { body: five })).status, 201);
});

test('SES-035, SES-036, ~CFL-050 invalid fields are reported by field', async () => {
  const refused = async (more: object): Promise<string[]> => {
    const reply = await call(world.app, 'POST', register, { body: form(more) });
    assert.equal(reply.status, 400);
    return Object.keys(reply.json());
  };
  assert.deepEqual(await refused({ password2: 'something-else' }), ['password2']);
  assert.deepEqual(await refused({ password: 'seven-7', password2: 'seven-7' }), ['password']);
  assert.deepEqual(await refused({ password: 'password1', password2: 'password1' }), ['password']);
  assert.deepEqual(await refused({ first_name: ' ' }), ['first_name']);
});

test('C-113 extra fields never change the row that is made', async () => {
  const elsewhere = ['is_active', 'is_staff', 'is_superuser', 'joinDate'];
  const extra = fc.record({
    role: fc.constantFrom('admin', 'superadmin', 'operator'),
    id: fc.uuid(),
    is_staff: fc.boolean(),
    is_superuser: fc.boolean(),
    is_active: fc.boolean(),
    joinDate: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  });
  await fc.assert(
    fc.asyncProperty(extra, async (more) => {
      const email = anEmail();
      const refused = await call(world.app, 'POST', register, { body: form({ ...more, email }) });
      assert.deepEqual([refused.status, Object.keys(refused.json()).toSorted()], [400, elsewhere]);
      assert.equal((await login(email)).status, 401);
      // What the answer of a registration carries may be sent, and is left out.
      const { role, id } = more;
      const reply = await call(world.app, 'POST', register, { body: form({ role, id, email }) });
      assert.equal(reply.status, 201);
      const user = (await login(email)).json<{ user: Record<string, unknown> }>().user;
      assert.notEqual(user['id'], id);
      assert.deepEqual(
        [user['role'], user['is_staff'], user['is_superuser']],
        ['user', false, false],
      );
    }),
    { numRuns: 8 },
  );
});

test('C-113 one network registers five times an hour, whatever came of it', async () => {
  const from = (remoteAddress: string) =>
    world.app.inject({
      method: 'POST',
      url: register,
      remoteAddress,
      headers: { host: 'localhost' },
      payload: form(),
    });
  const statuses: number[] = [];
  for (let host = 1; host <= 6; host += 1) {
    statuses.push((await from(`203.0.113.${host}`)).statusCode);
  }
  assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429]);
  assert.ok(Number((await from('203.0.113.9')).headers['retry-after']) > 3000);
  assert.equal((await from('198.51.100.1')).statusCode, 201);
  world.clock.advance(60 * 60_000);
  assert.equal((await from('203.0.113.9')).statusCode, 201);
});

test('C-113, C-108 with approval no one gets in before an administrator agrees', async () => {
  await using other = await testServer({ registration: 'approval' });
  const admin = await other.signIn('admin');
  const state = await call(other.app, 'GET', '/secure-api/setup/');
  assert.equal(state.json()['registration'], 'approval');
  const email = anEmail();
  const { id } = (await call(other.app, 'POST', register, { body: form({ email }) })).json();
  const waiting = await login(email, testPassword, other);
  assert.deepEqual([waiting.status, waiting.json()['code']], [401, 'invalid_credentials']);
  const path = `/secure-api/accounts/users/${String(id)}/`;
  assert.equal((await admin.send('PATCH', path, { is_active: true })).status, 200);
  assert.equal((await login(email, testPassword, other)).status, 200);
});

test('C-113, NSH-001 closed is closed, and the sign-in page knows', async () => {
  await using other = await testServer({ registration: 'closed' });
  await other.signIn('admin');
  const reply = await call(other.app, 'POST', register, { body: form() });
  assert.deepEqual([reply.status, reply.json()['code']], [403, 'registration_closed']);
  const state = await call(other.app, 'GET', '/secure-api/setup/');
  assert.equal(state.json()['registration'], 'closed');
});

const profile = {
  first_name: 'Aysel',
  last_name: 'Other',
  phone: '+994 12 000 00 00',
  department: 'Night shift',
  position: 'Guard',
  address: 'Hall 1',
  birthdate: '1990-02-28',
  bio: 'Two lines\nof text',
};

test('APA-009, C-114, CFL-007 a profile takes what it lists and nothing else', async () => {
  const actor = await world.signIn('user', anEmail());
  const rights = { role: 'superadmin', is_staff: true, is_superuser: true };
  const extra = { ...rights, id: actor.email, joinDate: '2000-01-01T00:00:00.000Z' };
  const before = (await actor.get(me)).json();
  const reply = await actor.send('PUT', updateMe, { ...profile, ...extra });
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json(), { ...before, ...profile });
  assert.deepEqual((await actor.get(me)).json(), { ...before, ...profile });
  const unknownField = await actor.send('PUT', updateMe, { ...profile, rank: 'general' });
  assert.deepEqual([unknownField.status, Object.keys(unknownField.json())], [400, ['rank']]);
  assert.equal((await actor.send('PUT', updateMe, { birthdate: '1990-02-30' })).status, 400);
  const partly = await actor.send('PUT', updateMe, { birthdate: null });
  assert.deepEqual(partly.json(), { ...before, ...profile, birthdate: null });
});

test('C-801 users’ changes of themselves are recorded by the names of the fields alone', async () => {
  const actor = await world.signIn('user', anEmail());
  const { db } = world.database;
  const about = async () => (await recorded(db)).filter(({ object_id }) => object_id === actor.id);
  const before = (await about()).length;
  const was = (await actor.get(me)).json();
  const change = { ...profile, first_name: 'Nigar', department: '' };
  await actor.send('PUT', updateMe, change);
  // The same again changes nothing.
  await actor.send('PUT', updateMe, change);
  const entries = (await about()).slice(before);
  const fields = Object.entries(change).filter(([name, value]) => was[name] !== value);
  assert.ok(fields.length > 2 && fields.length < Object.keys(change).length);
  assert.deepEqual(
    entries.map(({ action, details }) => [action, details]),
    [['account.profile_changed', { fields: fields.map(([name]) => name).toSorted() }]],
  );
});

test('C-114 another e-mail address takes fresh proof', async () => {
  const [actor, neighbour] = [
    await world.signIn('user', anEmail()),
    await world.signIn('user', anEmail()),
  ];
  const email = anEmail();
  const unproven = await actor.send('PUT', updateMe, { email });
  assert.deepEqual([unproven.status, unproven.json()['code']], [400, 'proof_required']);
  const wrong = await actor.send('PUT', updateMe, { email, password: 'not-the-password' });
  assert.deepEqual([wrong.status, Object.keys(wrong.json())], [400, ['password']]);
  assert.equal((await actor.send('PUT', updateMe, { email: actor.email })).status, 200);
  const taken = { email: neighbour.email, password: testPassword };
  assert.equal((await actor.send('PUT', updateMe, taken)).status, 400);
  const changed = await actor.send('PUT', updateMe, { email, password: testPassword });
  assert.equal(changed.json()['email'], email);
  assert.equal((await login(email)).status, 200);
  assert.equal((await login(actor.email)).status, 401);
});

test('APA-010, C-111 a new password ends all other sessions, with what hangs on them', async () => {
  const actor = await world.signIn('operator', anEmail());
  const other = (await login(actor.email)).json<{ access: string; refresh: string }>();
  const ended: string[] = [];
  using reading = world.server.accounts.sessionEnded.on(({ sessionId }) => ended.push(sessionId));
  void reading;
  const otherId = (await listed(actor)).find(({ is_current }) => !is_current)?.id;
  const body = { old_password: testPassword, new_password: newPassword };
  assert.equal((await actor.send('POST', changePassword, body)).status, 204);
  assert.deepEqual(ended, [otherId]);
  assert.equal((await actor.get(me)).status, 200);
  assert.equal((await call(world.app, 'GET', me, { access: other.access })).status, 401);
  const refresh = { body: { refresh: other.refresh } };
  assert.equal((await call(world.app, 'POST', '/token/refresh/', refresh)).status, 401);
  assert.equal((await login(actor.email)).status, 401);
  assert.equal((await login(actor.email, newPassword)).status, 200);
});

test('C-111, ~SEC-008, CFL-050 a wrong old password and a weak new one change nothing', async () => {
  const actor = await world.signIn('admin', anEmail());
  const change = async (old_password: string, new_password: string): Promise<unknown> => {
    const reply = await actor.send('POST', changePassword, { old_password, new_password });
    return [reply.status, ...Object.keys(reply.json())];
  };
  assert.deepEqual(await change('wrong', newPassword), [400, 'old_password']);
  assert.deepEqual(await change(testPassword, 'elevenchars'), [400, 'new_password']);
  assert.equal((await login(actor.email)).status, 200);
});

test('C-104, C-105 guesses at a password count together, wherever it is asked for', async () => {
  const actor = await world.signIn('user', anEmail());
  const wrong = 'not-the-password';
  await login(actor.email, wrong);
  await actor.send('PUT', updateMe, { email: anEmail(), password: wrong });
  await actor.send('DELETE', deleteAccount, { password: wrong });
  for (let guess = 0; guess < 2; guess += 1) {
    const body = { old_password: wrong, new_password: newPassword };
    assert.equal((await actor.send('POST', changePassword, body)).status, 400);
  }
  const proof = { password: testPassword };
  assert.equal((await login(actor.email)).status, 429);
  assert.equal((await actor.send('DELETE', deleteAccount, proof)).status, 429);
  const email = { email: anEmail(), ...proof };
  assert.equal((await actor.send('PUT', updateMe, email)).status, 429);
});

test('~APA-015, C-115, C-117 an account is deleted with its password; what it added stays', async () => {
  const actor = await world.signIn('admin', anEmail());
  const created = await actor.send('POST', '/secure-api/cameras/', {
    name: 'Gate',
    location: 'Yard',
    type: 'ip',
    status: 'inactive',
  });
  assert.equal(created.status, 201);
  const wrong = await actor.send('DELETE', deleteAccount, { password: 'wrong' });
  assert.equal(wrong.status, 400);
  const ended: string[] = [];
  using reading = world.server.accounts.sessionEnded.on(({ sessionId }) => ended.push(sessionId));
  void reading;
  assert.equal((await actor.send('DELETE', deleteAccount, { password: testPassword })).status, 204);
  assert.equal(ended.length, 1);
  assert.equal((await actor.get(me)).status, 401);
  assert.equal((await login(actor.email)).status, 401);
  const admin = await world.signIn('admin', anEmail());
  const camera = await admin.get(`/secure-api/cameras/${String(created.json()['id'])}/`);
  assert.deepEqual([camera.status, camera.json()['created_by']], [200, null]);
});

test('C-115, SES-030 the last superadmin stays, with a detail that says why', async () => {
  await using other = await testServer();
  const first = await other.signIn('superadmin', 'first@example.org');
  const proof = { password: testPassword };
  const refused = await first.send('DELETE', deleteAccount, proof);
  assert.equal(refused.status, 409);
  assert.match(String(refused.json()['detail']), /last active superadministrator/);
  assert.equal((await first.get(me)).status, 200);
  const second = await other.signIn('superadmin', 'second@example.org');
  const both = await Promise.all(
    [first, second].map((actor) => actor.send('DELETE', deleteAccount, proof)),
  );
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [204, 409],
  );
});

test('C-206 sessions of one’s own are listed and ended; others’ do not exist', async () => {
  const [actor, neighbour] = [
    await world.signIn('user', anEmail()),
    await world.signIn('user', anEmail()),
  ];
  const other = (await login(actor.email)).json<{ access: string }>();
  const both = await listed(actor);
  assert.deepEqual(
    both.map(({ is_current }) => Number(is_current)).toSorted((a, b) => a - b),
    [0, 1],
  );
  const ids = (sessions: OwnSession[]): string[] => sessions.map(({ id }) => id);
  const [theirs = ''] = ids(await listed(neighbour));
  assert.ok(!ids(both).includes(theirs));
  const foreign = await actor.send('DELETE', `${sessionsPath}${theirs}/`);
  assert.deepEqual([foreign.status, foreign.json()['code']], [404, 'session_not_found']);
  assert.equal((await neighbour.get(me)).status, 200);
  const otherId = both.find(({ is_current }) => !is_current)!.id;
  assert.equal((await actor.send('DELETE', `${sessionsPath}${otherId}/`)).status, 204);
  assert.equal((await call(world.app, 'GET', me, { access: other.access })).status, 401);
  assert.equal((await listed(actor)).length, 1);
  assert.equal((await actor.send('DELETE', `${sessionsPath}${otherId}/`)).status, 404);
});
