/** The activity log as its callers see it, over the whole server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ActivityEntry } from '@nazar/contract/activity.ts';
import { activityKinds } from '@nazar/contract/activity.ts';
import { languages } from '@nazar/contract/accounts.ts';
import { sql } from 'kysely';
import { createScope, noGrants } from '#http/scope.ts';
import { activitySentence } from '#http/sentences.ts';
import { recorded } from '#testing/activity-chain.ts';
import { call, testPassword, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { aCameraForm } from '#testing/world.ts';
import { actions, Activity } from '../activity.ts';
import { ActivityLog } from './activity-log.ts';

const path = '/secure-api/activity-log/activity-logs/';
const stats = '/secure-api/activity-log/stats/';

let world: TestServer;
let admin: SignedIn;
let user: SignedIn;
let other: SignedIn;

interface Page {
  readonly count: number;
  readonly results: ActivityEntry[];
}

before(async () => {
  world = await testServer();
  admin = await world.signIn('admin');
  user = await world.signIn('user');
  other = await world.signIn('operator');
});
after(() => world[Symbol.asyncDispose]());

async function list(actor: SignedIn, query = ''): Promise<Page> {
  const reply = await actor.get(`${path}${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<Page>();
}
/** A minute later each, so that there is an order. */
async function tell(actor: SignedIn, entry: object): Promise<ActivityEntry> {
  world.clock.advance(60_000);
  const reply = await actor.send('POST', path, entry);
  assert.equal(reply.status, 201, reply.text);
  return reply.json<ActivityEntry>();
}
const events = ({ results }: Page): string[] => results.map(({ event }) => event);

test('H-6 APL-003 APL-004 APL-005 ~ROL-016 ~ROL-017 everyone reads what they did; administrators read all, or of one user', async () => {
  for (const query of ['', `?user=${admin.id}`, '?limit=1000']) {
    const mine = await list(user, query);
    assert.deepEqual([...new Set(mine.results.map((entry) => entry.user))], [user.id], query);
  }
  const all = await list(admin, '?limit=1000&_t=1');
  const users = new Set(all.results.map((entry) => entry.user));
  for (const { id } of [admin, user, other]) assert.ok(users.has(id));
  const ofUser = await list(admin, `?user=${user.id}`);
  assert.deepEqual(
    ofUser.results.map((entry) => entry.user_email),
    ['user@example.org'],
  );
  assert.equal(ofUser.results[0]!.user_name, 'Test user');
  assert.equal(ofUser.results[0]!.content_type_name, 'user');
  const someones = ofUser.results[0]!.id;
  assert.equal((await other.get(`${path}${someones}/`)).status, 404);
  assert.equal(
    (await user.get(`${path}${someones}/`)).json<ActivityEntry>().event,
    'account.login',
  );
});

test('APL-026 APL-027 APL-028 twenty of the newest with their count, and the list without slash and by POST say the same', async () => {
  const all = await list(admin, '?page=1&_t=1700000000000');
  const times = all.results.map((entry) => entry.timestamp);
  assert.deepEqual(times, times.toSorted().toReversed());
  assert.equal(all.results.length, Math.min(20, all.count));
  const one = await list(admin, '?limit=2&sort_by=ip');
  const two = (await admin.get(`${path.slice(0, -1)}?limit=2&sort_by=ip`)).json<Page>();
  const three = await admin.send('POST', `${path}filter/`, { limit: 2, sort_by: 'ip' });
  assert.deepEqual(two, one);
  assert.deepEqual(three.json<Page>(), one);
});

test('C-807 H-11 an entry of a client has the server’s user, address and time, and is marked', async () => {
  const entry = await tell(user, {
    action: 'login',
    description: 'Opened the log',
    user: admin.id,
    source: 'console',
    is_mock: true,
    timestamp: '1999-01-01T00:00:00Z',
    ip_address: '203.0.113.9',
    network: { type: 'wifi' },
    additional_data: { is_mock: false, claimed_ip: 'x', page: '/logs' },
  });
  assert.deepEqual(
    [entry.user, entry.source, entry.event, entry.action, entry.ip_address, entry.is_mock],
    [user.id, 'client', 'client.login', 'login', '127.0.0.1', false],
  );
  assert.equal(entry.timestamp, new Date(world.clock.now()).toISOString());
  assert.equal(entry.description, 'Opened the log');
  assert.deepEqual(entry.network, { type: 'wifi' });
  assert.deepEqual(entry.additional_data, {
    is_mock: false,
    page: '/logs',
    claimed_at: '1999-01-01T00:00:00Z',
    claimed_ip: '203.0.113.9',
  });
});

