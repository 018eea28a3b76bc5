/** The administration of users, walked as a matrix: who makes and changes whom. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { roles, type Role } from '@nazar/contract/accounts.ts';
import type { ListedUser } from '@nazar/contract/users.ts';
import type { Database } from '#db/database.ts';
import {
  call,
  signInEach,
  testPassword,
  testServer,
  type SignedIn,
  type TestServer,
} from '#testing/server.ts';
import { until } from '#testing/until.ts';

let world: TestServer;
let actors: Record<Role, SignedIn>;
let made = 0;

before(async () => {
  world = await testServer();
  actors = await signInEach(world);
});
after(() => world[Symbol.asyncDispose]());

const users = '/secure-api/accounts/users/';
const someone = (role: Role): Promise<SignedIn> =>
  world.signIn(role, `somebody-${(made += 1)}@example.org`);
const form = (more: object = {}): object => ({
  email: `made-${(made += 1)}@example.org`,
  first_name: 'New',
  last_name: 'User',
  ...more,
});

test('APA-011, ROL-005 administrators list everyone, by page and search; others themselves', async () => {
  const all = (await actors.admin.get(users)).json<{ count: number; results: ListedUser[] }>();
  assert.deepEqual(all.results.map(({ role }) => role).sort(), [...roles].sort());
  const second = await actors.admin.get(`${users}?page=2&page_size=3`);
  assert.deepEqual([second.json()['count'], second.json<typeof all>().results.length], [4, 1]);
  const found = await actors.admin.get(`${users}?search=OPER`);
  assert.deepEqual(
    found.json<typeof all>().results.map(({ id }) => id),
    [actors.operator.id],
  );
  assert.equal((await actors.admin.get(`${users}?search=%25`)).json()['count'], 0);
  for (const actor of [actors.user, actors.operator]) {
    const own = (await actor.get(`${users}?search=`)).json<typeof all>();
    assert.deepEqual([own.count, own.results[0]?.id], [1, actor.id]);
  }
});

test('APA-016, C-308 administrators and the user read the name; for others the user does not exist', async () => {
  const own = await actors.user.get(`/secure-api/users/${actors.user.id}/`);
  assert.deepEqual(own.json(), {
    id: actors.user.id,
    full_name: 'Test user',
    username: actors.user.email,
    email: actors.user.email,
  });
  assert.equal((await actors.admin.get(`/secure-api/users/${actors.user.id}/`)).status, 200);
  const hidden = await actors.user.get(`/secure-api/users/${actors.admin.id}/`);
  assert.deepEqual([hidden.status, hidden.json()['code']], [404, 'user_not_found']);
});

test('~NSH-047, C-116 a superadmin creates any role, an admin users and operators', async () => {
  for (const role of roles) {
    const bySuperadmin = await actors.superadmin.send('POST', users, form({ role }));
    assert.equal(bySuperadmin.status, 201, role);
    const byAdmin = await actors.admin.send('POST', users, form({ role }));
    const expected = role === 'user' || role === 'operator' ? 201 : 403;
    assert.equal(byAdmin.status, expected, role);
  }
  const plain = (await actors.admin.send('POST', users, form())).json<ListedUser>();
  assert.deepEqual([plain.role, plain.is_staff, plain.is_active], ['user', false, true]);
  const double = await actors.admin.send('POST', users, form({ email: plain.email }));
  assert.deepEqual([double.status, Object.keys(double.json())], [400, ['email']]);
});

test('C-116 the matrix of changes: an admin turns users and operators into each other, no more', async () => {
  for (const target of roles) {
    for (const change of [...roles.map((role) => ({ role })), { is_staff: true }]) {
      const { id } = await someone(target);
      const reply = await actors.admin.send('PATCH', `${users}${id}/`, change);
      const isOrdinary = (role: string): boolean => role === 'user' || role === 'operator';
      const allowed = isOrdinary(target) && 'role' in change && isOrdinary(change.role);
      assert.equal(reply.status, allowed ? 200 : 403, `${target} ${JSON.stringify(change)}`);
    }
  }
});

test('~CFL-001, ~CFL-002 flags follow the role that a superadmin gives', async () => {
  const { id } = await someone('user');
  const change = async (body: object): Promise<unknown[]> => {
    const reply = await actors.superadmin.send('PATCH', `${users}${id}/`, body);
    const { role, is_staff, is_superuser } = reply.json<ListedUser>();
    return [role, is_staff, is_superuser];
  };
  assert.deepEqual(await change({ is_staff: true }), ['user', true, false]);
  assert.deepEqual(await change({ role: 'operator' }), ['operator', true, false]);
  assert.deepEqual(await change({ role: 'superadmin' }), ['superadmin', true, true]);
  assert.deepEqual(await change({ role: 'admin', is_staff: false }), ['admin', true, false]);
  assert.deepEqual(await change({ role: 'user' }), ['user', false, false]);
});

test('C-116 no user changes their own rights, and a staff account changes no user', async () => {
  for (const actor of [actors.admin, actors.superadmin]) {
    const reply = await actor.send('PATCH', `${users}${actor.id}/`, { role: 'superadmin' });
    assert.deepEqual([reply.status, reply.json()['code']], [403, 'own_role']);
  }
  const staff = await someone('user');
  await actors.superadmin.send('PATCH', `${users}${staff.id}/`, { is_staff: true });
  assert.equal((await staff.get(users)).json()['count'] === 1, false);
  const reply = await staff.send('PATCH', `${users}${actors.user.id}/`, { role: 'operator' });
  assert.equal(reply.status, 403);
  const byAdmin = await actors.admin.send('PATCH', `${users}${staff.id}/`, { is_active: false });
  assert.equal(byAdmin.status, 403, 'a staff account is no longer an ordinary one');
});

test('C-207 a role that was taken away is gone with the next request of the same session', async () => {
  const other = await someone('admin');
  const isAll = async (): Promise<boolean> => Number((await other.get(users)).json()['count']) > 1;
  assert.equal(await isAll(), true);
  await actors.superadmin.send('PATCH', `${users}${other.id}/`, { role: 'user' });
  assert.equal(await isAll(), false);
});

test('C-117 a disabled user is out at once: access, refresh and login; enabled again, a login works', async () => {
  const target = await someone('operator');
  const { id, email, access, refresh } = target;
  const ended: string[] = [];
  const reading = world.server.accounts.sessionEnded.on(({ sessionId }) => {
    ended.push(sessionId);
  });
  const reply = await actors.admin.send('PATCH', `${users}${id}/`, { is_active: false });
  assert.equal(reply.json()['is_active'], false);
  assert.equal(ended.length, 1);
  reading[Symbol.dispose]();
  assert.equal((await target.get('/secure-api/accounts/users/me/')).status, 401);
  const again = await call(world.app, 'POST', '/token/refresh/', { access, body: { refresh } });
  assert.equal(again.status, 401);
  const login = (): Promise<number> =>
    call(world.app, 'POST', '/secure-api/accounts/login/', {
      body: { email, password: testPassword },
    }).then(({ status }) => status);
  assert.equal(await login(), 401);
  await actors.admin.send('PATCH', `${users}${id}/`, { is_active: true });
  assert.equal(await login(), 200);
});

/** How many transactions wait for a lock of a row. */
async function waitingOn(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`.execute(db.read<unknown>());
  return rows[0]!.count;
}

test('C-116 rights that were taken away while a request waited are no rights: of three superadmins two demote each other', async () => {
  await using other = await testServer();
  const [one, two] = [
    await other.signIn('superadmin', 'one@example.org'),
    await other.signIn('superadmin', 'two@example.org'),
  ];
  const third = await other.signIn('superadmin', 'three@example.org');
  const db = other.database.db;
  const asked = (actor: SignedIn, method: 'PATCH' | 'DELETE', id: string): Promise<number> =>
    actor
      .send(method, `${users}${id}/`, method === 'PATCH' ? { role: 'user' } : undefined)
      .then(({ status }) => status);
  // Both requests are past their rights of before when the lock that they wait for is let go.
  const demoted = await db.transaction(async (tx) => {
    await sql`select from app_user where role = 'superadmin' order by id for update`.execute(
      tx.as<unknown>(),
    );
    const both = [asked(one, 'PATCH', two.id), asked(two, 'DELETE', one.id)];
    await until(async () => (await waitingOn(db)) === 2);
    return { both };
  });
  const statuses = await Promise.all(demoted.both);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [statuses.includes(204) ? 204 : 200, 403],
  );
  const { results } = (await third.get(users)).json<{ results: { role: string }[] }>();
  assert.equal(results.filter(({ role }) => role === 'superadmin').length, 2);
});

test('one of two superadmins who demote each other at once remains', async () => {
  await using other = await testServer();
  const [one, two] = [
    await other.signIn('superadmin', 'one@example.org'),
    await other.signIn('superadmin', 'two@example.org'),
  ];
  const demote = (actor: SignedIn, { id }: SignedIn): Promise<number> =>
    actor.send('PATCH', `${users}${id}/`, { role: 'user' }).then(({ status }) => status);
  const both = await Promise.all([demote(one, two), demote(two, one)]);
  const counted = await Promise.all([one, two].map((actor) => actor.get(users)));
  const left = counted.filter((reply) => Number(reply.json()['count']) === 2);
  assert.equal(left.length, 1, both.join(' '));
  assert.equal(both.filter((status) => status === 200).length, 1);
});
