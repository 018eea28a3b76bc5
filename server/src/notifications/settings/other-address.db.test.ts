/** Another email address for notifications, with a mail server on loopback: how it is confirmed, and what goes there. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { settleMs } from '#alerts/evaluation/visit-pass.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { Mail, type MailRoute } from '#mail/mail.ts';
import { mailServer, type MailServer } from '#testing/mail-server.ts';
import { grant, notified, type Notified } from '#testing/notifications.ts';
import { emailsSent } from '#testing/outbox.ts';
import { aPicture, aVisit, aWorld, quietLog, type World } from '#testing/world.ts';

const hourMs = 60 * 60_000;
const [one, other] = ['one@example.net', 'other@example.net'];

let world: World;
let box: MailServer;
let mail: Mail;
let it: Notified;
let ayla: Scope;
let murad: Scope;
let gate: string;
let visits = 0;

before(async () => {
  world = await aWorld();
  box = await mailServer();
  const route: MailRoute = {
    smtp: box.smtp,
    from: 'Nazar <nazar@example.org>',
    origin: 'https://nazar.example.org',
  };
  const { clock, master, database } = world;
  mail = new Mail({ db: database.db, master, clock, log: quietLog, route });
});
after(async () => {
  await box[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await sql`truncate feed_change, alert, notification, notification_delivery, notification_settings, mail_outbox,
    throttle cascade`.execute(world.database.db.write());
  await sql`update app_user set is_active = false`.execute(world.database.db.write());
  const admin = await world.actor('admin');
  ayla = await world.actor('user');
  murad = await world.actor('user');
  gate = await world.camera(admin);
  for (const user of [ayla, murad]) await grant(world, admin, user, gate, ['live']);
  it = notified(world, world.database.db, mail);
  await it.notifications.settings.change(admin, { email: false });
});
afterEach(() => it[Symbol.asyncDispose]());

/** What arrives while `work` runs. */
async function emailsOf(work: () => Promise<unknown>) {
  const count = box.delivered.length;
  await using sender = mail.startOutboxSender();
  assert.ok(sender);
  await work();
  await emailsSent(world.database.db);
  return box.delivered.slice(count);
}
/** The code of the one email that arrives, which goes to that address. */
async function codeOf(address: string, work: () => Promise<unknown>): Promise<string> {
  const emails = await emailsOf(work);
  assert.deepEqual(
    emails.flatMap(({ to }) => to),
    [address],
  );
  return /Code: (\d{8})\s/.exec(emails[0]!.text)![1]!;
}
const choose = (user: Scope, emailAddress: string | null) =>
  it.notifications.settings.change(user, { emailAddress });
const confirm = (user: Scope, code: string) => it.notifications.settings.confirmAddress(user, code);
const sendAgain = (user: Scope) => it.notifications.settings.sendCode(user);
/** Another one, which confirms nothing. */
const wrong = (code: string): string => code.replace(/.$/, (digit) => String((+digit + 1) % 10));
const refused = (work: Promise<unknown>, code: string, params: object = {}) =>
  assert.rejects(work, (error) => {
    assert.ok(error instanceof Problem);
    const { retry_after_s: _, ...rest } = error.params;
    assert.deepEqual([error.code, rest], [code, params]);
    return true;
  });
const ended = (work: Promise<unknown>) =>
  refused(work, 'notification_code_ended', { field: 'code' });
const recorded = async () => {
  const { rows } = await sql<{ action: string; object_id: string; details: string }>`
    select action, object_id, details::text as details from audit_entry
     where action = 'account.notification_address_changed' order by id`.execute(
    world.database.db.read(),
  );
  return rows;
};
const addressOf = async (user: Scope) => {
  const { emailAddress, email_confirmed: isConfirmed } = await it.notifications.settings.of(user);
  return [emailAddress, isConfirmed];
};
const receivers = async (): Promise<string[]> => {
  const emails = await emailsOf(async () => {
    const picture = aPicture((visits += 1));
    await world.visits.write(aVisit(gate, world.clock.now(), { picture }));
    world.clock.advance(settleMs);
    await it.settle();
  });
  world.clock.advance(2 * hourMs);
  return emails.flatMap(({ to }) => to).toSorted();
};

test('SET-017 ~NSH-007 emails go to another address once it is confirmed, and to the account’s before and after', async () => {
  const code = await codeOf(one, () => choose(ayla, one));
  assert.deepEqual(await addressOf(ayla), [one, false]);
  assert.deepEqual(await receivers(), [ayla.email, murad.email].toSorted());
  const { emailAddress, email_confirmed: isConfirmed } = await confirm(
    ayla,
    `${code.slice(0, 4)} ${code.slice(4)}`,
  );
  assert.deepEqual([emailAddress, isConfirmed], [one, true]);
  assert.deepEqual(await receivers(), [one, murad.email].toSorted());
  assert.deepEqual(await addressOf(murad), [null, true]);
  assert.equal((await choose(ayla, null)).emailAddress, null);
  assert.deepEqual(await receivers(), [ayla.email, murad.email].toSorted());
  await refused(confirm(ayla, code), 'notification_address_not_pending');
});

test('the email says what it is and that it can be ignored, and has no typed text', async () => {
  const [email] = await emailsOf(() => choose(ayla, one));
  assert.match(email!.header('Subject'), /Confirm this address for notifications/);
  assert.match(email!.text, /ignore this email/);
  assert.ok(!email!.raw.includes(ayla.email));
});

