import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { CameraDoing } from '@nazar/contract/cameras.ts';
import type { Detection } from '@nazar/contract/visits.ts';
import type { ChangedAlert } from '#alerts/alerts.ts';
import { createHttp } from '#http/http.ts';
import type { Scope } from '#http/scope.ts';
import { SharedAnswers } from '#http/shared-answers.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import { Topic } from '#lib/topic.ts';
import { offHealth } from '#media/protocol/health.ts';
import type { HealthNews, RecordedNews } from '#media/media.ts';
import { granting } from '#testing/grants.ts';
import { oneByOne } from '#testing/scopes.ts';
import { openSocket, type TestSocket } from '#testing/sockets.ts';
import { until } from '#testing/until.ts';
import { aPicture, aVisit, aWorld, quietLog, type World } from '#testing/world.ts';
import { LiveEvents } from './events.ts';

const path = '/secure-api/news/ws/';
let world: World;
let app: FastifyInstance;
let news: LiveEvents;
let admin: Scope;
let user: Scope;
let other: Scope;
const sessions = new Map<string, Scope>();
const failed = (error: unknown): never => {
  throw error;
};
const healthChanged = new Topic<HealthNews>(failed);
const recorded = new Topic<RecordedNews>(failed);
/** What every camera does. */
let doing: CameraDoing = {
  health: offHealth,
  is_recording: false,
  recording_reason: null,
  recording_state: 'off',
  recording_cause: null,
};
const answers = new SharedAnswers({ monotonicMs: () => world.clock.monotonicMs() });
const alerts = { changed: new Topic<ChangedAlert>(failed) };
const recordings = { changed: new Topic<{ cameraId: string }>(failed) };
/** How many each account has not read. */
const unread = new Map<string, number>();
const notifications = {
  changed: new Topic<{ userId: string }>(failed),
  lists: {
    unreadCount: async ({ userId }: Scope) => ({ unread_count: unread.get(userId) ?? 0 }),
  },
};

before(async () => {
  world = await aWorld();
  const { cameras, faces, visits, clock } = world;
  [admin, user, other] = [
    await world.actor('admin'),
    await world.actor('user'),
    await world.actor('operator'),
  ];
  for (const scope of [admin, user, other]) sessions.set(scope.sessionId, scope);
  news = new LiveEvents({
    cameras,
    faces,
    visits,
    media: { healthChanged, recorded },
    doingOf: () => doing,
    recordings,
    alerts,
    notifications,
    answers,
    scopesOf: oneByOne(async ({ sessionId }) => sessions.get(sessionId) ?? null),
    // The session's id stands for its access token.
    scopeOfToken: async (access) => {
      if (access === 'database away') throw new Problem('unavailable');
      const scope = sessions.get(access);
      if (!scope) throw new Problem('not_signed_in');
      return scope;
    },
    clock,
    log: quietLog,
  });
  app = await createHttp({ log: quietLog, hosts: ['127.0.0.1'], trustProxy: [], clock });
  const api = { app, identify: () => Promise.reject(new Error('not asked')), served: [] };
  news.bind({ ...api, awaitsSetup: async () => false });
});
after(async () => {
  await news[Symbol.asyncDispose]();
  await app.close();
  await world[Symbol.asyncDispose]();
});

/** A reader who is known by the time this resolves: it has received something. */
async function read(scope: Scope): Promise<TestSocket> {
  const reader = await openSocket(app, path);
  reader.socket.send(JSON.stringify({ access: scope.sessionId }));
  await until(() => {
    world.cameras.changed.publish({ cameraId: 'any' });
    return reader.received.length > 0;
  });
  return reader;
}

/** Every visit that a reader received, in that order. */
const seenBy = ({ received }: TestSocket): Detection[] =>
  received.flatMap(({ seen }) => (seen ?? []) as Detection[]);
const goneFor = ({ received }: TestSocket): string[] =>
  received.flatMap(({ gone }) => (gone ?? []) as string[]);

