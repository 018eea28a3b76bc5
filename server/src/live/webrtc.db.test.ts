import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createHttp } from '#http/http.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { Topic } from '#lib/topic.ts';
import type { PeerEnded } from '#media/media.ts';
import { recorded } from '#testing/activity-chain.ts';
import { watchAnswers } from '#testing/documented.ts';
import { oneByOne } from '#testing/scopes.ts';
import { until } from '#testing/until.ts';
import { aWorld, quietLog, type World } from '#testing/world.ts';
import { WebrtcViews } from './webrtc.ts';
import { Viewers } from './viewers.ts';

let world: World;
let app: FastifyInstance;
let viewers: Viewers;
let admin: Scope;
let user: Scope;
let asker: Scope;
const sessions = new Map<string, Scope | null>();
const peerEnded = new Topic<PeerEnded>((error) => {
  throw error;
});
/** What hosts were asked and sent. */
let answered: string[] = [];
let ended: string[] = [];
/** What happens while a host makes its answer. */
let meanwhile: () => Promise<string> | string = () => 'v=0 answer';

before(async () => {
  world = await aWorld();
  const { clock, cameras, activity } = world;
  [admin, user] = [await world.actor('admin'), await world.actor('user')];
  const scopeOf = async ({ sessionId }: { sessionId: string }) => sessions.get(sessionId) ?? null;
  viewers = new Viewers({
    cameras,
    activity,
    settled: async () => undefined,
    scopesOf: oneByOne(scopeOf),
    clock,
    log: quietLog,
  });
  app = await createHttp({ log: quietLog, hosts: ['127.0.0.1'], trustProxy: [], clock });
  watchAnswers(app);
  new WebrtcViews({
    media: {
      peerEnded,
      answerPeer: async (_camera, peerId) => {
        answered.push(peerId);
        return meanwhile();
      },
      endPeer: (_camera, peerId) => void ended.push(peerId),
    },
    viewers,
    clock,
  }).bind({ app, identify: async () => asker, awaitsSetup: async () => false, served: [] });
});
after(async () => {
  await viewers[Symbol.asyncDispose]();
  await app.close();
  await world[Symbol.asyncDispose]();
});
beforeEach(() => {
  [answered, ended] = [[], []];
  meanwhile = () => 'v=0 answer';
  for (const scope of [admin, user]) sessions.set(scope.sessionId, scope);
});

const aCamera = (owner: Scope): Promise<string> =>
  world.camera(owner, { status: 'active', url: 'rtsp://192.168.1.9/s' });

async function ask(method: 'POST' | 'DELETE', scope: Scope, path: string) {
  asker = scope;
  const reply = await app.inject({
    method,
    url: `/secure-api/cameras/${path}`,
    headers: { host: '127.0.0.1' },
    ...(method === 'POST' && { payload: { sdp: 'v=0 offer' } }),
  });
  return { status: reply.statusCode, body: reply.body === '' ? {} : reply.json<Answer>() };
}

interface Answer {
  readonly sdp?: string;
  readonly session_id?: string;
  readonly code?: string;
}

const open = (scope: Scope, cameraId: string) =>
  ask('POST', scope, `${cameraId}/low_latency_stream/`);

test('~NSH-013, ~LIVE-010 an offer is answered, and the session ends when its owner says so', async () => {
  const cameraId = await aCamera(user);
  const { status, body } = await open(user, cameraId);
  assert.deepEqual([status, body.sdp, body.session_id], [201, 'v=0 answer', answered[0]]);
  const path = `${cameraId}/low_latency_stream/${body.session_id}/`;
  assert.equal((await ask('DELETE', admin, path)).body.code, 'low_latency_not_found');
  assert.deepEqual(ended, []);
  assert.equal((await ask('DELETE', user, path)).status, 204);
  assert.deepEqual(ended, answered);
  assert.ok(!viewers.isWatched(cameraId));
});

test('C-806 it is in the activity log before there is a picture', async () => {
  const cameraId = await aCamera(user);
  let entries: string[] = [];
  meanwhile = async () => {
    const rows = await recorded(world.database.db);
    entries = rows.filter(({ object_id }) => object_id === cameraId).map(({ action }) => action);
    return '';
  };
  await open(user, cameraId);
  assert.deepEqual(entries, ['camera.added', 'camera.watched']);
  peerEnded.publish({ cameraId, peerId: null });
});

test('C-403 rights that are lost end it within 2 s, and a session that ends at once', async () => {
  const cameraId = await aCamera(user);
  await open(user, cameraId);
  await open(admin, cameraId);
  sessions.set(user.sessionId, null);
  await until(() => {
    world.clock.advance(1_500);
    return ended.length > 0;
  });
  assert.deepEqual(ended, [answered[0]]);
  viewers.endSession(admin.sessionId);
  assert.deepEqual(ended, answered);
});

test('C-403 rights that are lost while the host makes its answer show nothing', async () => {
  const cameraId = await aCamera(user);
  meanwhile = () => {
    viewers.endSession(user.sessionId);
    return 'v=0 answer';
  };
  const { status } = await open(user, cameraId);
  assert.equal(status, 404);
  assert.ok(ended.includes(answered[0]!));
  assert.ok(!viewers.isWatched(cameraId));
});

test('C-405 a peer that left, and a host that is gone, give their places back', async () => {
  const cameraId = await aCamera(user);
  await open(user, cameraId);
  await open(user, cameraId);
  peerEnded.publish({ cameraId, peerId: answered[0]! });
  assert.ok(viewers.isWatched(cameraId));
  peerEnded.publish({ cameraId, peerId: null });
  assert.ok(!viewers.isWatched(cameraId));
  const oldest = await aCamera(user);
  await open(user, oldest);
  for (let view = 0; view < 36; view++) assert.equal((await open(user, cameraId)).status, 201);
  assert.deepEqual([viewers.isWatched(oldest), viewers.isWatched(cameraId)], [false, true]);
  peerEnded.publish({ cameraId, peerId: null });
});

test('LIVE-012 a refusal of the host is answered as it is, and holds no place', async () => {
  const cameraId = await aCamera(user);
  meanwhile = () => Promise.reject(new Problem('low_latency_reordered'));
  const { status, body } = await open(user, cameraId);
  assert.deepEqual([status, body.code], [409, 'low_latency_reordered']);
  assert.ok(!viewers.isWatched(cameraId));
  const idle = await world.camera(user, { status: 'inactive', url: 'rtsp://192.168.1.9/s' });
  assert.equal((await open(user, idle)).body.code, 'camera_not_active');
});
