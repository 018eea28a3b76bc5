import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createHttp } from '#http/http.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { Topic } from '#lib/topic.ts';
import { offHealth } from '#media/protocol/health.ts';
import type { HealthNews } from '#media/media.ts';
import { granting } from '#testing/grants.ts';
import { openSocket, type TestSocket } from '#testing/sockets.ts';
import { until } from '#testing/until.ts';
import { aVisit, aWorld, quietLog, type World } from '#testing/world.ts';
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
const recordings = { changed: new Topic<{ cameraId: string }>(failed) };

before(async () => {
  world = await aWorld();
  const { cameras, faces, sightings, clock } = world;
  [admin, user, other] = [
    await world.actor('admin'),
    await world.actor('user'),
    await world.actor('operator'),
  ];
  for (const scope of [admin, user, other]) sessions.set(scope.sessionId, scope);
  news = new LiveEvents({
    cameras,
    faces,
    sightings,
    media: { healthChanged },
    recordings,
    scopeOf: async ({ sessionId }) => sessions.get(sessionId) ?? null,
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

/** A reader who is known by the time this resolves: it has heard something. */
async function read(scope: Scope): Promise<TestSocket> {
  const reader = await openSocket(app, path);
  reader.socket.send(JSON.stringify({ access: scope.sessionId }));
  await until(() => {
    world.cameras.changed.publish({ cameraId: 'any' });
    return reader.heard.length > 0;
  });
  return reader;
}

const isSeen = ({ kind }: Record<string, unknown>): boolean => kind === 'seen';

test('C-706 who does not say who it is within 5 s is let go', async () => {
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
    assert.deepEqual(stranger.heard, []);
  }
});

test('C-706 a page of another site is refused before anything is said', async () => {
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

test('ROL-004, C-304 visits and states are told to who may see their camera, and to nobody else', async () => {
  const cameraId = await world.camera(user);
  const readers = { admin: await read(admin), user: await read(user), other: await read(other) };
  const visit = aVisit(cameraId, world.clock.now());
  await world.sightings.record(visit);
  healthChanged.publish({ cameraId, health: { ...offHealth, state: 'live' } });
  for (const reader of [readers.admin, readers.user]) {
    const seen = await reader.hears(isSeen);
    const { id, face_name } = seen['detection'] as Record<string, unknown>;
    assert.deepEqual([id, face_name], [visit.id, 'Unknown']);
    const state = await reader.hears(({ kind }) => kind === 'camera');
    assert.equal(state['camera_id'], cameraId);
  }
  // A visit of their own comes after; had the other been told, it would stand before it.
  const own = aVisit(await world.camera(other), world.clock.now());
  await world.sightings.record(own);
  await readers.other.hears(isSeen);
  assert.ok(!JSON.stringify(readers.other.heard).includes(cameraId));
  for (const { socket } of Object.values(readers)) socket.close();
});

test('C-1009 a visit bears the name only for who may read it', async () => {
  const cameraId = await world.camera(user);
  const { identityId } = await world.person(admin, 'Turan', 61);
  const readers = [await read(admin), await read(user)];
  await world.sightings.record(aVisit(cameraId, world.clock.now(), { identityId }));
  const names = await Promise.all(
    readers.map(async (reader) => {
      const seen = await reader.hears(isSeen);
      return (seen['detection'] as Record<string, unknown>)['face_name'];
    }),
  );
  assert.deepEqual(names, ['Turan Example', 'Known person']);
  for (const { socket } of readers) socket.close();
});

test('C-207 a session that ends closes its news within 2 s; a lost right is lost at once', async () => {
  const leaving = await world.actor('user');
  const cameraId = await world.camera(admin);
  const grants = granting(cameraId, ['live']);
  sessions.set(leaving.sessionId, { ...leaving, grants });
  const reader = await read({ ...leaving, grants });
  await world.sightings.record(aVisit(cameraId, world.clock.now()));
  await reader.hears(isSeen);
  sessions.delete(leaving.sessionId);
  await until(() => {
    world.clock.advance(2_000);
    return reader.socket.readyState !== reader.socket.OPEN;
  });
  assert.equal(await reader.closed, 1008);
});

test('C-111, C-205 the news of a session that is ended close at once, and nobody else’s', async () => {
  const leaving = await world.actor('user');
  sessions.set(leaving.sessionId, leaving);
  const readers = { leaving: await read(leaving), admin: await read(admin) };
  news.endSession(leaving.sessionId);
  assert.equal(await readers.leaving.closed, 1008);
  world.cameras.changed.publish({ cameraId: 'any' });
  await readers.admin.hears(({ what }) => what === 'cameras');
  readers.admin.socket.close();
});

test('C-207 a grant that is lost narrows the news within 2 s, and the browser is told to ask again', async () => {
  const guest = await world.actor('user');
  const [kept, lost] = [await world.camera(guest), await world.camera(admin)];
  const grants = granting(lost, ['live']);
  sessions.set(guest.sessionId, { ...guest, grants });
  const reader = await read(guest);
  await world.sightings.record(aVisit(lost, world.clock.now()));
  await reader.hears(isSeen);
  sessions.set(guest.sessionId, guest);
  await until(() => {
    world.clock.advance(2_000);
    return reader.heard.some(({ kind, what }) => kind === 'changed' && what === 'activity');
  });
  const changed = reader.heard.flatMap(({ kind, what }) => (kind === 'changed' ? [what] : []));
  assert.deepEqual(
    new Set(changed),
    new Set(['cameras', 'faces', 'detections', 'recordings', 'activity']),
  );
  await world.sightings.record(aVisit(lost, world.clock.now()));
  const last = aVisit(kept, world.clock.now());
  await world.sightings.record(last);
  await reader.hears(({ detection }) => (detection as { id?: string } | undefined)?.id === last.id);
  assert.equal(reader.heard.filter(isSeen).length, 2);
  reader.socket.close();
});

test('~REC-038 whoever reads the news hears that recordings changed, and not of which camera', async () => {
  const reader = await read(user);
  recordings.changed.publish({ cameraId: 'any' });
  const news = { kind: 'changed', what: 'recordings' };
  await reader.hears(({ what }) => what === 'recordings');
  assert.deepEqual(
    reader.heard.find(({ what }) => what === 'recordings'),
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
    await reader.hears(({ what }) => what === 'recordings');
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

test('who leaves before it is known costs nothing', async () => {
  const hasty = await openSocket(app, path);
  hasty.socket.send(JSON.stringify({ access: admin.sessionId }));
  hasty.socket.terminate();
  await hasty.closed;
  const reader = await read(admin);
  await world.person(admin, 'Ulvi', 62);
  await reader.hears(({ kind, what }) => kind === 'changed' && what === 'faces');
  await news[Symbol.asyncDispose]();
  assert.equal(await reader.closed, 1001);
});