/** Time goes on until it is so: visits are sent at most five times a second. */
const inTime = (isSo: () => boolean): Promise<void> =>
  until(() => {
    world.clock.advance(50);
    return isSo();
  });

/** Resolves with the visit once the reader received it. */
async function eventOf(reader: TestSocket, id: string): Promise<Detection> {
  const find = () => seenBy(reader).findLast((detection) => detection.id === id);
  await inTime(() => find() !== undefined);
  return find()!;
}

const figuresSent = ({ received }: TestSocket): number =>
  received.filter(({ what }) => what === 'visits').length;

test('C-706 a reader who does not sign in within 5 s is disconnected', async () => {
  const silent = await openSocket(app, path);
  await until(() => {
    world.clock.advance(5_000);
    return silent.socket.readyState !== silent.socket.OPEN;
  });
  assert.equal(await silent.closed, 1008);
});

test('C-706, C-208 a first message that names no session closes the socket', async () => {
  for (const message of [
    '',
    'rubbish',
    '{}',
    '{"access":1}',
    '{"access":"nobody"}',
    'null',
    '[]',
  ]) {
    const stranger = await openSocket(app, path);
    stranger.socket.send(message);
    assert.equal(await stranger.closed, 1008, message);
    assert.deepEqual(stranger.received, []);
  }
});

test('C-706 a page of another site is refused before any message', async () => {
  await assert.rejects(openSocket(app, path, { origin: 'https://evil.example' }), /403/);
});

test('~R-16 a database that is away is no reason to renew a token', async () => {
  const reader = await openSocket(app, path);
  reader.socket.send(JSON.stringify({ access: 'database away' }));
  assert.equal(await reader.closed, 1011);
});

test('C-706, C-712 a message beyond 64 KiB ends the connection', async () => {
  const reader = await openSocket(app, path);
  reader.socket.send('x'.repeat(65 * 1024));
  assert.equal(await reader.closed, 1009);
});

test('ROL-004, C-304 visits and states are sent to users who may see their camera, and to no one else', async () => {
  const cameraId = await world.camera(user);
  const readers = { admin: await read(admin), user: await read(user), other: await read(other) };
  const visit = aVisit(cameraId, world.clock.now());
  await world.visits.write(visit);
  healthChanged.publish({ cameraId, health: { ...offHealth, state: 'live' } });
  for (const reader of [readers.admin, readers.user]) {
    assert.equal((await eventOf(reader, visit.id)).face_name, 'Unknown');
    const state = await reader.firstThat(({ kind }) => kind === 'camera');
    assert.equal(state['camera_id'], cameraId);
  }
  // A visit of their own comes after; had the other been sent, it would stand before it.
  const own = aVisit(await world.camera(other), world.clock.now());
  await world.visits.write(own);
  await eventOf(readers.other, own.id);
  assert.ok(!JSON.stringify(readers.other.received).includes(cameraId));
  for (const { socket } of Object.values(readers)) socket.close();
});

test('CAM-015 the recording state of a camera is sent at once, with its state, and each change once', async () => {
  const cameraId = await world.camera(user);
  const reader = await read(user);
  const sent = () => reader.received.filter(({ kind }) => kind === 'camera');
  const becomes = async (next: Partial<CameraDoing>): Promise<void> => {
    doing = { ...doing, ...next };
    const before = sent().length;
    const news = { kind: 'interrupted', startedAtMs: world.clock.now(), cause: 'camera' } as const;
    for (const topic of [recorded, recorded]) topic.publish({ cameraId, news });
    healthChanged.publish({ cameraId, health: doing.health });
    await until(() => sent().length > before);
  };
  const live = { ...offHealth, state: 'live' } as const;
  const reason = 'continuous' as const;
  await becomes({ health: live, is_recording: true, recording_reason: reason });
  await becomes({ is_recording: false, recording_state: 'interrupted' });
  const visit = aVisit(cameraId, world.clock.now());
  await world.visits.write(visit);
  await eventOf(reader, visit.id);
  assert.deepEqual(
    sent().map((news) => [news['is_recording'], news['recording_state'], news['health']]),
    [
      [true, 'off', live],
      [false, 'interrupted', live],
    ],
  );
  reader.socket.close();
});

