/** Forgotten passwords over the whole server, with emails to a mail server on loopback. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { mailedServer, type MailedServer } from '#testing/accounts.ts';
import { emailsSent } from '#testing/outbox.ts';
import { recorded } from '#testing/activity-chain.ts';
import {
  call,
  testPassword,
  testServer,
  type Reply,
  type SignedIn,
  type TestServer,
} from '#testing/server.ts';
import type { MailServer } from '#testing/mail-server.ts';

const origin = 'https://nazar.example.org';
const fresh = 'another-horse-8-staple';
const hourMs = 60 * 60_000;

let mailed: MailedServer;
let box: MailServer;
let world: TestServer;
let person: SignedIn;
let people = 0;

before(async () => {
  mailed = await mailedServer(origin);
  ({ box, world } = mailed);
  await world.signIn('superadmin');
});
after(() => mailed[Symbol.asyncDispose]());
beforeEach(async () => {
  await emailsSent(world.database.db);
  person = await world.signIn('operator', `person-${(people += 1)}@example.org`);
});

async function ask(
  email: string,
  headers: Record<string, string> = {},
  server = world,
): Promise<Reply> {
  const path = '/secure-api/accounts/password-reset/';
  const reply = await call(server.app, 'POST', path, { body: { email }, headers });
  await server.server.accounts.recovery.settled();
  return reply;
}

interface Link {
  readonly uid: string;
  readonly token: string;
}

const linkIn = (text: string): Link => {
  const [, uid = '', token = ''] = /\/reset-password\/([^/]+)\/([\w-]+)/.exec(text) ?? [];
  return { uid, token };
};

/** Asks, and takes the link out of the email. */
async function linkFor(email: string): Promise<Link> {
  const count = box.delivered.length;
  await ask(email);
  return linkIn((await box.email(count, /reset-password/)).text);
}

const confirm = (link: Link, new_password = fresh, headers = {}): Promise<Reply> =>
  call(world.app, 'POST', '/secure-api/accounts/password-reset/confirm/', {
    body: { ...link, new_password },
    headers,
  });

const login = async (email: string, password: string): Promise<number> => {
  const path = '/secure-api/accounts/login/';
  return (await call(world.app, 'POST', path, { body: { email, password } })).status;
};

test('NSH-002 an email, its link, a new password: once, and every session ends', async () => {
  const ended: string[] = [];
  using reading = world.server.accounts.sessionEnded.on(({ sessionId }) => {
    ended.push(sessionId);
  });
  assert.ok(reading);
  const link = await linkFor(person.email.toUpperCase());
  assert.equal(link.uid, person.id);
  assert.match(link.token, /^nzl_[\w-]{43}$/);
  assert.equal((await person.get('/secure-api/accounts/users/me/')).status, 200);
  const confirmed = await confirm(link);
  // Whose it is, to sign in with by the checks of every sign-in; no session, and no other account.
  assert.deepEqual([confirmed.status, confirmed.json()], [200, { email: person.email }]);
  assert.equal(ended.length, 1);
  assert.equal((await person.get('/secure-api/accounts/users/me/')).status, 401);
  assert.equal(await login(person.email, testPassword), 401);
  assert.equal(await login(person.email, fresh), 200);
  const again = await confirm(link, 'a-third-horse-9-staple');
  assert.deepEqual([again.status, again.json()['code']], [403, 'link_invalid']);
  assert.equal(await login(person.email, fresh), 200);
});

test('NSH-002 one of two users who hold one link sets the password', async () => {
  const link = await linkFor(person.email);
  const statuses = await Promise.all([1, 2, 3].map((n) => confirm(link, `${fresh}-${n}`)));
  assert.deepEqual(
    statuses.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 403, 403],
  );
});

