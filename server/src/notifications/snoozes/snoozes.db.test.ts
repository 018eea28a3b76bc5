/** Snoozes: users who get no notification, users who may snooze, and alerts that stay. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { SnoozeFields } from '@nazar/contract/snoozes.ts';
import { WebhookFields } from '@nazar/contract/webhooks.ts';
import { sql } from 'kysely';
import { AlertQuery } from '@nazar/contract/alerts.ts';
import { settleMs } from '#alerts/evaluation/visit-pass.ts';
import type { Scope } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import { recorded } from '#testing/activity-chain.ts';
import { grant, notified, type Notified } from '#testing/notifications.ts';
import { webhookReceiver } from '#testing/webhook-receiver.ts';
import { aPicture, aVisit, aWorld, type World } from '#testing/world.ts';

const hourMs = 60 * 60_000;

let world: World;
let it: Notified;
let admin: Scope;
/** Sees the gate and the yard. */
let guard: Scope;
/** Sees the gate. */
let porter: Scope;
let gate: string;
let yard: string;
let looks = 0;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  const [one, other] = [await world.actor('operator'), await world.actor('user')];
  gate = await world.camera(admin, { name: 'Gate' });
  yard = await world.camera(admin, { name: 'Yard' });
  for (const camera of [gate, yard]) await grant(world, admin, one, camera, ['live']);
  await grant(world, admin, other, gate, ['live']);
  const grants = (scope: Scope) => world.cameras.access.visibleTo(scope);
  guard = { ...one, grants: await grants(one) };
  porter = { ...other, grants: await grants(other) };
});
after(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  await sql`truncate feed_change, alert, notification, notification_snooze, webhook cascade`.execute(
    world.database.db.write(),
  );
  it = notified(world);
});
afterEach(() => it[Symbol.asyncDispose]());

async function stranger(cameraId: string): Promise<void> {
  const picture = aPicture((looks += 1));
  await world.visits.write(aVisit(cameraId, world.clock.now(), { picture }));
  world.clock.advance(settleMs);
  await it.settle();
  // The next one at this camera is another alert.
  world.clock.advance(hourMs);
  await it.alerts.evaluate();
}

const inHours = (hours: number): string =>
  new Date(world.clock.now() + hours * hourMs).toISOString();
const snooze = (scope: Scope, fields: object) =>
  it.notifications.snoozes.add(scope, SnoozeFields.parse({ until: inHours(4), ...fields }));
const titlesOf = async (scope: Scope) => (await it.list(scope)).titles;
const atGate = 'Unknown person at Gate';
const atYard = 'Unknown person at Yard';

test('~NSH-034 who snoozes a camera is not notified of it until then; the alert stands in the list, and others are notified', async () => {
  const { until } = await snooze(guard, { camera: gate });
  await stranger(gate);
  await stranger(yard);
  assert.deepEqual(await titlesOf(guard), [atYard]);
  assert.deepEqual(await titlesOf(porter), [atGate]);
  const english = { language: 'en', timeZone: 'UTC' } as const;
  const listed = await it.alerts.lists.list(guard, AlertQuery.parse({}), english);
  assert.equal(listed.count, 2);
  world.clock.advance(Date.parse(until) - world.clock.now());
  assert.deepEqual(await it.notifications.snoozes.list(guard), []);
  await it.notifications.notify();
  assert.deepEqual(await titlesOf(guard), [atYard], 'what was snoozed notifies of nothing later');
  await stranger(gate);
  assert.deepEqual(await titlesOf(guard), [atGate, atYard]);
});

