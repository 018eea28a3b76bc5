/** Events of alerts on their way to a receiver on loopback: which, when, how often, and what is in them. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import {
  WebhookDeliveryQuery,
  WebhookFields,
  type Webhook,
  type WebhookDelivery,
} from '@nazar/contract/webhooks.ts';
import { settleMs } from '#alerts/evaluation/visit-pass.ts';
import type { Scope } from '#http/scope.ts';
import { failing } from '#testing/failing-database.ts';
import { notified, type Notified } from '#testing/notifications.ts';
import { isSigned, webhookReceiver, type WebhookReceiver } from '#testing/webhook-receiver.ts';
import { aPicture, aVisit, aWorld, type World } from '#testing/world.ts';
import { failuresToPause, keepMs, leaseMs } from './sender.ts';

const hourMs = 60 * 60_000;
let world: World;
let it: Notified;
let receiver: WebhookReceiver;
let other: WebhookReceiver;
let admin: Scope;
let gate: string;
let yard: string;
let looks = 0;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  gate = await world.camera(admin, { name: 'Gate <b>' });
  yard = await world.camera(admin, { name: 'Yard' });
});
after(() => world[Symbol.asyncDispose]());

beforeEach(async () => {
  await sql`truncate feed_change, alert, notification, notification_delivery, security_warning, webhook
    cascade`.execute(world.database.db.write());
  receiver = await webhookReceiver();
  other = await webhookReceiver();
  it = notified(world);
});
afterEach(async () => {
  await it[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

const added = (to: WebhookReceiver, more: Partial<WebhookFields> = {}) =>
  it.notifications.webhooks.add(
    admin,
    WebhookFields.parse({
      name: 'Home',
      address: `${to.url}hook?token=topsecret`,
      allow_loopback: true,
      ...more,
    }),
  );
const webhook = async (): Promise<Webhook> => (await it.notifications.webhooks.list())[0]!;
const deliveries = async (query: object = {}): Promise<WebhookDelivery[]> => {
  const asked = WebhookDeliveryQuery.parse({ ordering: 'created_at', ...query });
  return (await it.notifications.webhookDeliveries.list(asked, 'UTC')).results;
};
const events = ({ received }: WebhookReceiver) => received.map(({ json }) => json.type);

/** An unknown person, another one each time. */
async function stranger(cameraId: string): Promise<void> {
  const picture = aPicture((looks += 1));
  await world.visits.write(aVisit(cameraId, world.clock.now(), { picture }));
  world.clock.advance(settleMs);
  await it.settle();
}
async function cameraDown(cameraId: string): Promise<void> {
  await world.warnings.raise({ kind: 'camera_down', subject: cameraId });
  await it.settle();
}
async function cameraUp(cameraId: string): Promise<void> {
  await world.warnings.end('camera_down', cameraId);
  await it.settle();
}

test('an alert is one event when it is raised and one when it is over, however long it goes on', async () => {
  const { secret } = await added(receiver);
  await stranger(gate);
  await stranger(gate);
  await stranger(gate);
  assert.deepEqual(events(receiver), ['alert.raised']);
  world.clock.advance(hourMs);
  await it.settle();
  await it.settle();
  assert.deepEqual(events(receiver), ['alert.raised', 'alert.over']);
  const [raised, over] = receiver.received;
  assert.ok(receiver.received.every((one) => isSigned(one, secret)));
  assert.ok(!isSigned(raised!, (await added(other)).secret), 'with another secret');
  assert.equal(raised!.path, '/hook?token=topsecret');
  assert.equal(raised!.json.data.alert.id, over!.json.data.alert.id);
  assert.equal(raised!.json.data.alert.ended_at, null);
  assert.equal(over!.json.data.alert.count, 3);
  assert.notEqual(over!.json.data.alert.ended_at, null);
});

test('~C-1011 what leaves the house is what the webhook says: no name, that of the camera, or those of people', async () => {
  const { id } = await added(receiver);
  await cameraDown(gate);
  const [first] = receiver.received;
  assert.deepEqual(first!.json.data.alert.camera, { id: gate });
  assert.doesNotMatch(first!.body, /Gate|Ayla|nazar\.example/);
  await it.notifications.webhooks.change(admin, id, { content: 'cameras' });
  await cameraUp(gate);
  assert.deepEqual(receiver.received[1]!.json.data.alert.camera, { id: gate, name: 'Gate <b>' });
  assert.doesNotMatch(receiver.received[1]!.body, /nazar\.example/);

  const { id: personId, identityId } = await world.person(admin, 'Ayla', (looks += 1));
  await it.alerts.rules.add(admin, {
    kind: 'known_person',
    level: 'critical',
    is_enabled: true,
    cameras: [yard],
    camera_groups: [],
    categories: [],
    schedule: null,
    modes: ['home', 'away'],
    visits: 3,
    confidence_percent: 0,
    quiet_minutes: 10,
  });
  await it.notifications.webhooks.change(admin, id, { content: 'people' });
  const seen = { identityId, picture: aPicture(looks), confidence: 0.9 };
  await world.visits.write(aVisit(yard, world.clock.now(), seen));
  world.clock.advance(settleMs);
  await it.settle();
  const { alert } = receiver.received[2]!.json.data;
  assert.deepEqual(alert.people, [{ id: personId, name: 'Ayla Example' }]);
  assert.equal(alert.url, `https://nazar.example.org/alerts?alert=${alert.id}`);
  assert.equal(alert.kind, 'known_person');
});

