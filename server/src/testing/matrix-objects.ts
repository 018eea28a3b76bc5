/** One of everything that a user can own, made through the front api of a test server. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { AlertRuleFields } from '@nazar/contract/alert-rules.ts';
import { SnoozeFields } from '@nazar/contract/snoozes.ts';
import { ClientEntry } from '@nazar/contract/activity.ts';
import { capabilities } from '@nazar/contract/capabilities.ts';
import { FaceFields } from '@nazar/contract/faces.ts';
import { SavedSearchForm } from '@nazar/contract/saved-searches.ts';
import { WallLayoutFields } from '@nazar/contract/wall-layouts.ts';
import { WebhookFields, maxWebhooks } from '@nazar/contract/webhooks.ts';
import { createScope, noGrants, type Scope } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { Made, ObjectKind } from './rights/row.ts';
import { call, testPassword, type SignedIn, type TestServer } from './server.ts';
import { segmentPath } from '#media/mp4/segment-file.ts';
import { aSegmentHead, segmentBytes, writeSegment } from './segments.ts';
import { until } from './until.ts';
import { aCameraForm, aPicture, aSeenFace, aVisit, testPackName } from './world.ts';

type Owner = Pick<SignedIn, 'id' | 'email'>;
type Maker = (world: TestServer, owner: Owner, caller: Owner) => Promise<Made>;

const aName = { first_name: 'Ayla', last_name: 'Example' } as const;

/** Recognition takes every look for another person. */
let lastFace = 0;