test('ENT-036 an entry has the fields of the documents, in the list as on its own', async () => {
  const reported = await tell(user, {
    action: 'test',
    description: 'Looked at it',
    content_type: 'camera',
    object_id: admin.id,
    network: { type: 'wifi' },
    additional_data: { page: '/logs' },
  });
  const [listed] = (await list(user, '?limit=1')).results;
  const { id, timestamp, ...rest } = listed!;
  assert.equal(id, reported.id);
  assert.equal(timestamp, new Date(world.clock.now()).toISOString());
  assert.partialDeepStrictEqual(rest, {
    action: 'test',
    description: 'Looked at it',
    user: user.id,
    user_name: 'Test user',
    user_email: 'user@example.org',
    ip_address: '127.0.0.1',
    content_type_name: 'camera',
    object_id: admin.id,
    additional_data: { page: '/logs' },
    network: { type: 'wifi' },
  });
  assert.deepEqual((await user.get(`${path}${id}/`)).json(), listed);
});

test('CFL-001 the server grants by the full definition: role admin, staff or superuser, and flags follow roles', async () => {
  await using fresh = await testServer();
  const boss = await fresh.signIn('superadmin');
  const chief = await fresh.signIn('admin', 'chief@example.org');
  const colleague = await fresh.signIn('user');
  const flags = async (actor: SignedIn): Promise<unknown> => {
    const me = (await actor.get('/secure-api/activity-log/auth/me/')).json();
    return [me['role'], me['is_staff'], me['is_superuser']];
  };
  const seesAll = async (actor: SignedIn): Promise<boolean> => {
    const { results } = (await actor.get(`${path}?limit=1000`)).json<Page>();
    return results.some((entry) => entry.user === boss.id);
  };
  assert.deepEqual(await flags(boss), ['superadmin', true, true]);
  assert.deepEqual(await flags(chief), ['admin', true, false]);
  assert.deepEqual(await Promise.all([boss, chief, colleague].map(seesAll)), [true, true, false]);
  const address = `/secure-api/accounts/users/${colleague.id}/`;
  assert.equal((await boss.send('PATCH', address, { is_staff: true })).status, 200);
  assert.deepEqual(await flags(colleague), ['user', true, false]);
  assert.equal(await seesAll(colleague), true);
  for (const wrong of [
    sql`update app_user set is_superuser = true where id = ${colleague.id}`,
    sql`update app_user set role = 'superadmin' where id = ${colleague.id}`,
    sql`update app_user set is_staff = false where id = ${chief.id}`,
  ])
    await assert.rejects(wrong.execute(fresh.database.db.write()), /check constraint/);
});

test('C-1003 a client’s words stand beside the chain, which holds a salted digest of them', async () => {
  await tell(user, { action: 'view', description: 'Canary Example at the gate' });
  const { db } = world.database;
  const text = JSON.stringify(await recorded(db));
  assert.ok(!text.includes('Canary'));
  assert.match(text, /"note":"[\da-f]{64}"/);
});

test('~LOG-048 APL-033 NSH-031 C-807 entries kept offline come in once, however often they are sent', async () => {
  const logs = ['a-1', 'a-2', 'a-2'].map((id) => ({ id, action: 'view', content_type: 'camera' }));
  const before = (await list(user, '?limit=1')).count;
  const first = await user.send('POST', `${path}sync/`, { logs });
  assert.deepEqual(first.json(), { accepted: ['a-1', 'a-2'], added: 2 });
  const both = await Promise.all([1, 2].map(() => user.send('POST', `${path}sync/`, { logs })));
  for (const again of both) assert.deepEqual(again.json(), { accepted: ['a-1', 'a-2'], added: 0 });
  assert.equal((await list(user, '?limit=1')).count, before + 2);
  const others = await other.send('POST', `${path}sync/`, { logs });
  assert.equal(others.json()['added'], 2, 'ids are each user’s own');
  const single = await user.send('POST', path, logs[0]);
  assert.equal(single.status, 201);
  assert.equal((await list(user, '?limit=1')).count, before + 2);
});

