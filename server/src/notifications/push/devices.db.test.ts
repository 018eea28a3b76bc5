/** Devices as their users add, list, test and remove them. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { maxPushDevices } from '@nazar/contract/push.ts';
import type { Scope } from '#http/scope.ts';
import { notified, type Notified } from '#testing/notifications.ts';
import { pushService, type PushService } from '#testing/push-service.ts';
import { aWorld, noMail, type World } from '#testing/world.ts';

let world: World;
let service: PushService;
let it: Notified;
let admin: Scope;
let guard: Scope;

before(async () => {
  world = await aWorld();
  service = await pushService();
  const { db } = world.database;
  it = notified(world, db, noMail(db), async () => ['127.0.0.1']);
});
after(async () => {
  await it[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await sql`truncate push_device cascade`.execute(world.database.db.write());
  service.answers.clear();
  service.received.length = 0;
  admin = await world.actor('admin');
  guard = await world.actor('user');
});

const own = () => it.notifications.push.devices;
const names = async (scope: Scope) => (await own().state(scope)).devices.map(({ name }) => name);

test('C-304 a user lists, tests and removes the own devices only, and no answer has what would reach one', async () => {
  const desk = await own().add(admin, service.device('desk'));
  await own().add(guard, service.device('tablet'));
  const { devices, public_key: key } = await own().state(admin);
  assert.deepEqual(devices, [desk]);
  assert.equal(desk.service, new URL(service.origin).host);
  assert.equal(Buffer.from(key!, 'base64url').length, 65);
  const { p256dh, auth } = service.device('desk');
  assert.doesNotMatch(JSON.stringify(devices), new RegExp(`/push/|${p256dh}|${auth}`));
  for (const work of [own().test(guard, desk.id), own().remove(guard, desk.id)]) {
    await assert.rejects(work, { code: 'push_device_not_found' });
  }
  await own().remove(admin, desk.id);
  assert.deepEqual([await names(admin), await names(guard)], [[], ['Browser tablet']]);
});

test('the same key serves after a restart, and one that is made at the same moment elsewhere', async () => {
  const { db } = world.database;
  await using other = notified(world, db, noMail(db));
  const states = await Promise.all([
    own().state(admin),
    other.notifications.push.devices.state(admin),
  ]);
  assert.equal(states[0].public_key, states[1].public_key);
});

test('a device is renewed under its id; one of another user passes to who signs in on it', async () => {
  const first = await own().add(admin, service.device('desk'));
  world.clock.advance(1000);
  const again = await own().add(admin, { ...service.device('desk'), name: 'Desk' });
  assert.equal(again.id, first.id);
  assert.ok(again.renewed_at > first.renewed_at);
  assert.deepEqual(await names(admin), ['Desk']);
  const opened = { ...service.device('desk'), only_renew: true };
  await assert.rejects(own().add(guard, opened), { code: 'push_device_not_found' });
  assert.equal((await own().add(admin, opened)).id, first.id);
  assert.deepEqual([await names(admin), await names(guard)], [['Browser desk'], []]);
  const taken = await own().add(guard, service.device('desk'));
  assert.notEqual(taken.id, first.id);
  assert.deepEqual([await names(admin), await names(guard)], [[], ['Browser desk']]);
});

test('pages that add one device at the same moment add it once', async () => {
  const added = await Promise.all(
    Array.from({ length: 4 }, () => own().add(admin, service.device('desk'))),
  );
  assert.equal(new Set(added.map(({ id }) => id)).size, 1);
  assert.deepEqual(await names(admin), ['Browser desk']);
});

test('a subscription that no message could be sent to is refused at its field', async () => {
  const good = service.device('desk');
  const p256dh = Buffer.alloc(65, 7).toString('base64url');
  const bad = [
    { p256dh },
    { endpoint: 'http://push.example.org/one' },
    { endpoint: 'https://10.0.0.1/one' },
    { endpoint: 'https://169.254.169.254/one' },
    { endpoint: 'https://[::1]/one' },
    { endpoint: 'https://user:secret@push.example.org/one' },
    { endpoint: 'push.example.org' },
  ];
  for (const fields of bad) {
    await assert.rejects(
      own().add(admin, { ...good, ...fields }),
      { code: 'push_endpoint_refused', params: { field: 'endpoint' } },
      JSON.stringify(fields),
    );
  }
  assert.deepEqual(await names(admin), []);
});

test('a user has so many devices at most, whatever others have', async () => {
  for (let nth = 0; nth < maxPushDevices; nth += 1) {
    await own().add(admin, service.device(`device-${nth}`));
  }
  await assert.rejects(own().add(admin, service.device('one-more')), {
    code: 'push_devices_too_many',
  });
  await own().add(guard, service.device('tablet'));
  assert.equal((await names(admin)).length, maxPushDevices);
});

test('a test says what the push service answered, in the language of the user', async () => {
  await world.accounts.preferences.change(admin.userId, { language: 'ru' });
  const { id } = await own().add(admin, service.device('desk'));
  const { took_ms: _, ...well } = await own().test(admin, id);
  assert.deepEqual(well, { is_delivered: true, status: 201, fault: null });
  assert.equal(service.received[0]!.message.title, 'Nazar: проверка');
  service.answers.set('desk', 500);
  const { status, fault } = await own().test(admin, id);
  assert.deepEqual([status, fault], [500, 'refused']);
  assert.equal((await own().state(admin)).devices[0]!.fault, 'refused');
  service.answers.set('desk', 410);
  assert.equal((await own().test(admin, id)).fault, 'gone');
  assert.deepEqual(await names(admin), []);
});

test('~NSH-007 push can be wished once there is a device, and says so', async () => {
  const { settings } = it.notifications;
  await own().add(admin, service.device('desk'));
  assert.equal((await settings.of(admin)).available.push, true);
  assert.equal((await settings.change(admin, { push: true })).push, true);
  assert.equal((await settings.of(guard)).available.push, false);
  await assert.rejects(settings.change(guard, { push: true }), {
    code: 'notification_channel_unavailable',
  });
});
