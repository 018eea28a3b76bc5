/** Notifications as their user lists, reads and removes them, what is wished, and what goes by age. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { NotificationSettingsChange } from '@nazar/contract/notifications.ts';
import { sql } from 'kysely';
import type { Scope } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import { grant, kept, notified, type Notified } from '#testing/notifications.ts';
import { aWorld, type World } from '#testing/world.ts';
import { keptDays } from './removal.ts';
import { firstWishes } from './settings/wishes.ts';

let world: World;
let it: Notified;
let admin: Scope;
let guard: Scope;
let gate: string;
let yard: string;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  const user = await world.actor('user');
  gate = await world.camera(admin, { name: 'Gate' });
  yard = await world.camera(admin, { name: 'Yard' });
  await grant(world, admin, user, gate, ['live']);
  it = notified(world);
  guard = await it.now(user);
});
after(() => world[Symbol.asyncDispose]());

beforeEach(async () => {
  await sql`truncate feed_change, alert, notification, notification_settings cascade`.execute(
    world.database.db.write(),
  );
  await it[Symbol.asyncDispose]();
  it = notified(world);
});
afterEach(() => it[Symbol.asyncDispose]());

/** A notification as the feed makes it. */
async function made({ userId }: Scope, about: { alert?: string; camera?: string } = {}) {
  world.clock.advance(1_000);
  const at = new Date(world.clock.now());
  const id = uuidv7(at.getTime());
  const kind = about.alert ? 'alert' : about.camera ? 'export_done' : 'account';
  await sql`
    insert into notification (id, user_id, kind, alert_id, camera_id, event, created_at, last_at)
    values (${id}, ${userId}, ${kind}, ${about.alert ?? null}, ${about.camera ?? null},
      ${kind === 'account' ? 'role_changed' : null}, ${at}, ${at})`.execute(
    world.database.db.write(),
  );
  return id;
}

async function alertAt(cameraId: string, level = 'error'): Promise<string> {
  const at = new Date(world.clock.now());
  const id = uuidv7(at.getTime());
  await sql`
    insert into alert (id, kind, level, subject, camera_id, count, created_at, last_at)
    values (${id}, 'camera_down', ${level}, ${id}, ${cameraId}, 1, ${at}, ${at})`.execute(
    world.database.db.write(),
  );
  return id;
}

const idsOf = async (scope: Scope, query: object = {}) =>
  (await it.list(scope, query)).results.map(({ id }) => id);
const unread = async (scope: Scope) =>
  (await it.notifications.lists.unreadCount(scope)).unread_count;

test('~NOTE-001 APN-001 ~APN-002 filters and pages list the own ones, and their counts agree', async () => {
  const account = await made(guard);
  const alert = await made(guard, { alert: await alertAt(gate) });
  const later = await made(guard);
  const hidden = await made(guard, { alert: await alertAt(yard) });
  await made(admin);
  assert.deepEqual(await idsOf(guard), [later, alert, account]);
  assert.deepEqual(await idsOf(guard, { type: 'alert' }), [alert]);
  assert.deepEqual(await idsOf(guard, { type: 'system' }), [later, account]);
  await it.notifications.lists.markRead(guard, [account, hidden]);
  assert.deepEqual(await idsOf(guard, { is_read: 'false' }), [later, alert]);
  assert.deepEqual(await idsOf(guard, { is_read: 'true' }), [account]);
  assert.equal(await unread(guard), 2);
  const second = await it.list(guard, { page: '2', page_size: '2' });
  assert.deepEqual([second.count, second.results.map(({ id }) => id)], [3, [account]]);
  await assert.rejects(it.list(guard, { page: '3', page_size: '2' }), { code: 'page_too_late' });
});

test('~NOTE-002 ~NOTE-003 NOTE-004 APN-003 ~APN-004 ~APN-005 marking as read, one, some and all, of oneself', async () => {
  const [one, two, three] = [await made(guard), await made(guard), await made(guard)];
  const foreign = await made(admin);
  const { lists } = it.notifications;
  assert.equal((await lists.read(guard, one, 'en')).is_read, true);
  await assert.rejects(lists.read(guard, foreign, 'en'), { code: 'notification_not_found' });
  assert.deepEqual(await lists.markRead(guard, [one, two, foreign]), { unread_count: 1 });
  assert.deepEqual(await idsOf(guard, { is_read: 'false' }), [three]);
  assert.deepEqual(await lists.markRead(guard, null), { unread_count: 0 });
  assert.deepEqual(await idsOf(guard, { is_read: 'true' }), [three, two, one]);
  assert.equal(await unread(admin), 1);
});

test('~NOTE-005 ~NSH-008 one is removed for its user alone', async () => {
  const alert = await alertAt(gate);
  const [mine, theirs] = [await made(guard, { alert }), await made(admin, { alert })];
  const { lists } = it.notifications;
  await assert.rejects(lists.remove(guard, theirs), { code: 'notification_not_found' });
  await lists.remove(guard, mine);
  await assert.rejects(lists.remove(guard, mine), { code: 'notification_not_found' });
  assert.deepEqual([await idsOf(guard), await idsOf(admin)], [[], [theirs]]);
});

test('ENT-021 CFL-013 one has title, message, state, time, and a type', async () => {
  await made(guard, { alert: await alertAt(gate, 'critical') });
  const [one] = (await it.list(guard)).results;
  assert.deepEqual(
    [one!.title, one!.message, one!.is_read, one!.type, one!.level],
    ['No video from Gate', "The camera isn't sending video.", false, 'alert', 'critical'],
  );
  assert.equal(one!.created_at, new Date(world.clock.now()).toISOString());
});

