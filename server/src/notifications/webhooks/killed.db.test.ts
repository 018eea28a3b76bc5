/** A process that is killed while it sends: before it takes an event, before the answer, before it notes what came of it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { WebhookFields } from '@nazar/contract/webhooks.ts';
import type { Scope } from '#http/scope.ts';
import { systemClock } from '#lib/clock.ts';
import { SecretKey } from '#lib/secrets.ts';
import { heldTable } from '#testing/held-table.ts';
import { alertsIn, anEvaluation } from '#testing/alerts.ts';
import { isSigned, webhookReceiver, type WebhookReceiver } from '#testing/webhook-receiver.ts';
import { aWebhookPolicy } from '#testing/webhook-policy.ts';
import { aWorld, quietLog, type World } from '#testing/world.ts';
import { webhookChannel } from './channel.ts';
import { addRaised } from './delivery-store.ts';
import { keepMs, leaseMs } from './sender.ts';

const moments = 20;
const program = join(import.meta.dirname, '../../testing/send-process.ts');
const key = randomBytes(32);
/** Where the process waits to be killed. `anywhere`: it goes on until then. */
const places = ['taking', 'answer', 'webhook', 'webhook_delivery', 'anywhere'] as const;

let world: World;
let admin: Scope;
let receiver: WebhookReceiver;
let alerts = 0;

before(async () => {
  world = await aWorld();
  receiver = await webhookReceiver();
  admin = await world.actor('admin');
});
after(async () => {
  await receiver[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

type Sender = ChildProcessByStdio<Writable, Readable, null>;

/** Loaded, and not begun: its clock shows that moment. */
async function senderAt(atMs: number): Promise<Sender> {
  const { host = '', user = '', database = '' } = world.database.target;
  const words = [program, host, user, database, String(atMs), key.toString('hex')];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

async function killed(child: Sender): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Two alerts that wait for each webhook. */
async function happened(): Promise<void> {
  await using evaluation = anEvaluation(world);
  for (const who of ['one', 'other']) {
    await world.warnings.raise({ kind: 'many_denials', subject: `${who} ${(alerts += 1)}` });
  }
  await evaluation.runner.run();
  const ids = (await alertsIn(world.database.db)).map(({ id }) => id);
  const at = new Date(world.clock.now());
  await world.database.db.transaction((tx) =>
    addRaised(tx, ids, at, new Date(at.getTime() + keepMs)),
  );
}

async function killedAt(place: (typeof places)[number], child: Sender, nth: number): Promise<void> {
  const count = receiver.received.length;
  if (place === 'anywhere') {
    receiver.behaviours = [200];
    child.stdin.write('go');
    await systemClock.wait(nth * 3);
    return killed(child);
  }
  if (place === 'taking') {
    await using hold = await heldTable(world.database.target, 'webhook_delivery');
    child.stdin.write('go');
    await hold.reached();
    await killed(child);
    assert.equal(receiver.received.length, count, 'nothing went out');
    return;
  }
  receiver.behaviours = ['hang'];
  child.stdin.write('go');
  await receiver.came(count + 1);
  if (place === 'answer') return killed(child);
  await using hold = await heldTable(world.database.target, place);
  receiver.release();
  await hold.reached();
  await killed(child);
}

test(`killed at ${moments} moments, sending loses no event, and repeats one with the same id and a good signature`, async () => {
  const { clock, database, activity, cameras } = world;
  const { webhooks, sender: last } = webhookChannel({
    db: database.db,
    activity,
    cameras,
    key: new SecretKey(key),
    webhookPolicy: aWebhookPolicy,
    publicUrl: null,
    clock,
    log: quietLog,
  });
  const fields = { name: 'Home', address: receiver.url, allow_loopback: true };
  const { secret } = await webhooks.add(admin, WebhookFields.parse(fields));
  let next = senderAt(clock.now());
  for (let moment = 0; moment < moments; moment += 1) {
    const child = await next;
    next = senderAt(clock.now() + leaseMs);
    await happened();
    await killedAt(places[moment % places.length]!, child, moment);
    // Another server takes what the dead one held when its lease is over.
    clock.advance(leaseMs);
  }
  await killed(await next);
  receiver.behaviours = [200];
  receiver.release();
  await last.run();
  const byAlert = Map.groupBy(receiver.received, ({ json }) => json.data.alert.id);
  assert.equal(byAlert.size, alerts);
  assert.ok(receiver.received.length > alerts, 'what died before it was noted is repeated');
  for (const received of byAlert.values()) {
    assert.equal(new Set(received.map(({ id }) => id)).size, 1);
    assert.ok(received.every((one) => isSigned(one, secret)));
  }
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::integer as count from webhook_delivery group by state`.execute(
    database.db.read(),
  );
  assert.deepEqual(rows, [{ state: 'delivered', count: alerts }]);
});