export const makers: Readonly<Record<ObjectKind, Maker>> = {
  camera: async (world, owner) => aCamera(world, owner),
  'camera group': async (world, owner) => {
    const { id: camera } = await aCamera(world, owner);
    const fields = { name: `Group ${(lastFace += 1)}`, description: '', cameras: [camera!] };
    const { id } = await world.server.cameras.groups.add(scopeOf(owner), fields);
    return { id, camera: camera! };
  },
  'saved search': async ({ server }, owner) => {
    const form = SavedSearchForm.parse({ name: `Search ${(lastFace += 1)}` });
    const { id } = await server.activityLog.searches.save(scopeOf(owner), form);
    return { id };
  },
  'wall layout': (world, owner) => aLayout(world, owner, false),
  'shared wall layout': (world, owner) => aLayout(world, owner, true),
  grant: async (world, owner) => {
    const { id: camera } = await aCamera(world, owner);
    return { id: await grantTo(world, owner, owner, camera!) };
  },
  'user group': async ({ server }, owner) => {
    const fields = { name: `Group ${(lastFace += 1)}`, description: '', members: [] };
    const { id } = await server.accounts.groups.add(scopeOf(owner), fields);
    return { id };
  },
  person: async ({ server }, owner) => {
    const [category] = await server.faces.categories.list();
    const name = { first_name: 'Ayla', last_name: 'Example', category: category!.id };
    const fields = FaceFields.parse(name);
    const { id, images } = await server.faces.add(
      scopeOf(owner),
      fields,
      [],
      aSeenFace((lastFace += 1)),
    );
    return { id, image: images[0]!.id };
  },
  recording: async (world, owner) => {
    const { recording, camera } = await aRecording(world, owner);
    return { id: recording!, camera: camera! };
  },
  segment: async (world, owner) => {
    const { segment, camera } = await aRecording(world, owner);
    return { id: segment!, camera: camera! };
  },
  // An export of nothing that was recorded: it waits, or failed.
  export: async (world, owner) => {
    const { id: camera } = await aCamera(world, owner);
    const hour = { from: '2020-01-15T10:00:00.000Z', until: '2020-01-15T11:00:00.000Z' };
    const fields = { cameras: [camera!], ...hour };
    const [made] = await world.server.recordings.exports.add(scopeOf(owner), fields);
    return { id: made!.id, camera: camera! };
  },
  hold: async (world, owner) => {
    const { id: camera } = await aCamera(world, owner);
    const from = new Date(world.clock.now() - 60_000).toISOString();
    const until = new Date(world.clock.now()).toISOString();
    const fields = { camera: camera!, from, until, reason: 'A break-in' };
    const { id } = await world.server.recordings.holds.add(scopeOf(owner), fields);
    return { id, camera: camera! };
  },
  bookmark: async (world, owner) => {
    const { id: camera } = await aCamera(world, owner);
    const at = new Date(world.clock.now()).toISOString();
    const fields = { at, note: 'A parcel' };
    const { id } = await world.server.recordings.bookmarks.add(scopeOf(owner), camera!, fields);
    return { id, camera: camera! };
  },
  visit: async (world, owner) => {
    const { id: cameraId } = await aCamera(world, owner);
    const picture = aPicture((lastFace += 1));
    const visit = aVisit(cameraId!, world.clock.now() - 60_000 + lastFace, { picture });
    await world.server.visits.write(visit);
    const [category] = await world.server.faces.categories.list();
    return { id: visit.id, camera: cameraId!, category: category!.id };
  },
  'unknown face': async (world, owner) => {
    const { id: cameraId } = await aCamera(world, owner);
    const picture = aPicture((lastFace += 1));
    const visit = aVisit(cameraId!, world.clock.now() - 60_000 + lastFace, { picture });
    const { identityId } = await world.server.visits.write(visit);
    const [category] = await world.server.faces.categories.list();
    return { id: identityId, camera: cameraId!, visit: visit.id, category: category!.id };
  },
  // A visit of someone the owner enrolled.
  'named visit': async (world, owner) => {
    const { id: cameraId } = await aCamera(world, owner);
    const [category] = await world.server.faces.categories.list();
    const fields = FaceFields.parse({ ...aName, category: category!.id });
    const picture = aPicture((lastFace += 1));
    const { faces, visits } = world.server;
    await faces.add(scopeOf(owner), fields, [], aSeenFace(lastFace));
    const [nearest] = faces.nearest(picture.template, testPackName, 1);
    const { identityId } = nearest!;
    const visit = aVisit(cameraId!, world.clock.now() - 60_000 + lastFace, { picture, identityId });
    await visits.write(visit);
    return { id: visit.id, camera: cameraId! };
  },
  // A day on which someone the owner enrolled was seen.
  'day of a visit': async (world, owner) => {
    const { id: cameraId } = await aCamera(world, owner);
    const [category] = await world.server.faces.categories.list();
    const fields = FaceFields.parse({ ...aName, category: category!.id });
    const picture = aPicture((lastFace += 1));
    const { faces, visits } = world.server;
    const person = await faces.add(scopeOf(owner), fields, [], aSeenFace(lastFace));
    const [nearest] = faces.nearest(picture.template, testPackName, 1);
    const startedAtMs = world.clock.now() - 60_000 + lastFace;
    await visits.write(
      aVisit(cameraId!, startedAtMs, { picture, identityId: nearest!.identityId }),
    );
    return { id: `${new Date(startedAtMs).toISOString().slice(0, 10)}.${person.id}` };
  },
  // A user said that it is not this person.
  'corrected visit': async (world, owner, caller) => {
    const made = await makers['named visit'](world, owner, caller);
    await world.server.visits.notThisPerson(scopeOf(owner), made['id']!);
    return made;
  },
  // One who was seen twice, and another one.
  'unknown faces': async (world, owner) => {
    const { id: camera } = await aCamera(world, owner);
    const [look, other] = [(lastFace += 1), (lastFace += 1)];
    const atMs = world.clock.now() - 3_600_000;
    const made = [];
    for (const [i, it] of [look, look, other].entries()) {
      const visit = aVisit(camera!, atMs + i * 60_000, { picture: aPicture(it) });
      made.push({ visit, ...(await world.server.visits.write(visit)) });
    }
    return {
      id: made[0]!.identityId,
      visit: made[0]!.visit.id,
      other: made[2]!.identityId,
      camera: camera!,
    };
  },
  'identified face': async (world, owner, caller) => {
    const made = await makers['unknown face'](world, owner, caller);
    const name = { ...aName, category: made['category']! };
    const { unknown } = world.server.visits;
    const { correction } = await unknown.identify(scopeOf(owner), made['id']!, name);
    return { ...made, correction: correction!.id };
  },
  session: async ({ app, clock }, { email }) => {
    clock.advance(1); // of too many sessions the oldest ends, which must be another
    const login = await call(app, 'POST', '/secure-api/accounts/login/', {
      body: { email, password: testPassword },
    });
    if (login.status !== 200) throw new Error(login.text);
    const { access } = login.json<{ access: string }>();
    const list = await call(app, 'GET', '/secure-api/accounts/sessions/', { access });
    const { results } = list.json<{ results: { id: string; is_current: boolean }[] }>();
    return { id: results.find(({ is_current }) => is_current)!.id };
  },
  // Past the front door, which would end the sessions of the owner who is to ask.
  passkey: async ({ database, clock }, { id: userId }) => {
    const id = uuidv7(clock.now());
    await sql`
      insert into passkey values (${id}, ${userId}, 'Key', 'localhost', ${Buffer.from(id)}, '', 0, '{}', false, now())
    `.execute(database.db.write());
    return { id };
  },
  // As it is in the table: what the policy says of making one is asked elsewhere.
  'API key': async ({ database, clock }, { id: ownerId }) => {
    const id = uuidv7(clock.now());
    const [hash, at] = [randomBytes(32), new Date(clock.now())];
    await sql`insert into api_key (id, user_id, name, hash, scopes, created_at, expires_at)
      values (${id}, ${ownerId}, 'Script', ${hash}, '{live}', ${at}, ${at}::timestamptz + interval '1 day')`.execute(
      database.db.write(),
    );
    return { id };
  },
  'log entry': aLogEntry,
  'system log entry': aSystemLogEntry,
  verification: async ({ server, clock }, owner) => {
    await server.verification.start(scopeOf(owner));
    let hasEnded = false;
    const ended = server.verification.settled().then(() => (hasEnded = true));
    // It rests now and then, as long as the clock stands.
    await until(() => {
      clock.advance(1);
      return hasEnded;
    });
    await ended;
    const { done } = await server.verification.state();
    return { id: done!.id };
  },
  warning: async ({ server, clock }) => {
    clock.advance(1);
    await server.warnings.raise({ kind: 'many_denials', subject: `somebody ${(lastFace += 1)}` });
    const [newest] = await server.warnings.list();
    return { id: newest!.id };
  },
  alert: async (world, owner) => {
    const { id: camera } = await aCamera(world, owner);
    const id = uuidv7(world.clock.now());
    const at = new Date(world.clock.now());
    await sql`
      insert into alert (id, kind, level, subject, camera_id, count, people, created_at, last_at)
      values (${id}, 'unknown_person', 'warning', ${camera!}, ${camera!}, 1, 1, ${at}, ${at})`.execute(
      world.database.db.write(),
    );
    return { id, camera: camera! };
  },
  'alert rule': async ({ server }, owner) => {
    const fields = AlertRuleFields.parse({ kind: 'camera_down', level: 'info' });
    const { id } = await server.alerts.rules.add(scopeOf(owner), fields);
    return { id };
  },
  'push device': async ({ database, clock }, owner) => {
    const id = uuidv7(clock.now());
    const at = new Date(clock.now());
    const bytes = randomBytes(32);
    await sql`
      insert into push_device (id, user_id, session_id, sealed_subscription, endpoint_hash, service, name, created_at,
        renewed_at)
      values (${id}, ${owner.id}, ${id}, ${bytes}, ${bytes}, 'push.example.org', 'Phone', ${at}, ${at})`.execute(
      database.db.write(),
    );
    return { id };
  },
  webhook: async ({ server }, owner) => ({ id: await aWebhook(server, owner) }),
  'webhook delivery': async ({ server, database, clock }, owner) => {
    const webhook = await aWebhook(server, owner);
    const id = uuidv7(clock.now());
    const at = new Date(clock.now());
    await sql`
      insert into webhook_delivery (id, webhook_id, event, alert_id, is_critical, state, created_at, due_at, give_up_at,
        fault)
      values (${id}, ${webhook}, 'alert.raised', ${uuidv7(clock.now())}, false, 'failed', ${at}, ${at}, ${at},
        'expired')`.execute(database.db.write());
    return { id };
  },
  notification: async (world, owner) => {
    const id = uuidv7(world.clock.now());
    const at = new Date(world.clock.now());
    await sql`
      insert into notification (id, user_id, kind, event, created_at, last_at)
      values (${id}, ${owner.id}, 'account', 'role_changed', ${at}, ${at})`.execute(
      world.database.db.write(),
    );
    return { id };
  },
  // A rule that its owner has snoozed.
  snooze: async ({ server, clock }, owner) => {
    const fields = AlertRuleFields.parse({ kind: 'camera_down', level: 'info' });
    const { id: rule } = await server.alerts.rules.add(scopeOf(owner), fields);
    const until = new Date(clock.now() + 60_000).toISOString();
    const asked = SnoozeFields.parse({ rule, until });
    const { id } = await server.notifications.snoozes.add(scopeOf(owner), asked);
    return { id };
  },
  user: async (_world, { id }) => ({ id }),
  'user with entries': async (world, owner) => {
    await aLogEntry(world, owner);
    return { id: owner.id };
  },
  oneself: async (_world, _owner, { id }) => ({ id }),
  'other user': anotherUser,
  'new user': anotherUser,
  'other user session': async (world) => {
    const { id, email } = await anotherUser(world);
    const login = await world.server.accounts.login(
      { email: email!, password: testPassword, remember: false },
      { isBrowser: false, cookie: undefined, ip: '127.0.0.1', userAgent: '' },
    );
    if (!('sessionId' in login)) throw new Error('nobody here has a second factor');
    return { id: id!, session: login.sessionId };
  },
};