test('NSH-002 a link is worth an hour, and its account alone', async () => {
  const other = await world.signIn('user', `other-${people}@example.org`);
  const link = await linkFor(person.email);
  assert.equal((await confirm({ ...link, uid: other.id })).status, 403);
  for (const token of [person.access, person.refresh, `nzl_${'A'.repeat(43)}`, 'x']) {
    assert.equal((await confirm({ uid: person.id, token })).status, 403, token.slice(0, 4));
  }
  const another = await linkFor(other.email);
  world.clock.advance(hourMs - 1);
  assert.equal((await confirm(another)).status, 200, 'a moment before');
  world.clock.advance(1);
  assert.equal((await confirm(link)).status, 403);
  await world.server.accounts.deleteExpiredTokens();
  const { rows } = await sql`select 1 from account_link`.execute(world.database.db.read());
  assert.equal(rows.length, 0);
});

test('C-103, CFL-050 a password that is refused costs nothing: the link still works', async () => {
  const boss = await world.signIn('admin', `boss-${people}@example.org`);
  const link = await linkFor(boss.email);
  const short = await confirm(link, 'eleven-1234');
  assert.deepEqual(Object.keys(short.json()), ['new_password']);
  assert.equal(short.status, 400);
  assert.equal((await confirm(link)).status, 200);
});

test('C-108 a request reveals nothing: known, unknown and disabled accounts get one answer', async () => {
  const users = '/secure-api/accounts/users/';
  const superadmin = await world.signIn('superadmin', `root-${people}@example.org`);
  const disabled = await world.signIn('user', `disabled-${people}@example.org`);
  await superadmin.send('PATCH', `${users}${disabled.id}/`, { is_active: false });
  const count = box.delivered.length;
  const answers = await Promise.all(
    [person.email, 'nobody@example.org', disabled.email].map((email) => ask(email)),
  );
  for (const { status, text, headers } of answers) {
    assert.deepEqual([status, text], [200, answers[0]!.text]);
    assert.deepEqual(Object.keys(headers), Object.keys(answers[0]!.headers));
  }
  const email = await box.email(count);
  assert.deepEqual(email.to, [person.email]);
  assert.equal(box.delivered.length, count + 1);
});

test('C-108 the answer does not wait for what is looked up: the database may stand still', async () => {
  const path = '/secure-api/accounts/password-reset/';
  const count = box.delivered.length;
  await world.database.db.transaction(async (tx) => {
    await sql`lock table app_user in access exclusive mode`.execute(tx.as());
    for (const email of [person.email, 'nobody@example.org']) {
      assert.equal((await call(world.app, 'POST', path, { body: { email } })).status, 200);
    }
  });
  assert.deepEqual((await box.email(count)).to, [person.email]);
});

test('the link leads to the public address, whatever the request calls us', async () => {
  const count = box.delivered.length;
  const headers = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
    host: 'localhost:1',
  };
  await ask(person.email, headers);
  const { text, html, raw } = await box.email(count);
  assert.ok(text.includes(`${origin}/reset-password/${person.id}/nzl_`));
  assert.doesNotMatch(raw + text + html, /evil\.example|localhost/);
  const evil = await ask(person.email, { host: 'evil.example' });
  assert.equal(evil.status, 421);
});

test('C-105 one account gets three emails an hour, one network asks so often', async () => {
  const count = box.delivered.length;
  for (let time = 0; time < 5; time += 1) {
    assert.equal((await ask(person.email)).status, 200);
  }
  await box.email(count + 2);
  world.clock.advance(hourMs);
  await ask(person.email);
  await box.email(count + 3);
  assert.equal(box.delivered.length, count + 4);
  const stranger = { isBrowser: false, cookie: undefined, ip: '203.0.113.9', userAgent: '' };
  const { recovery } = world.server.accounts;
  for (let time = 0; time < 10; time += 1) await recovery.ask(`${time}@b.org`, stranger, 'en');
  const refused = recovery.ask('c@example.org', { ...stranger, ip: '203.0.113.77' }, 'en');
  await assert.rejects(refused, { code: 'too_many_requests' });
});