test('each webhook is sent the levels, kinds and cameras that it asks for, and nothing of before it', async () => {
  await cameraDown(yard);
  await added(receiver, { least_level: 'error' });
  await added(other, { cameras: [gate], kinds: ['unknown_person'], least_level: 'info' });
  await cameraUp(yard);
  assert.deepEqual([receiver.received, other.received], [[], []]);
  await stranger(gate);
  await stranger(yard);
  await cameraDown(gate);
  assert.deepEqual(
    receiver.received.map(({ json }) => json.data.alert.kind),
    ['camera_down'],
  );
  assert.deepEqual(
    other.received.map(({ json }) => json.data.alert.camera?.id),
    [gate],
  );
  const [first, second] = await it.notifications.webhooks.list();
  await it.notifications.webhooks.change(admin, first!.id, { is_enabled: false });
  await cameraUp(gate);
  assert.equal(receiver.received.length, 1);
  assert.equal(second!.waiting, 0);
});

test('a failed event is sent again later with the same id, and its end waits for it', async () => {
  const { secret } = await added(receiver);
  receiver.behaviours = [500, 500, 200];
  await cameraDown(gate);
  world.clock.advance(1);
  await cameraUp(gate);
  assert.deepEqual(events(receiver), ['alert.raised']);
  const [waiting] = await deliveries();
  assert.deepEqual(
    [waiting!.state, waiting!.status, waiting!.fault, waiting!.tries],
    ['waiting', 500, 'status', 1],
  );
  for (let nth = 0; nth < 3; nth += 1) {
    world.clock.advance(60_000);
    await it.settle();
  }
  assert.deepEqual(events(receiver), [
    'alert.raised',
    'alert.raised',
    'alert.raised',
    'alert.over',
  ]);
  const ids = receiver.received.map(({ id }) => id);
  assert.equal(new Set(ids.slice(0, 3)).size, 1);
  assert.notEqual(ids[3], ids[0]);
  assert.ok(receiver.received.every((one) => isSigned(one, secret)));
  assert.deepEqual(
    (await deliveries()).map(({ state, status, tries }) => [state, status, tries]),
    [
      ['delivered', 200, 3],
      ['delivered', 200, 1],
    ],
  );
});

test('a receiver that fails on and on is left alone, and tried again by itself', async () => {
  await added(receiver);
  receiver.behaviours = [500];
  for (let nth = 0; nth < 10; nth += 1) await cameraDown(await world.camera(admin));
  assert.equal(receiver.received.length, failuresToPause);
  const { failures, paused_until: pausedUntil, waiting } = await webhook();
  assert.equal(failures, failuresToPause);
  assert.ok(pausedUntil !== null && Date.parse(pausedUntil) > world.clock.now());
  assert.equal(waiting, 10);
  await it.settle();
  assert.equal(receiver.received.length, failuresToPause);
  receiver.behaviours = [200];
  world.clock.advance(hourMs);
  await it.settle();
  const ids = receiver.received.slice(failuresToPause).map(({ id }) => id);
  assert.equal(new Set(ids).size, 10);
  assert.deepEqual([(await webhook()).failures, (await webhook()).paused_until], [0, null]);
  assert.notEqual((await webhook()).last_delivered_at, null);
});

test('critical events go before those that have waited longer', async () => {
  await added(receiver, { least_level: 'info' });
  const { id } = await webhook();
  await sql`update webhook set paused_until = ${new Date(world.clock.now() + hourMs)} where id = ${id}`.execute(
    world.database.db.write(),
  );
  await cameraDown(gate);
  await sql`update alert_rule set level = 'critical' where kind = 'camera_picture'`.execute(
    world.database.db.write(),
  );
  await it[Symbol.asyncDispose]();
  it = notified(world);
  await world.warnings.raise({ kind: 'camera_frozen', subject: yard });
  await it.settle();
  world.clock.advance(hourMs);
  await it.settle();
  assert.deepEqual(
    receiver.received.map(({ json }) => json.data.alert.level),
    ['critical', 'error'],
  );
  await sql`update alert_rule set level = 'warning' where kind = 'camera_picture'`.execute(
    world.database.db.write(),
  );
});