test('~C-304 an export names its camera only to who sees it', async () => {
  await made(guard, { camera: gate });
  await made(guard, { camera: yard });
  assert.deepEqual((await it.list(guard)).titles, [
    'Your export is ready',
    'The export of Gate is ready',
  ]);
  assert.deepEqual((await it.list(guard, {}, 'ru')).titles, [
    'Ваш экспорт готов',
    'Экспорт с камеры Gate готов',
  ]);
});

test('APN-006 APN-007 ~NSH-007 settings are as installed until changed, by either spelling', async () => {
  const { settings } = it.notifications;
  const installed = await settings.of(guard);
  assert.deepEqual(
    [installed.email, installed.push, installed.sms, installed.emailAddress],
    [true, false, false, null],
  );
  assert.deepEqual(
    [installed.notifyOnUnknown, installed.notifyOnKnown, installed.dailyReports],
    [true, false, false],
  );
  assert.deepEqual(installed.alert_levels, firstWishes.alert_levels);
  assert.deepEqual(installed.available, { email: false, push: false, sms: false });
  await settings.change(guard, { email: false, notify_on_known: true, cameras: [gate, gate] });
  const quiet = { quiet_from: '22:00', quiet_to: '06:30', quiet_days: [7, 1, 7] };
  const after = await settings.change(guard, { notifyOnUnknown: false, ...quiet });
  assert.deepEqual(
    [after.email, after.notifyOnKnown, after.notifyOnUnknown, after.cameras],
    [false, true, false, [gate]],
  );
  assert.deepEqual(
    [after.quiet_from, after.quiet_to, after.quiet_days],
    ['22:00', '06:30', [1, 7]],
  );
  assert.deepEqual(await settings.of(guard), after);
  assert.deepEqual(await settings.of(admin), installed);
  const none = await settings.change(guard, { cameras: [], quiet_from: null, quiet_to: null });
  assert.deepEqual([none.cameras, none.quiet_from], [[], null]);
  assert.equal((await settings.change(guard, { cameras: null })).cameras, null);
});

test('~NSH-007 what cannot be had is refused at its field, and nothing of it is stored', async () => {
  const { settings } = it.notifications;
  const person = await world.person(admin, 'Ayla', 600_000);
  const refused: [NotificationSettingsChange, string, string][] = [
    [{ cameras: [gate, yard] }, 'camera_not_found', 'cameras'],
    [{ muted_people: [person.id] }, 'face_not_found', 'muted_people'],
    [{ sms: true }, 'notification_channel_unavailable', 'sms'],
    [{ push: true }, 'notification_channel_unavailable', 'push'],
    [{ emailAddress: 'x@example.org' }, 'notification_channel_unavailable', 'emailAddress'],
    [{ email_address: 'x@example.org' }, 'notification_channel_unavailable', 'email_address'],
  ];
  const before = await settings.of(guard);
  for (const [change, code, field] of refused) {
    await assert.rejects(settings.change(guard, { ...change, dailyReports: true }), (error) => {
      assert.ok(error instanceof Problem);
      assert.deepEqual([error.code, error.params], [code, { field }]);
      return true;
    });
  }
  assert.deepEqual(await settings.of(guard), before);
  assert.equal((await settings.change(guard, { emailAddress: guard.email })).emailAddress, null);
  await settings.change(admin, { muted_people: [person.id] });
});

test('~NSH-007 quiet hours have two ends', () => {
  const parses = (change: object) => NotificationSettingsChange.safeParse(change).success;
  assert.ok(parses({ quiet_from: '22:00', quiet_to: '06:00' }));
  assert.ok(parses({ quiet_from: null, quiet_to: null }) && parses({ email: true }));
  assert.ok(!parses({ quiet_from: '22:00' }) && !parses({ quiet_to: null }));
  assert.ok(!parses({ quiet_from: '22:00', quiet_to: null }));
  assert.ok(!parses({ quiet_from: '25:00', quiet_to: '06:00' }));
});

test('a camera or person that is gone leaves no id in the settings', async () => {
  const { settings } = it.notifications;
  const person = await world.person(admin, 'Gone', 600_001);
  const [lost, stays] = [await world.camera(admin), await world.camera(admin)];
  await settings.change(admin, { cameras: [lost, stays], muted_people: [person.id] });
  const db = world.database.db.write();
  await sql`delete from camera where id = ${lost}`.execute(db);
  await sql`delete from person where id = ${person.id}`.execute(db);
  const after = await settings.of(admin);
  assert.deepEqual([after.cameras, after.muted_people], [[stays], []]);
});

test('notifications go after 90 days, and with their alert', async () => {
  const alert = await alertAt(gate);
  await made(guard, { alert });
  await made(admin, { alert });
  await made(guard);
  const { removal } = it.notifications;
  await removal.removeOld();
  assert.equal((await kept(world.database.db)).rows, 3);
  await sql`delete from alert`.execute(world.database.db.write());
  assert.deepEqual((await it.list(admin)).count, 0);
  await removal.removeOld();
  assert.equal((await kept(world.database.db)).rows, 1);
  world.clock.advance(keptDays * 24 * 60 * 60_000);
  const fresh = await made(guard);
  await removal.removeOld();
  assert.deepEqual(await idsOf(guard), [fresh]);
});
