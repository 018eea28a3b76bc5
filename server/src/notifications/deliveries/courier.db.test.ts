/** Emails about notifications, to a mail server on loopback: to whom, when, and what is in them. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { settleMs } from '#alerts/evaluation/visit-pass.ts';
import type { Scope } from '#http/scope.ts';
import { Mail, type MailRoute } from '#mail/mail.ts';
import { failing } from '#testing/failing-database.ts';
import { mailServer, type MailServer } from '#testing/mail-server.ts';
import { grant, notified, type Notified } from '#testing/notifications.ts';
import { emailsSent } from '#testing/outbox.ts';
import { aPicture, aVisit, aWorld, quietLog, type World } from '#testing/world.ts';

let world: World;
let box: MailServer;
let mail: Mail;
let it: Notified;
let admin: Scope;
let guard: Scope;
let gate: string;
let yard: string;
let looks = 0;

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
  await sql`truncate feed_change, alert, notification, notification_delivery, notification_settings, security_warning,
    mail_outbox cascade`.execute(world.database.db.write());
  await sql`update app_user set is_active = false`.execute(world.database.db.write());
  admin = await world.actor('admin');
  guard = await world.actor('user');
  gate = await world.camera(admin, { name: 'Gate <b>' });
  yard = await world.camera(admin, { name: 'Yard' });
  await grant(world, admin, guard, gate, ['live']);
  it = notified(world, world.database.db, mail);
});
afterEach(() => it[Symbol.asyncDispose]());

const write = async (cameraId: string): Promise<void> => {
  const picture = aPicture((looks += 1));
  await world.visits.write(aVisit(cameraId, world.clock.now(), { picture }));
  world.clock.advance(settleMs);
};
const stranger = async (cameraId: string): Promise<void> => {
  await write(cameraId);
  await it.settle();
};
/** What arrives while `work` runs. */
async function emailsOf(work: () => Promise<void>) {
  const count = box.delivered.length;
  await using sender = mail.startOutboxSender();
  assert.ok(sender);
  await work();
  await emailsSent(world.database.db);
  return box.delivered.slice(count);
}
const receivers = (emails: Awaited<ReturnType<typeof emailsOf>>) =>
  emails.flatMap(({ to }) => to).toSorted();
const states = async (): Promise<(string | null)[][]> => {
  const { rows } = await sql<{ state: string; reason: string | null }>`
    select state, reason from notification_delivery order by created_at, user_id`.execute(
    world.database.db.read(),
  );
  return rows.map(({ state, reason }) => [state, reason]);
};

test('~NOTE-008 ~C-1011 an alert is mailed once to each who sees it, without a name of camera or person', async () => {
  const emails = await emailsOf(async () => {
    await stranger(gate);
    await stranger(gate);
  });
  assert.deepEqual(receivers(emails), [admin.email, guard.email].toSorted());
  for (const email of emails) {
    assert.match(email.header('Subject'), /An unknown person was seen/);
    assert.match(email.text, /Level: Warning[^]*https:\/\/nazar\.example\.org\/notifications/);
    assert.doesNotMatch(email.raw, /Gate|Yard/);
  }
  assert.deepEqual(receivers(await emailsOf(() => stranger(yard))), [admin.email]);
});

test('~NOTE-008 200 unknown people at one camera within an hour, as installed, are one email', async () => {
  const emails = await emailsOf(async () => {
    for (let nth = 0; nth < 200; nth += 1) {
      await write(gate);
      world.clock.advance(12_000);
      if (nth % 10 === 9) await it.settle();
    }
  });
  assert.deepEqual(receivers(emails), [admin.email, guard.email].toSorted());
  const [{ count } = { count: 0 }] = await it.alerts.lists
    .list(
      admin,
      { page: 1, page_size: 5, ordering: '-created_at' },
      { language: 'en', timeZone: 'UTC' },
    )
    .then(({ results }) => results);
  assert.equal(count, 200);
});

test('~C-304 what may not be seen any more when it would go out, or is not wished, is not sent', async () => {
  const other = await world.actor('user');
  const { id } = await grant(world, admin, other, gate, ['live']);
  await it.notifications.settings.change(admin, { email: false });
  await write(gate);
  await it.alerts.evaluate();
  await it.notifications.settings.change(await it.now(guard), {
    quiet_from: '00:00',
    quiet_to: '00:00',
  });
  await it.notifications.settings.change(await it.now(other), {
    quiet_from: '00:00',
    quiet_to: '00:00',
  });
  assert.deepEqual(await emailsOf(() => it.settle()), []);
  await world.cameras.access.take(admin, id);
  const none = { quiet_from: null, quiet_to: null };
  await it.notifications.settings.change(await it.now(guard), { ...none, email: false });
  await it.notifications.settings.change(await it.now(other), none);
  world.clock.advance(24 * 60 * 60_000);
  assert.deepEqual(await emailsOf(() => it.settle()), []);
  assert.deepEqual(
    (await states()).toSorted((one, other) => String(one).localeCompare(String(other))),
    [
      ['dropped', 'not_visible'],
      ['dropped', 'not_wished'],
    ],
  );
});

test('~NSH-007 quiet hours hold emails until they are over, then one summary says how many', async () => {
  const quiet = { quiet_from: '11:00', quiet_to: '11:00' };
  await it.notifications.settings.change(admin, quiet);
  await it.notifications.settings.change(await it.now(guard), quiet);
  const held = await emailsOf(async () => {
    await stranger(gate);
    await stranger(yard);
  });
  assert.deepEqual(held, []);
  await it.notifications.settings.change(admin, { quiet_from: null, quiet_to: null });
  world.clock.advance(25 * 60 * 60_000);
  const emails = await emailsOf(() => it.settle());
  assert.deepEqual(receivers(emails), [admin.email]);
  assert.match(emails[0]!.text, /Number: 2/);
});

test('~NOTE-008 an all-clear follows a first message, and to no other user', async () => {
  await grant(world, admin, guard, yard, ['live']);
  const first = await emailsOf(async () => {
    await world.warnings.raise({ kind: 'camera_down', subject: gate });
    await it.settle();
  });
  assert.deepEqual(receivers(first), [guard.email], 'administrators have the email of the warning');
  const over = await emailsOf(async () => {
    await world.warnings.end('camera_down', gate);
    await it.settle();
    await it.settle();
  });
  assert.deepEqual(receivers(over), [guard.email]);
  assert.match(over[0]!.header('Subject'), /An alert is over/);
});

test('~NOTE-008 a server that dies at any step of sending sends each email once', async () => {
  await it.notifications.settings.change(admin, { email: false });
  const emails = await emailsOf(async () => {
    for (let step = 0; step < 10; step += 1) {
      await write(gate);
      await it.alerts.evaluate();
      await using dying = notified(world, failing(world.database.db, step), mail);
      await dying.notifications.notify().catch(() => undefined);
      await it.settle();
      world.clock.advance(2 * 60 * 60_000);
      await it.settle();
    }
  });
  assert.equal(emails.length, 10);
  assert.ok((await states()).every(([state]) => state === 'sent'));
});
