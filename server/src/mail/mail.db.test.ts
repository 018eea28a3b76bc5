/** Emails on a real database, to a mail server on loopback that may misbehave. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { SecretKey } from '#lib/secrets.ts';
import { aClock, type StoppedClock } from '#testing/clock.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { mailServer, type MailServer } from '#testing/mail-server.ts';
import { until } from '#testing/until.ts';
import { Mail, type QueuedEmail } from './mail.ts';

let database: TestDatabase;
let box: MailServer;
before(async () => {
  database = await testDatabase();
  box = await mailServer();
});
after(async () => {
  await box[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const origin = 'https://nazar.example.org';
const secret = `${origin}/reset-password/u/nzl_0123456789`;
const master = SecretKey.random();
const hourMs = 60 * 60_000;

const anEmail = (more: Partial<QueuedEmail> = {}): QueuedEmail => ({
  to: 'somebody@example.org',
  language: 'ru',
  template: {
    subject: 'reset.subject',
    before: ['reset.asked'],
    action: { label: 'reset.action', url: secret },
  },
  keepMs: hourMs,
  ...more,
});

interface MailSetup {
  readonly mail: Mail;
  readonly clock: StoppedClock;
  readonly logged: string[];
}

function openMail({ key = master, withServer = true } = {}): MailSetup {
  const clock = aClock();
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const route = withServer ? { smtp: box.smtp, from: 'Nazar <nazar@example.org>', origin } : null;
  return { mail: new Mail({ db: database.db, master: key, clock, log, route }), clock, logged };
}

const queue = ({ mail }: MailSetup, email = anEmail()): Promise<boolean> =>
  database.db.transaction((tx) => mail.queue(tx, email));

async function waiting(): Promise<{ sealed: Buffer; due_at: Date; attempts: number }[]> {
  const { rows } = await sql<{ sealed: Buffer; due_at: Date; attempts: number }>`
    select sealed, due_at, attempts from mail_outbox order by due_at`.execute(database.db.read());
  return rows;
}

const isSent = (): Promise<void> => until(async () => (await waiting()).length === 0);

test('an email is handed over once, whole, and leaves no row', async () => {
  const setup = openMail();
  const count = box.delivered.length;
  await using sender = setup.mail.startOutboxSender();
  assert.ok(sender);
  assert.equal(await queue(setup), true);
  const email = await box.email(count);
  await isSent();
  assert.deepEqual([email.from, email.to], ['nazar@example.org', ['somebody@example.org']]);
  assert.match(email.text, /запросили новый пароль для этой учётной записи/);
  assert.ok(email.text.includes(secret) && email.html.includes(secret));
  assert.equal(email.header('Auto-Submitted'), 'auto-generated');
  assert.match(email.header('Message-ID'), /^<[0-9a-f-]{36}@example\.org>$/);
  assert.equal(box.delivered.length, count + 1);
});

test('an email that is rolled back is not sent, and without a mail server nothing is queued', async () => {
  const setup = openMail();
  await assert.rejects(
    database.db.transaction(async (tx) => {
      await setup.mail.queue(tx, anEmail());
      throw new Error('no');
    }),
  );
  assert.equal((await waiting()).length, 0);
  const none = openMail({ withServer: false });
  assert.deepEqual([none.mail.isAvailable, none.mail.startOutboxSender()], [false, null]);
  assert.equal(await queue(none), false);
  assert.equal((await waiting()).length, 0);
});

test('a waiting email reveals neither its text nor its receiver, and opens with its own key only', async () => {
  const setup = openMail();
  await queue(setup);
  const [row] = await waiting();
  const bytes = row!.sealed.toString('latin1');
  for (const word of ['somebody', 'nzl_', 'reset-password']) assert.ok(!bytes.includes(word), word);
  const count = box.delivered.length;
  const stranger = openMail({ key: SecretKey.random() });
  await using sender = stranger.mail.startOutboxSender();
  assert.ok(sender);
  await isSent();
  assert.equal(box.delivered.length, count);
  assert.ok(stranger.logged.some((line) => line.includes('cannot be sent')));
});

test('a server that is killed between queueing and sending loses nothing: the next one sends', async () => {
  const count = box.delivered.length;
  await queue(openMail());
  const next = openMail();
  await using sender = next.mail.startOutboxSender();
  assert.ok(sender);
  await box.email(count);
  await isSent();
});

test('killed while sending: sent again after five minutes, as the same email (at least once)', async () => {
  const count = box.delivered.length;
  const killed = openMail();
  await queue(killed);
  // What a process that is gone has left: the email taken, the mail server served, the row not deleted.
  await sql`update mail_outbox set due_at = ${new Date(killed.clock.now() + 5 * 60_000)}, attempts = 1`.execute(
    database.db.write(),
  );
  const next = openMail();
  await using sender = next.mail.startOutboxSender();
  assert.ok(sender);
  await until(() => next.clock.waiting > 0);
  assert.equal(box.delivered.length, count);
  next.clock.advance(5 * 60_000);
  await box.email(count);
  await isSent();
});

test('a mail server that is away or full is asked again, later each time; one that hangs up gets it twice', async () => {
  const setup = openMail();
  const count = box.delivered.length;
  box.behaviour = 'defer';
  await using sender = setup.mail.startOutboxSender();
  assert.ok(sender);
  await queue(setup);
  await until(async () => (await waiting())[0]?.attempts === 1 && setup.clock.waiting > 0);
  const firstWaitMs = (await waiting())[0]!.due_at.getTime() - setup.clock.now();
  assert.ok(firstWaitMs > 3_000 && firstWaitMs <= 15_000, String(firstWaitMs));
  box.behaviour = 'drop';
  setup.clock.advance(15_000);
  const first = await box.email(count);
  await until(async () => (await waiting())[0]?.attempts === 2 && setup.clock.waiting > 0);
  box.behaviour = 'accept';
  setup.clock.advance(30_000);
  const second = await box.email(count + 1);
  await isSent();
  assert.equal(first.header('Message-ID'), second.header('Message-ID'));
  const lines = setup.logged.join('');
  assert.match(lines, /a letter was not taken/);
  assert.doesNotMatch(lines, /somebody|nzl_|example\.org/);
});

test('an email that will never be taken is given up, as is one that is of no use any more', async () => {
  const setup = openMail();
  const count = box.delivered.length;
  box.behaviour = 'reject';
  await using sender = setup.mail.startOutboxSender();
  assert.ok(sender);
  await queue(setup);
  await isSent();
  assert.ok(setup.logged.some((line) => line.includes('cannot be sent')));
  assert.doesNotMatch(setup.logged.join(''), /somebody/);
  box.behaviour = 'defer';
  await queue(setup, anEmail({ keepMs: 1 }));
  await until(async () => (await waiting())[0]?.attempts === 1 && setup.clock.waiting > 0);
  box.behaviour = 'accept';
  setup.clock.advance(15_000);
  await isSent();
  assert.equal(box.delivered.length, count);
});

test('two outbox senders hand one email over once', async () => {
  const count = box.delivered.length;
  const [one, two] = [openMail(), openMail()];
  await using first = one.mail.startOutboxSender();
  await using second = two.mail.startOutboxSender();
  assert.ok(first && second);
  for (let index = 0; index < 6; index += 1) await queue(one);
  await box.email(count + 5);
  await isSent();
  assert.equal(box.delivered.length, count + 6);
});