async function aLayout(world: TestServer, owner: Owner, isShared: boolean): Promise<Made> {
  const { id: camera } = await aCamera(world, owner);
  const fields = { name: 'Night', tiles: [{ camera_id: camera, is_pinned: false }] };
  const { id } = await world.server.cameras.layouts.add(
    scopeOf(owner),
    WallLayoutFields.parse({ ...fields, is_shared: isShared }),
  );
  return { id, camera: camera! };
}

async function aCamera({ server }: TestServer, owner: Owner): Promise<Made> {
  const { id } = await server.cameras.add(scopeOf(owner), aCameraForm({ status: 'active' }));
  return { id, camera: id };
}

/** Past the front door, which learns of files from hosts or by looking through all of a disk. */
async function aRecording(world: TestServer, owner: Owner): Promise<Made> {
  const { id: camera } = await aCamera(world, owner);
  const head = aSegmentHead(camera!, world.clock.now() - 60_000);
  const bytes = segmentBytes(head, 1);
  writeSegment(join(world.recordingFolder, camera!), head, bytes);
  const recording = uuidv7(head.startedAtMs);
  const startedAt = new Date(head.startedAtMs);
  const db = world.database.db.write();
  await sql`insert into recording values (${recording}, ${camera}, 'continuous', ${startedAt})`.execute(
    db,
  );
  await sql`
    insert into recording_segment
      select ${head.id}, ${camera}, ${recording}, id, ${`${camera}/${segmentPath(head)}`},
             ${startedAt}, ${startedAt}, ${bytes.length}, 0, 1, '{}', '{}', sha256(${bytes}),
             ${head.codec}, ${head.mime}, ${head.width}, ${head.height}, ${head.stream}
        from recording_root`.execute(db);
  return { camera: camera!, recording, segment: head.id };
}