test('~NSH-034 administrators snooze a camera for everyone; an assignment notifies all the same', async () => {
  await assert.rejects(snooze(guard, { camera: gate, for_everyone: true }), { code: 'forbidden' });
  const made = await snooze(admin, { camera: gate, for_everyone: true });
  await stranger(gate);
  await stranger(yard);
  assert.deepEqual(await titlesOf(admin), [atYard]);
  assert.deepEqual(await titlesOf(guard), [atYard]);
  assert.deepEqual(await titlesOf(porter), []);
  const [ofPorter] = await it.notifications.snoozes.list(porter);
  assert.deepEqual([ofPorter!.id, ofPorter!.may_end], [made.id, false]);
  await assert.rejects(it.notifications.snoozes.remove(porter, made.id), { code: 'forbidden' });
  const { results } = await it.alerts.lists.list(admin, AlertQuery.parse({ camera__in: gate }), {
    language: 'en',
    timeZone: 'UTC',
  });
  await it.alerts.workflow.assign(admin, results[0]!.id, porter.userId);
  await it.settle();
  assert.deepEqual(await titlesOf(porter), [atGate]);
  await it.notifications.snoozes.remove(admin, made.id);
  await stranger(gate);
  assert.deepEqual(await titlesOf(guard), [atGate, atYard]);
});

test('~NSH-034 a snoozed rule notifies of nothing at any camera, another rule does', async () => {
  const rules = await it.alerts.rules.list();
  const [unknown, down] = ['unknown_person', 'camera_down'].map(
    (kind) => rules.find((rule) => rule.kind === kind)!.id,
  );
  await snooze(guard, { rule: down });
  await stranger(gate);
  assert.deepEqual(await titlesOf(guard), [atGate]);
  const made = await snooze(guard, { rule: unknown });
  assert.deepEqual(
    [made.rule, made.rule_kind, made.camera, made.may_end],
    [unknown, 'unknown_person', null, true],
  );
  await stranger(yard);
  assert.deepEqual(await titlesOf(guard), [atGate]);
  assert.deepEqual(await titlesOf(admin), [atYard, atGate]);
});

test('a webhook is sent what is not snoozed for everyone', async () => {
  await using receiver = await webhookReceiver();
  const address = `${receiver.url}hook`;
  const asked = WebhookFields.parse({ name: 'Home', address, allow_loopback: true });
  await it.notifications.webhooks.add(admin, asked);
  await snooze(admin, { camera: gate, for_everyone: true });
  await snooze(guard, { camera: yard });
  for (const camera of [gate, yard]) {
    await world.visits.write(
      aVisit(camera, world.clock.now(), { picture: aPicture((looks += 1)) }),
    );
  }
  world.clock.advance(settleMs);
  await it.settle();
  await receiver.came(1);
  assert.deepEqual(
    receiver.received.map(({ json }) => json.data.alert.camera?.id),
    [yard],
  );
});

test('a snooze is put again with another end, belongs to its user, and names only what is there', async () => {
  const first = await snooze(guard, { camera: yard, until: inHours(1) });
  const again = await snooze(guard, { camera: yard, until: inHours(2) });
  await snooze(porter, { camera: gate });
  assert.equal(again.id, first.id);
  assert.deepEqual(await it.notifications.snoozes.list(guard), [again]);
  await assert.rejects(it.notifications.snoozes.remove(porter, again.id), {
    code: 'snooze_not_found',
  });
  await assert.rejects(snooze(porter, { camera: yard }), { code: 'camera_not_found' });
  await assert.rejects(snooze(guard, { rule: uuidv7(0) }), { code: 'alert_rule_not_found' });
  for (const hours of [0, -1, 24.01]) {
    await assert.rejects(snooze(guard, { camera: gate, until: inHours(hours) }), {
      code: 'snooze_end',
    });
  }
  for (const wrong of [{}, { camera: gate, rule: uuidv7(0) }]) {
    assert.equal(SnoozeFields.safeParse({ until: inHours(1), ...wrong }).success, false);
  }
  await it.notifications.snoozes.remove(guard, again.id);
  assert.deepEqual(await it.notifications.snoozes.list(guard), []);
});

test('~C-801 each snooze and each end that a user gives it is in the activity log', async () => {
  const made = await snooze(admin, { camera: yard, for_everyone: true });
  await it.notifications.snoozes.remove(admin, made.id);
  const entries = (await recorded(world.database.db)).filter(
    ({ action, object_id: id }) => action.startsWith('alert.snooze') && id === yard,
  );
  const details = { until: made.until, for_everyone: true };
  assert.deepEqual(
    entries.slice(-2).map((entry) => [entry.action, entry.user_id, entry.details]),
    [
      ['alert.snoozed', admin.userId, details],
      ['alert.snooze_ended', admin.userId, details],
    ],
  );
});