test('410 ends a webhook: nothing more is sent, and the activity log says so', async () => {
  await added(receiver);
  await added(other);
  receiver.behaviours = [410];
  await cameraDown(gate);
  await cameraDown(yard);
  await cameraUp(gate);
  assert.equal(receiver.received.length, 1);
  assert.equal(other.received.length, 3, 'others go on');
  const { id, is_enabled, is_gone } = await webhook();
  assert.deepEqual([is_enabled, is_gone], [false, true]);
  const { rows } = await sql<{ action: string; source: string; object_id: string }>`
    select action, source, object_id from audit_entry where action = 'webhook.disabled'`.execute(
    world.database.db.read(),
  );
  assert.deepEqual(rows, [{ action: 'webhook.disabled', source: 'system', object_id: id }]);
  assert.deepEqual(
    (await deliveries({ receiver: id })).map(({ fault }) => fault),
    ['gone'],
  );
  await assert.rejects(it.notifications.webhookDeliveries.sendFailedAgain(admin, id), {
    code: 'webhook_disabled',
  });
});

test('after a day an event is given up, and is sent again when an administrator says so: with the same id', async () => {
  const { id } = await added(receiver);
  await added(other);
  receiver.behaviours = [500];
  await cameraDown(gate);
  await cameraDown(yard);
  world.clock.advance(keepMs);
  await it.settle();
  const failed = await deliveries({ receiver: id, state: 'failed' });
  assert.deepEqual(
    failed.map(({ fault, status, next_try_at }) => [fault, status, next_try_at]),
    [
      ['status', 500, null],
      ['status', 500, null],
    ],
  );
  receiver.behaviours = [200];
  const before = receiver.received.length;
  const again = await it.notifications.webhookDeliveries.sendAgain(admin, failed[0]!.id);
  assert.equal(again.state, 'waiting');
  await it.settle();
  assert.deepEqual(
    receiver.received.slice(before).map((one) => one.id),
    [failed[0]!.id],
  );
  assert.equal(await it.notifications.webhookDeliveries.sendFailedAgain(admin, id), 1);
  assert.equal(await it.notifications.webhookDeliveries.sendFailedAgain(admin, id), 0);
  await it.settle();
  assert.deepEqual(
    receiver.received.slice(before).map((one) => one.id),
    failed.map((one) => one.id),
  );
  assert.equal(other.received.length, 2, 'nothing of another webhook');
  await it.notifications.webhookDeliveries.sendAgain(admin, failed[0]!.id);
  await it.settle();
  assert.equal(receiver.received.at(-1)!.id, failed[0]!.id, 'also what was delivered');
});

test('two servers send no event at once, and each once', async () => {
  await added(receiver);
  await using second = notified(world);
  for (let nth = 0; nth < 20; nth += 1) {
    await world.warnings.raise({ kind: 'camera_down', subject: await world.camera(admin) });
  }
  await it.alerts.evaluate();
  await Promise.all([it.notifications.notify(), second.notifications.notify()]);
  await Promise.all([it.settle(), second.settle()]);
  // What one found taken, the other may still be writing.
  await second.settle();
  await it.settle();
  assert.equal(receiver.received.length, 20);
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 20);
});

test('a server that dies at any step loses no event, and repeats it with the same id', async () => {
  await added(receiver);
  const alerts = 12;
  for (let step = 0; step < alerts; step += 1) {
    await world.warnings.raise({ kind: 'camera_down', subject: await world.camera(admin) });
    await it.alerts.evaluate();
    await using dying = notified(world, failing(world.database.db, step));
    await dying.notifications.notify().catch(() => undefined);
    world.clock.advance(leaseMs);
    await it.settle();
  }
  const byAlert = Map.groupBy(receiver.received, ({ json }) => json.data.alert.id);
  assert.equal(byAlert.size, alerts);
  for (const received of byAlert.values()) {
    assert.equal(new Set(received.map(({ id }) => id)).size, 1);
  }
  assert.ok((await deliveries()).every(({ state }) => state === 'delivered'));
});

test('a receiver that keeps one waiting holds up no other', async () => {
  await added(receiver);
  await added(other);
  receiver.behaviours = ['hang'];
  await world.warnings.raise({ kind: 'camera_down', subject: gate });
  const settled = it.settle();
  await Promise.all([receiver.came(1), other.came(1)]);
  receiver.release();
  await settled;
  assert.ok((await deliveries()).every(({ state }) => state === 'delivered'));
});

test('deliveries are kept for 30 days, those of alerts that last until these are over', async () => {
  await added(receiver);
  await cameraDown(gate);
  await cameraDown(yard);
  await cameraUp(yard);
  world.clock.advance(20 * 24 * hourMs);
  await it.notifications.removal.removeOld();
  assert.equal((await deliveries()).length, 3);
  world.clock.advance(11 * 24 * hourMs);
  await it.notifications.removal.removeOld();
  assert.deepEqual(
    (await deliveries()).map(({ event }) => event),
    ['alert.raised'],
  );
  await cameraUp(gate);
  assert.deepEqual(events(receiver).slice(3), ['alert.over']);
});