test('C-714 one account adds no more than 2,000 entries of its own an hour', async () => {
  const flooder = await world.signIn('user', 'flood@example.org');
  const batch = (round: number) =>
    Array.from({ length: 200 }, (_, index) => ({ id: `${round}-${index}`, action: 'test' }));
  for (let round = 0; round < 10; round += 1) {
    const reply = await flooder.send('POST', `${path}sync/`, { logs: batch(round) });
    assert.equal(reply.status, 200, reply.text);
  }
  const refused = await flooder.send('POST', path, { action: 'test' });
  assert.equal(refused.status, 429);
  assert.equal((await user.send('POST', path, { action: 'test' })).status, 201);
  world.clock.advance(60 * 60_000 + 1);
  assert.equal(
    (await (await signedInAgain(flooder)).send('POST', path, { action: 'test' })).status,
    201,
  );
});

/** Sessions end when they are not used. */
async function signedInAgain(actor: SignedIn): Promise<SignedIn> {
  const reply = await call(world.app, 'POST', '/secure-api/accounts/login/', {
    body: { email: actor.email, password: testPassword },
  });
  const { access } = reply.json<{ access: string }>();
  return {
    ...actor,
    access,
    get: (url) => call(world.app, 'GET', url, { access }),
    send: (method, url, body) =>
      call(world.app, method, url, { access, ...(body ? { body } : {}) }),
  };
}

test('~LOG-004 ~LOG-013 each filter narrows, dates include their day, and sorting sorts', async () => {
  await using fresh = await testServer();
  const boss = await fresh.signIn('superadmin');
  const add = async (entry: object): Promise<void> => {
    fresh.clock.advance(60_000);
    assert.equal((await boss.send('POST', path, entry)).status, 201);
  };
  const cameraId = '0190f7c1-0000-7000-8000-000000000000';
  await add({
    action: 'view',
    content_type: 'camera',
    object_id: cameraId,
    description: '100%_sure',
  });
  await add({ action: 'search', content_type: 'face', description: '100 of them sure' });
  await add({ action: 'export' });
  const found = async (query: string): Promise<string[]> => {
    const reply = await boss.get(`${path}?${query}`);
    assert.equal(reply.status, 200, reply.text);
    return events(reply.json<Page>());
  };
  assert.deepEqual(await found('action=search'), ['client.search']);
  assert.deepEqual(await found('content_type=camera'), ['client.view']);
  assert.deepEqual(await found('content_type=system&action=export'), ['client.export']);
  assert.deepEqual(await found(`object_id=${cameraId}`), ['client.view']);
  assert.deepEqual(await found('ip_address=192.0.2.1'), []);
  assert.deepEqual(await found('not_ip_address=127.0.0.1&not_action=create'), []);
  assert.deepEqual(await found('content_type=camera&not_user=' + cameraId), ['client.view']);
  assert.deepEqual(await found(`not_user=${boss.id}&not_action=login`), ['account.created']);
  assert.deepEqual(await found('not_content_type=user&not_action=export'), [
    'client.search',
    'client.view',
  ]);
  assert.deepEqual(await found(`search=${encodeURIComponent('100%_s')}`), ['client.view']);
  assert.deepEqual(await found('search=signed+in&action=login'), ['account.login']);
  const day = new Date(fresh.clock.now()).toISOString().slice(0, 10);
  assert.equal((await found(`start_date=${day}&end_date=${day}`)).length, 5);
  assert.deepEqual(await found(`start_date=${day}T23:00:00Z`), []);
  assert.deepEqual(await found('sort_by=action&sort_direction=asc&limit=2'), [
    'account.created',
    'account.login',
  ]);
  assert.deepEqual(await found('limit=1&page=3'), ['client.view']);
  const refused = await boss.get(`${path}?action=nonsense&sort_by=password_hash`);
  assert.deepEqual(Object.keys(refused.json()).sort(), ['action', 'sort_by']);
});