test('C-1009 a visit bears the name only for users who may read it', async () => {
  const cameraId = await world.camera(user);
  const { identityId } = await world.person(admin, 'Turan', 61);
  const readers = [await read(admin), await read(user)];
  const visit = aVisit(cameraId, world.clock.now(), { identityId });
  await world.visits.write(visit);
  const names = [];
  for (const reader of readers) names.push((await eventOf(reader, visit.id)).face_name);
  assert.deepEqual(names, ['Turan Example', 'Known person']);
  for (const { socket } of readers) socket.close();
});

test('~NAV-034 the unread count goes to the own tabs once a second, and to no reader who sees as another user', async () => {
  const tabs = [await read(user), await read(user)];
  const elsewhere = await read(admin);
  const disguised = { ...user, sessionId: uuidv7(world.clock.now()), seenBy: admin.userId };
  sessions.set(disguised.sessionId, disguised);
  const looking = await read(disguised);
  const countsOf = ({ received }: TestSocket) =>
    received.filter(({ kind }) => kind === 'notifications').map((one) => one['unread_count']);
  unread.set(user.userId, 3);
  notifications.changed.publish({ userId: user.userId });
  await inTime(() => tabs.every((tab) => countsOf(tab).length === 1));
  unread.set(user.userId, 5);
  for (let nth = 0; nth < 10; nth += 1) notifications.changed.publish({ userId: user.userId });
  await inTime(() => tabs.every((tab) => countsOf(tab).length === 2));
  assert.deepEqual(tabs.map(countsOf), [
    [3, 5],
    [3, 5],
  ]);
  assert.deepEqual([countsOf(elsewhere), countsOf(looking)], [[], []]);
  sessions.delete(disguised.sessionId);
});

test('C-304 changed alerts are announced once a second to readers who may see their camera, and to no other', async () => {
  const [mine, others] = [await world.camera(user), await world.camera(other)];
  const readers = { admin: await read(admin), user: await read(user), other: await read(other) };
  const announced = (who: keyof typeof readers): number =>
    readers[who].received.filter(({ what }) => what === 'alerts').length;
  const changed = (cameraId: string | null) =>
    alerts.changed.publish({ alertId: uuidv7(world.clock.now()), cameraId, kind: 'updated' });
  changed(mine);
  await inTime(() => announced('admin') === 1 && announced('user') === 1);
  // Those that come within the second are one message.
  changed(mine);
  changed(mine);
  changed(null);
  await inTime(() => announced('admin') === 2 && announced('user') === 2);
  changed(others);
  await inTime(() => announced('admin') === 3 && announced('other') === 1);
  changed(null);
  await inTime(() => announced('admin') === 4);
  assert.deepEqual([announced('admin'), announced('user'), announced('other')], [4, 2, 1]);
  for (const { socket } of Object.values(readers)) socket.close();
});

test('visits that come together go as one message, each once, as it is by then; no more than five a second', async () => {
  const cameraId = await world.camera(user);
  world.clock.advance(10_000);
  const reader = await read(user);
  const first = aVisit(cameraId, world.clock.now());
  await world.visits.write(first);
  await reader.firstThat(({ kind }) => kind === 'visits');
  // Nothing is sent while the clock stands.
  const { identityId } = await world.person(user, 'Zaur', 63);
  const [second, third, withdrawn] = [10, 20, 30].map((laterMs) =>
    aVisit(cameraId, world.clock.now() + laterMs, { picture: aPicture(70 + laterMs) }),
  );
  for (const visit of [second!, third!, withdrawn!]) await world.visits.write(visit);
  const { identityId: stranger } = await world.visits.write(second!);
  await world.visits.reassign({ ...second!, confidence: 0.9 }, stranger, identityId);
  await world.visits.withdraw(withdrawn!);
  await inTime(() => goneFor(reader).length > 0);
  const sent = reader.received.filter(({ kind }) => kind === 'visits');
  assert.equal(sent.length, 2);
  assert.deepEqual(
    seenBy(reader).map(({ id, face_name }) => [id, face_name]),
    [
      [first.id, 'Unknown'],
      [third!.id, 'Unknown'],
      [second!.id, 'Zaur Example'],
    ],
  );
  assert.deepEqual(goneFor(reader), [withdrawn!.id]);
  reader.socket.close();
});