/** Grants a user everything of that camera; returns the grant's id. */
export async function grantTo(
  { server }: TestServer,
  giver: Owner,
  { id }: Owner,
  cameraId: string,
): Promise<string> {
  const grant = await server.cameras.access.give(scopeOf(giver), {
    to: { type: 'user', id },
    of: { type: 'camera', id: cameraId },
    capabilities: [...capabilities],
    categories: [],
  });
  return grant.id;
}

async function aLogEntry({ server, clock }: TestServer, owner: Owner): Promise<Made> {
  clock.advance(1); // the newest, and so on the first page
  const entry = ClientEntry.parse({ action: 'view' });
  const { id } = await server.activityLog.add(scopeOf(owner), entry, 'en');
  return { id };
}

/** Past the queue and the limit of what a browser may report in a minute. */
async function aSystemLogEntry({ database, clock }: TestServer, owner: Owner): Promise<Made> {
  clock.advance(1); // the newest, and so on the first page
  const id = uuidv7(clock.now());
  const at = new Date(clock.now());
  await sql`
    insert into system_log values
      (${id}, ${at}, 'info', 'http', 'request failed', ${owner.id}, '{}', 'request failed', 1, ${at})`.execute(
    database.db.write(),
  );
  return { id };
}

async function anotherUser({ server }: TestServer): Promise<Made> {
  const email = `other-${(lastFace += 1)}@example.org`;
  const name = { firstName: 'Other', lastName: 'Example' };
  const user = { email, password: testPassword, role: 'operator', ...name } as const;
  const { id } = await server.accounts.createUser(user);
  return { id, email };
}

/** Whatever their standing is by now: what counts is whose the object is. */
function scopeOf({ id, email }: Owner): Scope {
  return createScope({ userId: id, email, sessionId: id, standing: 'superadmin' }, noGrants);
}

/** Nothing is sent there: it is this machine. */
async function aWebhook(server: TestServer['server'], owner: Owner): Promise<string> {
  const { webhooks } = server.notifications;
  const before = await webhooks.list();
  // Each case makes its own, and there are twenty at most.
  if (before.length >= maxWebhooks) await webhooks.remove(scopeOf(owner), before[0]!.id);
  const fields = WebhookFields.parse({ name: 'Home', address: 'http://localhost:9/' });
  return (await webhooks.add(scopeOf(owner), fields)).id;
}