test('~LOG-003 a search finds what a person reads of an entry, not how it is stored', async () => {
  await using fresh = await testServer();
  const boss = await fresh.signIn('superadmin');
  const clerk = await fresh.signIn('user', 'clerk@example.org');
  const add = async (entry: object): Promise<void> => {
    const reply = await clerk.send('POST', path, { action: 'view', ...entry });
    assert.equal(reply.status, 201, reply.text);
  };
  await add({
    description: 'He said "hello" at İSTANBUL',
    additional_data: { door: 'Вход 7\u0000' },
  });
  await add({ description: '50%_off\\', network: { type: 'fibre' }, ip_address: '203.0.113.9' });
  const found = async (words: string, actor = boss): Promise<number> => {
    const reply = await actor.get(`${path}?search=${encodeURIComponent(words)}&action=view`);
    assert.equal(reply.status, 200, reply.text);
    return reply.json<Page>().count;
  };
  const expected: Record<string, number> = {
    // Names of fields and marks of JSON are not text of a user.
    description: 0,
    additional_data: 0,
    '":"': 0,
    '"hello"': 1,
    hello: 1,
    istanbul: 1,
    'вход 7': 1,
    fibre: 1,
    '203.0.113': 1,
    '50%_off\\': 1,
    '%': 1,
    _: 1,
    // Who, from where and what: of both.
    'clerk@': 2,
    '127.0.0.': 2,
    'client.view': 2,
    system: 2,
  };
  for (const [words, count] of Object.entries(expected)) {
    assert.equal(await found(words), count, words);
    assert.equal(await found(words, clerk), count, words);
  }
  const other = await fresh.signIn('user', 'other@example.org');
  assert.equal(await found('hello', other), 0);
});

test('LOG-014 a page beyond the last is refused in the reader’s language, and an empty list has one page', async () => {
  admin = await signedInAgain(admin);
  const search = '?search=no-such-words';
  assert.deepEqual(await list(admin, search), { count: 0, more: false, results: [] });
  for (const [language, sentence] of [
    ['en', /^There are fewer pages\./],
    ['az', /^Bu qədər səhifə yoxdur\./],
    ['ru', /^Страниц меньше\./],
    ['tr', /^Bu kadar sayfa yok\./],
  ] as const) {
    const late = await call(world.app, 'GET', `${path}${search}&page=999999`, {
      access: admin.access,
      headers: { 'accept-language': language },
    });
    assert.equal(late.status, 400);
    assert.match(late.json<{ page: string[] }>().page[0]!, sentence);
  }
});

test('H-11 C-804 an entry that is taken out is gone from the log, and the chain keeps it and says who did it', async () => {
  const { db } = world.database;
  user = await signedInAgain(user);
  other = await signedInAgain(other);
  admin = await signedInAgain(admin);
  const mine = await tell(user, { action: 'view' });
  const before = await recorded(db);
  for (const actor of [other]) {
    assert.equal((await actor.send('DELETE', `${path}${mine.id}/`)).status, 404);
    const none = await actor.send('POST', `${path}bulk-delete/`, { ids: [mine.id] });
    assert.deepEqual(none.json(), { deleted: 0 });
    assert.equal((await actor.send('DELETE', `${path}delete-by-user/${user.id}/`)).status, 404);
  }
  assert.equal((await recorded(db)).length, before.length, 'what was refused says nothing');
  assert.equal((await user.send('DELETE', `${path}${mine.id}/`)).status, 204);
  assert.equal((await user.get(`${path}${mine.id}/`)).status, 404);
  assert.equal((await user.send('DELETE', `${path}${mine.id}/`)).status, 404);
  const all = await recorded(db);
  assert.equal(all.length, before.length + 1);
  assert.deepEqual(
    [all.at(-1)!.action, all.at(-1)!.details],
    ['activity.deleted', { entries: 1, of: user.id }],
  );
});

test('LOG-040 LOG-041 NSH-031 delete-all takes one’s own; of administrators everything, in one entry', async () => {
  const { db } = world.database;
  const ofOther = (await list(other, '?limit=1000')).count;
  await user.send('DELETE', `${path}delete-all/`);
  assert.deepEqual(events(await list(user)), ['activity.deleted']);
  assert.equal((await list(other, '?limit=1000')).count, ofOther);
  const gone = await admin.send('DELETE', `${path}delete-by-user/${other.id}/`);
  assert.deepEqual(gone.json(), { deleted: ofOther });
  const count = (await recorded(db)).length;
  await admin.send('DELETE', `${path}delete-all/`);
  assert.deepEqual(events(await list(admin)), ['activity.deleted']);
  assert.equal((await recorded(db)).length, count + 1);
});