test('C-304 a withdrawn or deleted visit disappears for users who may see its camera, and for no one else', async () => {
  const cameraId = await world.camera(user);
  const readers = { user: await read(user), other: await read(other) };
  const visits = [1, 2].map((n) =>
    aVisit(cameraId, world.clock.now() + n, { picture: aPicture(80 + n) }),
  );
  for (const visit of visits) await world.visits.write(visit);
  for (const { id } of visits) await eventOf(readers.user, id);
  await world.visits.withdraw(visits[0]!);
  await world.visits.deleting.one(user, visits[1]!.id);
  await inTime(() => goneFor(readers.user).length === 2);
  assert.deepEqual(
    goneFor(readers.user),
    visits.map(({ id }) => id),
  );
  const own = aVisit(await world.camera(other), world.clock.now());
  await world.visits.write(own);
  await eventOf(readers.other, own.id);
  assert.deepEqual([goneFor(readers.other), seenBy(readers.other).length], [[], 1]);
  for (const { socket } of Object.values(readers)) socket.close();
});

test('while visits come, figures are asked for once in five seconds, once after the last, and only by readers who saw one', async () => {
  const [cameraId, elsewhere] = [await world.camera(user), await world.camera(other)];
  const readers = { user: await read(user), other: await read(other) };
  world.clock.advance(10_000);
  let atMs = world.clock.now();
  const see = async (camera: string): Promise<string> => {
    const visit = aVisit(camera, (atMs += 1), { picture: aPicture(atMs % 128) });
    await world.visits.write(visit);
    return visit.id;
  };
  await eventOf(readers.user, await see(cameraId));
  await inTime(() => figuresSent(readers.user) === 1);
  const sinceMs = world.clock.monotonicMs();
  for (let nth = 0; nth < 5; nth += 1) await eventOf(readers.user, await see(cameraId));
  assert.ok(world.clock.monotonicMs() - sinceMs < 5_000, 'they came within five seconds');
  assert.equal(figuresSent(readers.user), 1);
  await inTime(() => figuresSent(readers.user) === 2);
  assert.equal(figuresSent(readers.other), 0);
  world.clock.advance(20_000);
  await eventOf(readers.other, await see(elsewhere));
  await inTime(() => figuresSent(readers.other) === 1);
  assert.equal(figuresSent(readers.user), 2, 'none came since');
  for (const { socket } of Object.values(readers)) socket.close();
});

test('when more visits come at once than are sent one by one, readers ask for the list', async () => {
  const cameraId = await world.camera(user);
  const reader = await read(user);
  world.clock.advance(10_000);
  await eventOf(reader, (await world.visits.write(aVisit(cameraId, world.clock.now()))).id);
  const receivedBefore = reader.received.length;
  for (let nth = 0; nth < 300; nth += 1) {
    world.visits.seen.publish({
      visitId: uuidv7(world.clock.now() + nth),
      cameraId,
      startedAtMs: world.clock.now() + nth,
    });
  }
  await inTime(() => reader.received.some(({ what }) => what === 'detections'));
  const since = reader.received.slice(receivedBefore);
  assert.ok(!since.some(({ kind }) => kind === 'visits'));
  // The next ones are sent again.
  await eventOf(
    reader,
    (await world.visits.write(aVisit(cameraId, world.clock.now() + 60_000))).id,
  );
  reader.socket.close();
});

