/** What is pressed in a message, and the picture that it shows: once, and with the rights that its user has then. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { settleMs } from '#alerts/evaluation/visit-pass.ts';
import type { Scope } from '#http/scope.ts';
import { grant, notified, type Notified } from '#testing/notifications.ts';
import { pushService, type PushService } from '#testing/push-service.ts';
import { aPicture, aVisit, aWorld, noMail, type World } from '#testing/world.ts';
import { newTicket, ticketMs } from './tickets.ts';

let world: World;
let service: PushService;
let it: Notified;
let admin: Scope;
let guard: Scope;
let gate: string;
let grantId: string;
let looks = 0;

before(async () => {
  world = await aWorld();
  service = await pushService();
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await sql`truncate feed_change, alert, notification, notification_delivery, notification_settings, notification_snooze,
    push_device, push_message cascade`.execute(world.database.db.write());
  await sql`update app_user set is_active = false`.execute(world.database.db.write());
  service.received.length = 0;
  const { db } = world.database;
  it = notified(world, db, noMail(db), async () => ['127.0.0.1']);
  admin = await world.actor('admin');
  guard = await world.actor('user');
  gate = await world.camera(admin, { name: 'Gate' });
  grantId = (await grant(world, admin, guard, gate, ['live'])).id;
  await it.notifications.push.settings.change(admin, { content: 'pictures' });
  for (const [scope, name] of [
    [admin, 'desk'],
    [guard, 'tablet'],
  ] as const) {
    await it.notifications.push.devices.add(scope, service.device(name));
    await it.notifications.settings.change(await it.now(scope), { push: true });
  }
  await write(gate);
  await it.settle();
});
afterEach(() => it[Symbol.asyncDispose]());

async function write(cameraId: string): Promise<void> {
  const picture = aPicture((looks += 1));
  await world.visits.write(aVisit(cameraId, world.clock.now(), { picture }));
  world.clock.advance(settleMs);
}
const messageTo = (device: string) =>
  service.received.find((one) => one.device === device)!.message;
const ticketOf = (device: string): string => messageTo(device).ticket!;
const actions = () => it.notifications.push.actions;
const alert = async () => {
  const page = { page: 1, page_size: 5, ordering: '-created_at' } as const;
  const { results } = await it.alerts.lists.list(admin, page, { language: 'en', timeZone: 'UTC' });
  return results[0]!;
};

test('~APX-013 a message offers what can be done with its alert, and taking it is done once, as its user', async () => {
  assert.deepEqual(
    messageTo('tablet').actions.map(({ action, title }) => [action, title]),
    [
      ['take', 'Assign to me'],
      ['snooze', 'Snooze 1 hour'],
      ['resolve', 'Resolve'],
    ],
  );
  await actions().act(ticketOf('tablet'), 'take');
  assert.deepEqual(
    [(await alert()).status, (await alert()).assigned_to],
    ['in_progress', guard.userId],
  );
  await assert.rejects(actions().act(ticketOf('tablet'), 'resolve'), { code: 'push_ticket_used' });
  assert.equal((await alert()).status, 'in_progress');
  // The ticket of the other user is another one, and is refused what another user was first with.
  await assert.rejects(actions().act(ticketOf('desk'), 'take'), { code: 'alert_status_changed' });
});

test('~APX-012 resolving by a message resolves the alert, which is written in the activity log under its user', async () => {
  await actions().act(ticketOf('desk'), 'resolve');
  assert.deepEqual(
    [(await alert()).status, (await alert()).resolved_by],
    ['resolved', admin.userId],
  );
  const { rows } = await sql<{ user_id: string }>`
    select user_id from audit_entry where action = 'alert.resolved' and object_id = ${(await alert()).id}`.execute(
    world.database.db.read(),
  );
  assert.deepEqual(rows, [{ user_id: admin.userId }]);
});

test('snoozing by a message snoozes its camera for its user alone, for an hour', async () => {
  await actions().act(ticketOf('tablet'), 'snooze');
  const [snooze, ...more] = await it.notifications.snoozes.list(await it.now(guard));
  assert.equal(more.length, 0);
  assert.equal(snooze!.camera, gate);
  assert.equal(Date.parse(snooze!.until) - world.clock.now(), 60 * 60_000);
  assert.deepEqual(await it.notifications.snoozes.list(admin), []);
});

test('the picture of a message is given once, and is that of its visit', async () => {
  assert.equal(messageTo('tablet').has_picture, true);
  const { visit } = await alert();
  const picture = await actions().picture(ticketOf('tablet'));
  assert.deepEqual(picture, await world.visits.picture(admin, visit!));
  await assert.rejects(actions().picture(ticketOf('tablet')), { code: 'push_ticket_used' });
  await actions().act(ticketOf('tablet'), 'take');
});

test('C-304 a ticket opens nothing once its user may not see the alert, is disabled, or ended the session', async () => {
  await world.cameras.access.take(admin, grantId);
  await assert.rejects(actions().picture(ticketOf('tablet')), { code: 'push_ticket_used' });
  await assert.rejects(actions().act(ticketOf('tablet'), 'resolve'), { code: 'push_ticket_used' });
  await sql`update app_user set is_active = false where id = ${admin.userId}`.execute(
    world.database.db.write(),
  );
  await assert.rejects(actions().act(ticketOf('desk'), 'resolve'), { code: 'push_ticket_used' });
  const { rows } = await sql<{ status: string }>`select status from alert`.execute(
    world.database.db.read(),
  );
  assert.deepEqual(rows, [{ status: 'new' }]);
});

test('a ticket ends with its day, with its device, and no other text is one', async () => {
  for (const ticket of [newTicket(), ticketOf('desk').toLowerCase()]) {
    await assert.rejects(actions().act(ticket, 'take'), { code: 'push_ticket_used' });
  }
  const { devices } = await it.notifications.push.devices.state(admin);
  await it.notifications.push.devices.remove(admin, devices[0]!.id);
  await assert.rejects(actions().act(ticketOf('desk'), 'take'), { code: 'push_ticket_used' });
  world.clock.advance(ticketMs + 1);
  await assert.rejects(actions().act(ticketOf('tablet'), 'take'), { code: 'push_ticket_used' });
  assert.equal((await alert()).status, 'new');
});

test('~C-1011 no picture is given any more once administrators let none out', async () => {
  await it.notifications.push.settings.change(admin, { content: 'names' });
  await assert.rejects(actions().picture(ticketOf('desk')), { code: 'push_ticket_used' });
  await write(await world.camera(admin, { name: 'Yard' }));
  await it.settle();
  assert.equal(service.received.at(-1)!.message.has_picture, false);
});