test('~LOG-041 too many entries for one transaction go batch by batch, and each batch records itself', async () => {
  const { db } = world.database;
  const { clock } = world;
  const options = { db, activity: new Activity({ db, clock }), clock, development: false };
  const log = new ActivityLog({ ...options, removedAtOnce: 3 });
  const scope = createScope(
    { userId: user.id, email: user.email, sessionId: '', standing: 'user' },
    noGrants,
  );
  const kept = (await list(other, '?limit=1000')).count;
  for (let number = 0; number < 6; number += 1) await tell(user, { action: 'view' });
  const { count } = await list(user, '?limit=1000');
  world.clock.advance(60_000);
  assert.equal(await log.removeAll(scope), count);
  const reported = (await list(user, '?limit=1000')).results;
  assert.deepEqual(
    reported.map(({ event }) => event),
    Array.from({ length: Math.ceil(count / 3) }, () => 'activity.deleted'),
  );
  const sizes = reported.map(({ additional_data: { entries } }) => Number(entries));
  assert.deepEqual([Math.max(...sizes), sizes.reduce((sum, size) => sum + size, 0)], [3, count]);
  assert.equal((await list(other, '?limit=1000')).count, kept);
});

test('~LOG-032 ~LOG-033 APL-034 NSH-031 C-807 mock entries are for administrators or development, marked, and not counted', async () => {
  assert.equal((await user.send('POST', `${path}create-mock/`, { count: 3 })).status, 403);
  const counted = async (query = '') =>
    (await admin.get(`${stats}log-count-by-action/${query}`)).json();
  const before = await counted();
  world.clock.advance(1_000);
  const made = await admin.send('POST', `${path}create-mock/`, { count: -4 });
  assert.deepEqual(made.json(), { created: 1 });
  assert.equal((await admin.send('POST', `${path}create-mock/`, { count: 1001 })).status, 400);
  const [mock] = (await list(admin, '?limit=1')).results;
  assert.deepEqual(
    [mock!.is_mock, mock!.additional_data['is_mock'], mock!.source],
    [true, true, 'client'],
  );
  assert.deepEqual(await counted(), before);
  assert.notDeepEqual(await counted('?include_mock=true'), before);
  await using development = await testServer({ development: true });
  await development.signIn('superadmin');
  const colleague = await development.signIn('user');
  assert.deepEqual((await colleague.send('POST', `${path}create-mock/`, {})).json(), {
    created: 50,
  });
});

test('APL-029, APL-030, ~APL-031, ~LDO-013, CFL-032 statistics count what the caller may read, by log and by action', async () => {
  await using fresh = await testServer();
  const boss = await fresh.signIn('admin');
  const colleague = await fresh.signIn('user');
  await call(fresh.app, 'POST', '/secure-api/accounts/login/', {
    body: { email: boss.email, password: 'wrong' },
  });
  const of = async (actor: SignedIn, what: string, query = '') =>
    (await actor.get(`${stats}log-count-by-${what}/${query}`)).json<unknown>();
  const kinds = (activity: number, system = 0) => [
    { name: 'activity', value: activity },
    { name: 'system', value: system },
    { name: 'face_recognition', value: 0 },
  ];
  assert.deepEqual(await of(boss, 'type'), kinds(5));
  assert.deepEqual(await of(boss, 'action'), {
    results: [
      { name: 'login', value: 3 },
      { name: 'create', value: 2 },
    ],
  });
  const own = kinds(1);
  assert.deepEqual(await of(colleague, 'type', `?user=${boss.id}`), own);
  assert.deepEqual(await of(boss, 'type', `?user=${colleague.id}&content_type=user`), own);
  for (const [what, all, none, mine] of [
    ['type', kinds(5), kinds(0), own],
    [
      'action',
      await of(boss, 'action'),
      { results: [] },
      { results: [{ name: 'login', value: 1 }] },
    ],
  ] as const) {
    assert.deepEqual(await of(boss, what, '?end_date=2020-01-01'), none, what);
    assert.deepEqual(await of(boss, what, '?start_date=2100-01-01'), none, what);
    assert.deepEqual(await of(boss, what, '?content_type=camera'), none, what);
    assert.deepEqual(await of(boss, what, '?search=no-such-text'), none, what);
    assert.deepEqual(await of(boss, what, `?user=${colleague.id}`), mine, what);
    assert.deepEqual(await of(boss, what, '?content_type=user&_t=1'), all, what);
  }
  const error = { kind: 'render', message: 'x' };
  await colleague.send('POST', '/secure-api/system/browser-errors/', error);
  await fresh.server.systemLog.flush();
  assert.deepEqual(await of(boss, 'type'), kinds(5, 1));
  assert.deepEqual(await of(colleague, 'type'), kinds(1, 1));
  const [, system] = (await of(boss, 'type', `?user=${boss.id}`)) as unknown[];
  assert.deepEqual(system, kinds(0)[1]);
});