test('C-207 a session that ends closes its news within 2 s; a lost right is lost at once', async () => {
  const leaving = await world.actor('user');
  const cameraId = await world.camera(admin);
  const grants = granting(cameraId, ['live']);
  sessions.set(leaving.sessionId, { ...leaving, grants });
  const reader = await read({ ...leaving, grants });
  const visit = aVisit(cameraId, world.clock.now());
  await world.visits.write(visit);
  await eventOf(reader, visit.id);
  sessions.delete(leaving.sessionId);
  await until(() => {
    world.clock.advance(2_000);
    return reader.socket.readyState !== reader.socket.OPEN;
  });
  assert.equal(await reader.closed, 1008);
});

test('C-111, C-205 the news of a session that is ended close at once, and no others', async () => {
  const leaving = await world.actor('user');
  sessions.set(leaving.sessionId, leaving);
  const readers = { leaving: await read(leaving), admin: await read(admin) };
  news.endSession(leaving.sessionId);
  assert.equal(await readers.leaving.closed, 1008);
  world.cameras.changed.publish({ cameraId: 'any' });
  await readers.admin.firstThat(({ what }) => what === 'cameras');
  readers.admin.socket.close();
});

test('C-207 a lost grant narrows the news within 2 s, and the browser must ask again', async () => {
  const guest = await world.actor('user');
  const [kept, lost] = [await world.camera(guest), await world.camera(admin)];
  const grants = granting(lost, ['live']);
  sessions.set(guest.sessionId, { ...guest, grants });
  const reader = await read(guest);
  const before = aVisit(lost, world.clock.now());
  await world.visits.write(before);
  await eventOf(reader, before.id);
  sessions.set(guest.sessionId, guest);
  await until(() => {
    world.clock.advance(2_000);
    return reader.received.some(({ kind, what }) => kind === 'changed' && what === 'activity');
  });
  const changed = reader.received.flatMap(({ kind, what }) => (kind === 'changed' ? [what] : []));
  assert.deepEqual(
    new Set(changed).difference(new Set(['visits'])),
    new Set(['cameras', 'faces', 'detections', 'recordings', 'activity', 'alerts']),
  );
  await world.visits.write(aVisit(lost, world.clock.now()));
  const last = aVisit(kept, world.clock.now());
  await world.visits.write(last);
  await eventOf(reader, last.id);
  assert.deepEqual(
    seenBy(reader).map(({ id }) => id),
    [before.id, last.id],
  );
  reader.socket.close();
});

test('~REC-038 a reader of the news learns that recordings changed, and not of which camera', async () => {
  const reader = await read(user);
  recordings.changed.publish({ cameraId: 'any' });
  const news = { kind: 'changed', what: 'recordings' };
  await reader.firstThat(({ what }) => what === 'recordings');
  assert.deepEqual(
    reader.received.find(({ what }) => what === 'recordings'),
    news,
  );
  reader.socket.close();
});

test('a hundred connections of an account: the next takes the place of its oldest, and of no other’s', async () => {
  const ofOther = await read(other);
  const readers: TestSocket[] = [];
  for (let nth = 0; nth < 101; nth += 1) readers.push(await read(user));
  assert.equal(await readers[0]!.closed, 1013);
  recordings.changed.publish({ cameraId: 'any' });
  for (const reader of [ofOther, ...readers.slice(1)]) {
    await reader.firstThat(({ what }) => what === 'recordings');
    reader.socket.close();
  }
});

test('connections that do not say whose they are make way for newer ones', async () => {
  const silent: TestSocket[] = [];
  for (let nth = 0; nth < 201; nth += 1) silent.push(await openSocket(app, path));
  assert.equal(await silent[0]!.closed, 1013);
  const reader = await read(admin);
  for (const { socket } of [...silent, reader]) socket.close();
});

test('a reader who leaves before signing in costs nothing', async () => {
  const hasty = await openSocket(app, path);
  hasty.socket.send(JSON.stringify({ access: admin.sessionId }));
  hasty.socket.terminate();
  await hasty.closed;
  const reader = await read(admin);
  await world.person(admin, 'Ulvi', 62);
  await reader.firstThat(({ kind, what }) => kind === 'changed' && what === 'faces');
  await news[Symbol.asyncDispose]();
  assert.equal(await reader.closed, 1001);
});