test('C-105 guessed links are throttled like passwords, without locking the login', async () => {
  const link = await linkFor(person.email);
  const wrong = { uid: link.uid, token: `nzl_${'B'.repeat(43)}` };
  const statuses: number[] = [];
  for (let time = 0; time < 6; time += 1) statuses.push((await confirm(wrong)).status);
  assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429]);
  assert.equal(await login(person.email, testPassword), 200);
  world.clock.advance(30_000);
  assert.equal((await confirm(link)).status, 200);
});

test('C-104 a new password lets in again a user whom others’ guesses locked out', async () => {
  for (let time = 0; time < 6; time += 1) await login(person.email, 'wrong');
  assert.equal(await login(person.email, testPassword), 429);
  const link = await linkFor(person.email);
  await confirm(link);
  assert.equal(await login(person.email, fresh), 200);
});

test('a link dies with whatever else changes the account’s password or address', async () => {
  const links = [await linkFor(person.email), await linkFor(person.email)];
  const changed = await person.send('POST', '/secure-api/accounts/change-password/', {
    old_password: testPassword,
    new_password: fresh,
  });
  assert.equal(changed.status, 204);
  for (const link of links) assert.equal((await confirm(link)).status, 403);
  const third = await linkFor(person.email);
  const moved = await person.send('PUT', '/secure-api/accounts/users/update_me/', {
    email: `moved-${people}@example.org`,
    password: fresh,
  });
  assert.equal(moved.status, 200);
  assert.equal((await confirm(third)).status, 403);
});

test('C-120, C-201 the activity log says what happened, and neither it nor the database holds the token', async () => {
  const link = await linkFor(person.email);
  await confirm(link);
  const rows = (await recorded(world.database.db)).filter(
    ({ object_id }) => object_id === person.id,
  );
  const deeds = rows.map(({ action }) => action);
  assert.deepEqual(deeds.slice(-2), ['account.reset_asked', 'account.password_reset']);
  assert.deepEqual(rows.at(-1)?.details, { by: 'reset' });
  const dump = await sql<{ row: string }>`
    select t::text as row from account_link t union all select t::text from mail_outbox t
    union all select t::text from audit_entry t union all select t::text from throttle t`.execute(
    world.database.db.read(),
  );
  const text = dump.rows.map(({ row }) => row).join('\n');
  assert.ok(text.length > 0 && !text.includes(link.token.slice(4)));
});

test('without mail a request changes nothing, and the page sends people to an administrator', async () => {
  await using plain = await testServer();
  await plain.signIn('superadmin');
  const state = await call(plain.app, 'GET', '/secure-api/setup/');
  assert.equal(state.json()['mail_available'], false);
  assert.equal((await ask('superadmin@example.org', {}, plain)).status, 200);
  const { rows } = await sql`select 1 from account_link`.execute(plain.database.db.read());
  assert.equal(rows.length, 0);
  assert.equal((await call(world.app, 'GET', '/secure-api/setup/')).json()['mail_available'], true);
});

test('an email is in the language the account chose, else in that of the caller', async () => {
  const count = box.delivered.length;
  await ask(person.email, { 'accept-language': 'tr' });
  assert.match((await box.email(count)).text, /yeni parola/);
  const path = '/secure-api/accounts/preferences/update_my_preferences/';
  await person.send('PATCH', path, { language: 'az' });
  await ask(person.email, { 'accept-language': 'tr' });
  assert.match((await box.email(count + 1)).text, /yeni parol istəyib/);
});

test('from the console: a link without mail, valid for a day', async () => {
  await using plain = await testServer();
  const boss = await plain.signIn('superadmin');
  const link = await plain.server.accounts.recovery.helpFromConsole(boss.email);
  assert.deepEqual([link.url, link.mailed], [null, false]);
  assert.equal(Date.parse(link.expires_at) - plain.clock.now(), 24 * hourMs);
  const reply = await call(plain.app, 'POST', '/secure-api/accounts/password-reset/confirm/', {
    body: { ...linkIn(link.path), new_password: fresh },
  });
  assert.equal(reply.status, 200);
  const rows = await recorded(plain.database.db);
  const made = rows.find(({ action }) => action === 'account.link_issued');
  assert.deepEqual([made?.source, made?.object_id], ['console', boss.id]);
});