test('ROL-017 a user who asks for the entries of another reads, exports and deletes their own alone', async () => {
  await using fresh = await testServer();
  const boss = await fresh.signIn('admin');
  const one = await fresh.signIn('user');
  const reported = async (who: SignedIn): Promise<string> =>
    (
      await who.send('POST', path, { action: 'test', description: 'reported' })
    ).json<ActivityEntry>().id;
  const [theirs, first, second] = [await reported(boss), await reported(one), await reported(one)];
  const idsOf = async (who: SignedIn, query: string): Promise<string[]> =>
    (await list(who, query)).results.map(({ id }) => id).toSorted();
  const asked = `?search=reported&user=${boss.id}`;
  assert.deepEqual(await idsOf(one, asked), [first, second].toSorted());
  const exported = (await one.get(`${path}export/${asked}`)).text;
  assert.deepEqual(
    [theirs, first, second].map((id) => exported.includes(id)),
    [false, true, true],
  );
  const some = await one.send('POST', `${path}bulk-delete/`, { ids: [theirs, first] });
  assert.deepEqual(some.json(), { deleted: 1 });
  assert.equal((await one.send('DELETE', `${path}${theirs}/`)).status, 404);
  assert.notEqual((await one.send('DELETE', `${path}delete-by-user/${boss.id}/`)).status, 200);
  assert.deepEqual(await idsOf(boss, '?search=reported'), [theirs, second].toSorted());
  await one.send('DELETE', `${path}delete-all/`);
  assert.deepEqual(await idsOf(boss, '?search=reported'), [theirs]);
});

test('~LOG-044 LOG-042 APL-032 C-709 C-806 an export is CSV of what one may read, safe in a spreadsheet, and recorded', async () => {
  await using fresh = await testServer();
  const boss = await fresh.signIn('admin');
  const colleague = await fresh.signIn('user');
  await boss.send('POST', path, { action: 'test', description: 'another hyperlink' });
  await colleague.send('POST', path, { action: 'test', description: '=HYPERLINK("http://x","a")' });
  const reply = await colleague.get(`${path}export/?search=hyper&user=${boss.id}`);
  assert.equal(reply.status, 200);
  assert.match(String(reply.headers['content-type']), /^text\/csv/);
  assert.match(
    String(reply.headers['content-disposition']),
    /filename="activity_logs_2026-01-15\.csv"/,
  );
  assert.ok(reply.text.startsWith('\uFEFFid,timestamp,'));
  const [, line = '', rest] = reply.text.split('\r\n');
  assert.ok(line.includes(`"'=HYPERLINK(""http://x"",""a"")"`), line);
  assert.equal(rest, '');
  const last = (await recorded(fresh.database.db)).find(
    ({ action }) => action === 'activity.exported',
  )!;
  assert.deepEqual([last.user_id, last.details], [colleague.id, { filters: ['search', 'user'] }]);
});

test('C-716 an export of many pages is whole, in order, and without what came in meanwhile', async () => {
  await using fresh = await testServer();
  const boss = await fresh.signIn('admin');
  for (let round = 0; round < 2; round += 1)
    await boss.send('POST', `${path}create-mock/`, { count: 1000 });
  const reply = await boss.get(`${path}export/?action=view`);
  const lines = reply.text.trim().split('\r\n').slice(1);
  const views = await boss.get(`${path}?action=view&limit=1000`);
  assert.equal(lines.length, views.json<Page>().count);
  const everything = (await boss.get(`${path}export/`)).text.trim().split('\r\n').slice(1);
  const ids = everything.map((line) => line.slice(0, 36));
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.length >= 2_002);
});

