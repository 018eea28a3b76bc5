/** What users learn of their account: on the Security page always, by an email where there is mail. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { SecurityEvent } from '@nazar/contract/security-events.ts';
import { mailedServer, type MailedServer } from '#testing/accounts.ts';
import { emailsSent } from '#testing/outbox.ts';
import { call, testPassword, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import type { MailServer } from '#testing/mail-server.ts';

const users = '/secure-api/accounts/users/';
const fresh = 'another-horse-8-staple';
const hourMs = 60 * 60_000;
const origin = 'https://nazar.example.org';

let mailed: MailedServer;
let box: MailServer;
let world: TestServer;
let superadmin: SignedIn;
let person: SignedIn;
let people = 0;

before(async () => {
  mailed = await mailedServer(origin);
  ({ box, world } = mailed);
  superadmin = await world.signIn('superadmin');
});
after(() => mailed[Symbol.asyncDispose]());
beforeEach(async () => {
  await emailsSent(world.database.db);
  person = await world.signIn('operator', `person-${(people += 1)}@example.org`);
});

const eventsOf = async (actor: SignedIn): Promise<SecurityEvent[]> =>
  (await actor.get('/secure-api/accounts/security/events/')).json<{ results: SecurityEvent[] }>()
    .results;

const change = (actor: SignedIn): Promise<{ status: number }> =>
  actor.send('POST', '/secure-api/accounts/change-password/', {
    old_password: testPassword,
    new_password: fresh,
  });

const waiting = async (): Promise<number> => {
  const { rows } = await sql`select 1 from mail_outbox`.execute(world.database.db.read());
  return rows.length;
};

test('C-111 a changed password is reported to its owner, on the page and by an email that holds no secret', async () => {
  const count = box.delivered.length;
  assert.equal((await change(person)).status, 204);
  const email = await box.email(count);
  assert.deepEqual(email.to, [person.email]);
  assert.match(email.header('Subject'), /Your password was changed/);
  assert.ok(email.text.includes('Address: 127.0.0.1') && email.text.includes(`${origin}/security`));
  assert.ok(!email.raw.includes(fresh) && !email.raw.includes('nzl_'));
  const [event] = await eventsOf(person);
  assert.deepEqual(
    [event?.kind, event?.by, event?.ip],
    ['password_changed', 'oneself', '127.0.0.1'],
  );
});

test('C-808 a sign-in from a new place is reported, one from a known place is not', async () => {
  const { accounts } = world.server;
  const form = { email: person.email, password: testPassword, remember: false };
  const here = {
    isBrowser: false,
    cookie: undefined,
    ip: '127.0.0.1',
    userAgent: 'lightMyRequest',
  };
  const count = box.delivered.length;
  await accounts.login(form, here);
  assert.deepEqual(await eventsOf(person), []);
  await accounts.login(form, { ...here, ip: '203.0.113.9', userAgent: 'Firefox/140 Windows' });
  const email = await box.email(count);
  assert.match(email.text, /new device or network[^]*203\.0\.113\.9/);
  await accounts.login(form, { ...here, ip: '203.0.113.77', userAgent: 'Firefox/141 Windows' });
  const events = await eventsOf(person);
  assert.deepEqual(
    events.map(({ kind, ip }) => [kind, ip]),
    [['signed_in_anew', '203.0.113.9']],
  );
});

test('actions of an administrator are reported without their address', async () => {
  const count = box.delivered.length;
  await superadmin.send('PATCH', `${users}${person.id}/`, { role: 'user' });
  const email = await box.email(count);
  assert.match(email.header('Subject'), /Your role was changed/);
  assert.doesNotMatch(email.text, /127\.0\.0\.1|superadmin/);
  const [event] = await eventsOf(person);
  assert.deepEqual([event?.kind, event?.by, event?.ip], ['role_changed', 'administrator', '']);
});

test('C-114 a changed address is reported to the old one', async () => {
  const count = box.delivered.length;
  const moved = await person.send('PUT', '/secure-api/accounts/users/update_me/', {
    email: `moved-${people}@example.org`,
    password: testPassword,
  });
  assert.equal(moved.status, 200);
  assert.deepEqual((await box.email(count)).to, [person.email]);
});

test('an email is in the language of its receiver', async () => {
  const path = '/secure-api/accounts/preferences/update_my_preferences/';
  await person.send('PATCH', path, { language: 'az' });
  const count = box.delivered.length;
  await change(person);
  assert.match((await box.email(count)).text, /Parolunuz dəyişdirildi/);
});

test('a time in an email is of the zone of its receiver, and in UTC where that is not known', async () => {
  const path = '/secure-api/accounts/preferences/update_my_preferences/';
  const other = await world.signIn('operator', `elsewhere-${people}@example.org`);
  await other.send('PATCH', path, { timezone: 'Asia/Baku' });
  const count = box.delivered.length;
  for (const who of [person, other]) await change(who);
  await box.email(count + 1);
  const texts = new Map(box.delivered.slice(count).map(({ to: [to], text }) => [to, text]));
  assert.match(texts.get(other.email)!, /: January 15, 2026 at .* \(Asia\/Baku, UTC\+04:00\)\r?\n/);
  assert.match(texts.get(person.email)!, /: January 15, 2026 at .* UTC\r?\n/);
});

test('C-801 the email is queued with the deed or not at all', async () => {
  await sql`alter table mail_outbox rename to mail_outbox_away`.execute(world.database.db.write());
  assert.equal((await change(person)).status, 500);
  await sql`alter table mail_outbox_away rename to mail_outbox`.execute(world.database.db.write());
  const login = await call(world.app, 'POST', '/secure-api/accounts/login/', {
    body: { email: person.email, password: testPassword },
  });
  assert.equal(login.status, 200);
  assert.deepEqual(await eventsOf(person), []);
  assert.equal(await waiting(), 0);
});

test('C-114 a user who changes an address twice gets two emails, each to another address', async () => {
  const count = box.delivered.length;
  const me = '/secure-api/accounts/users/update_me/';
  const addresses = [person.email, `first-${people}@example.org`, `second-${people}@example.org`];
  for (const email of addresses.slice(1)) {
    assert.equal((await person.send('PUT', me, { email, password: testPassword })).status, 200);
  }
  await box.email(count + 1);
  const receivers = box.delivered.slice(count).flatMap(({ to }) => to);
  assert.deepEqual(receivers.toSorted(), addresses.slice(0, 2).toSorted());
});

test('no user sees what happened to another account, and without mail the list is there', async () => {
  await change(person);
  assert.equal((await eventsOf(person)).length, 1);
  assert.deepEqual(await eventsOf(superadmin), []);
  await using plain = await testServer();
  const alone = await plain.signIn('superadmin');
  await change(alone);
  assert.deepEqual(
    (await eventsOf(alone)).map(({ kind }) => kind),
    ['password_changed'],
  );
});

// The last: an hour later everybody here is signed out.
test('C-808 a user gets one email of a kind an hour: one at its end covers what came meanwhile', async () => {
  const count = box.delivered.length;
  const path = `${users}${person.id}/`;
  const subjects = (): string[] =>
    box.delivered.slice(count).map((email) => email.header('Subject'));
  const [role, ended] = ['Your role was changed', 'Your sessions were ended'];
  for (const to of ['user', 'operator', 'user', 'operator']) {
    assert.equal((await superadmin.send('PATCH', path, { role: to })).status, 200);
  }
  await superadmin.send('DELETE', `${path}sessions/`);
  await box.email(count + 1);
  await emailsSent(world.database.db);
  assert.deepEqual(subjects(), [role, ended], 'another kind waits for nobody');
  assert.doesNotMatch(box.delivered[count]!.text, /more than once/);
  const again = { email: person.email, password: testPassword };
  const login = await call(world.app, 'POST', '/secure-api/accounts/login/', { body: again });
  const { access } = login.json<{ access: string }>();
  const seen = await call(world.app, 'GET', '/secure-api/accounts/security/events/', { access });
  const { results } = seen.json<{ results: SecurityEvent[] }>();
  const changes = results.filter(({ kind }) => kind === 'role_changed');
  assert.equal(changes.length, 4, 'the page has each of them at once');
  world.clock.advance(hourMs);
  const gathered = await box.email(count + 2);
  assert.equal(gathered.header('Subject'), role);
  assert.match(gathered.text, /It may have happened more than once since the last one/);
  await emailsSent(world.database.db);
  assert.equal(await waiting(), 0);
});