test('a code confirms the address of its user alone', async () => {
  const code = await codeOf(one, () => choose(ayla, one));
  const ofOther = await codeOf(one, () => choose(murad, one));
  const tries = { field: 'code', tries: 4 };
  await refused(confirm(murad, code), 'notification_code_wrong', tries);
  await refused(confirm(ayla, ofOther), 'notification_code_wrong', tries);
  await confirm(ayla, code);
  assert.deepEqual(await addressOf(murad), [one, false]);
  await refused(sendAgain(ayla), 'notification_address_not_pending');
});

test('five wrong tries end a code, and another one counts', async () => {
  const code = await codeOf(one, () => choose(ayla, one));
  for (const tries of [4, 3, 2, 1]) {
    await refused(confirm(ayla, wrong(code)), 'notification_code_wrong', { field: 'code', tries });
  }
  await ended(confirm(ayla, wrong(code)));
  await ended(confirm(ayla, code));
  await confirm(ayla, await codeOf(one, () => sendAgain(ayla)));
  assert.deepEqual(await addressOf(ayla), [one, true]);
});

test('tries at once are counted each', async () => {
  const code = await codeOf(one, () => choose(ayla, one));
  const tried = await Promise.allSettled(
    Array.from({ length: 8 }, () => confirm(ayla, wrong(code))),
  );
  const left = tried.map((one) => {
    assert.ok(one.status === 'rejected' && one.reason instanceof Problem);
    return Number(one.reason.params['tries'] ?? 0);
  });
  assert.deepEqual(
    left.toSorted((few, many) => few - many),
    [0, 0, 0, 0, 1, 2, 3, 4],
  );
  await ended(confirm(ayla, code));
});

test('a code is good for a day', async () => {
  const code = await codeOf(one, () => choose(ayla, one));
  const ofOther = await codeOf(other, () => choose(murad, other));
  world.clock.advance(24 * hourMs - 1);
  await confirm(murad, ofOther);
  world.clock.advance(1);
  await ended(confirm(ayla, code));
});

test('another address, or another code, makes the code of before worthless', async () => {
  const first = await codeOf(one, () => choose(ayla, one));
  const second = await codeOf(other, () => choose(ayla, other));
  await refused(confirm(ayla, first), 'notification_code_wrong', { field: 'code', tries: 4 });
  const third = await codeOf(other, () => sendAgain(ayla));
  await refused(confirm(ayla, second), 'notification_code_wrong', { field: 'code', tries: 4 });
  await confirm(ayla, third);
  await choose(ayla, other);
  assert.deepEqual(await addressOf(ayla), [other, true], 'the same again changes nothing');
  world.clock.advance(hourMs);
  await codeOf(one, () => choose(ayla, one));
  assert.deepEqual(await addressOf(ayla), [one, false]);
  assert.deepEqual(await receivers(), [ayla.email, murad.email].toSorted());
});

test('a user has three codes an hour sent, and an address receives three of all users', async () => {
  const third = await world.actor('user');
  await choose(ayla, one);
  await sendAgain(ayla);
  await choose(ayla, other);
  await refused(sendAgain(ayla), 'notification_codes_too_many');
  const field = { field: 'emailAddress' };
  await refused(choose(ayla, one), 'notification_codes_too_many', field);
  assert.deepEqual(await addressOf(ayla), [other, false]);
  await choose(murad, one);
  await refused(choose(third, one), 'notification_codes_too_many', field);
  await choose(third, other);
  world.clock.advance(hourMs);
  await sendAgain(ayla);
});

test('the address of the account is none other, also when it becomes that', async () => {
  const { email: ofAccount } = ayla;
  assert.deepEqual(await emailsOf(() => choose(ayla, ofAccount)), []);
  await confirm(ayla, await codeOf(one, () => choose(ayla, one)));
  const moved = { ...ayla, email: one };
  assert.deepEqual(await addressOf(moved), [null, true]);
  await choose(moved, one);
  assert.deepEqual(await addressOf(ayla), [null, true]);
});

test('what is stored of a code is not the code, and the log has no address', async () => {
  const logged = (await recorded()).length;
  const code = await codeOf(one, () => choose(ayla, one));
  await confirm(murad, await codeOf(other, () => choose(murad, other)));
  await choose(murad, null);
  const { rows } = await sql<{ text: string }>`
    select notification_address::text || encode(code_hash, 'escape') as text from notification_address`.execute(
    world.database.db.read(),
  );
  const entries = (await recorded()).slice(logged);
  assert.deepEqual(
    entries.map(({ object_id: about }) => about),
    [murad.userId, murad.userId],
  );
  assert.doesNotMatch(JSON.stringify(entries), /example\.net/);
  assert.equal(rows.length, 1);
  assert.ok(rows[0]!.text.includes(one) && !rows[0]!.text.includes(code));
});

test('with its account an address goes', async () => {
  await choose(ayla, one);
  await choose(murad, other);
  const db = world.database.db.write();
  await sql`delete from app_user where id = ${ayla.userId}`.execute(db);
  const { rows } = await sql<{
    address: string;
  }>`select address from notification_address`.execute(db);
  assert.deepEqual(rows, [{ address: other }]);
});