test('C-716 an export reads a page when the one before was taken, and holds no more than one', async () => {
  await using fresh = await testServer();
  const boss = await fresh.signIn('admin');
  for (let round = 0; round < 2; round += 1)
    await boss.send('POST', `${path}create-mock/`, { count: 1000 });
  const scope = createScope(
    { userId: boss.id, email: boss.email, sessionId: '', standing: 'admin' },
    noGrants,
  );
  const { activityLog } = fresh.server;
  const reading = (await activityLog.export(scope, {}, 'en')).rows[Symbol.asyncIterator]();
  await reading.next(); // the names of the columns
  const page = await reading.next();
  assert.equal(String(page.value).trim().split('\r\n').length, 1_000);
  assert.ok((await activityLog.removeAll(scope)) > 2_000);
  assert.deepEqual(await reading.next(), { done: true, value: undefined });
});

test('~LOG-005 every deed has a kind of the documents and a sentence in each language', () => {
  for (const action of actions) {
    for (const language of languages) {
      assert.notEqual(activitySentence(language, action), action, `${language} ${action}`);
    }
  }
  assert.equal(activityKinds.length, 10);
});

test('APL-001 ~CFL-016 LOG-049 ~NSH-046 H-12 the log screens’ own addresses: me, and the caller’s address', async () => {
  const me = await user.get('/secure-api/activity-log/auth/me/');
  assert.deepEqual(me.json(), (await user.get('/secure-api/accounts/users/me/')).json());
  const ip = await user.get('/secure-api/system/client_ip/');
  assert.deepEqual(ip.json(), { ip: '127.0.0.1' });
});

test('APL-002, ENT-028 the log screens’ cameras are those that one may see, by name, and no others', async () => {
  const path = '/secure-api/activity-log/cameras/';
  const added = async (name: string): Promise<{ id: string; name: string }> => {
    const reply = await admin.send('POST', '/secure-api/cameras/', aCameraForm({ name }));
    assert.equal(reply.status, 201, reply.text);
    const { id } = reply.json<{ id: string }>();
    return { id, name };
  };
  const yard = await added('Yard');
  const gate = await added('Gate');
  const named = async (actor: SignedIn): Promise<unknown> => (await actor.get(path)).json();
  assert.deepEqual(await named(admin), { results: [gate, yard] });
  assert.deepEqual(await named(user), { results: [] });
  const grant = {
    of: { type: 'camera', id: yard.id },
    to: { type: 'user', id: user.id },
    capabilities: ['live'],
  };
  const granted = await admin.send('PUT', '/secure-api/cameras/grants/', grant);
  assert.equal(granted.status, 200, granted.text);
  assert.deepEqual(await named(user), { results: [yard] });
});

test('LOG-007 ~LOG-022 ENT-040 saved searches are each account’s own, by name, 100 at most', async () => {
  await using fresh = await testServer();
  const saved = '/secure-api/activity-log/saved-searches/';
  const boss = await fresh.signIn('superadmin');
  const clerk = await fresh.signIn('user', 'clerk@example.org');
  const names = async (actor: SignedIn): Promise<string[]> =>
    (await actor.get(saved))
      .json<{ results: { name: string }[] }>()
      .results.map(({ name }) => name);
  const form = { name: 'Night', term: '"hello"', action: 'view', dateFrom: '2026-01-01' };
  const made = await clerk.send('POST', saved, form);
  assert.equal(made.status, 201, made.text);
  const { id, timestamp, ...rest } = made.json();
  assert.equal(timestamp, new Date(fresh.clock.now()).toISOString());
  const none = { dateTo: null, contentType: '', objectId: '', ipAddress: '' };
  assert.deepEqual(rest, { ...form, ...none });
  const again = await clerk.send('POST', saved, { name: 'Night', term: 'other' });
  assert.equal(again.json()['id'], id);
  assert.deepEqual(await names(clerk), ['Night']);
  assert.deepEqual(await names(boss), []);
  assert.equal((await boss.send('DELETE', `${saved}${String(id)}/`)).status, 404);
  assert.equal((await clerk.send('POST', saved, { name: ' ' })).status, 400);
  for (let number = 1; number < 100; number += 1) {
    await clerk.send('POST', saved, { name: `Search ${number}` });
  }
  assert.equal((await clerk.send('POST', saved, { name: 'One more' })).status, 409);
  assert.equal((await clerk.send('POST', saved, { name: 'Night', term: '' })).status, 201);
  assert.equal((await clerk.send('DELETE', `${saved}${String(id)}/`)).status, 204);
  assert.ok(!(await names(clerk)).includes('Night'));
});
