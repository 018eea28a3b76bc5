import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { CameraCost } from '@nazar/contract/camera-cost.ts';
import type { Snapshot } from '@nazar/contract/cameras.ts';
import { createHttp } from '#http/http.ts';
import { createScope, type Capability, type Scope } from '#http/scope.ts';
import { watchAnswers } from '#testing/documented.ts';
import { aWorld, quietLog, type World } from '#testing/world.ts';
import { CameraCosts } from './server/camera-costs.ts';
import type { Media } from './media.ts';
import { mediaEndpoints } from './server/routes.ts';

let world: World;
let app: FastifyInstance;
let asker: Scope;
let admin: Scope;
let user: Scope;
let costs: CameraCosts;
/** When the newest picture of each camera was taken. */
const takenAtMs = new Map<string, number>();

before(async () => {
  world = await aWorld();
  const { clock, cameras, activity } = world;
  costs = new CameraCosts(clock);
  [admin, user] = [await world.actor('admin'), await world.actor('user')];
  app = await createHttp({ log: quietLog, hosts: ['127.0.0.1'], trustProxy: [], clock });
  watchAnswers(app);
  const media: Pick<Media<never>, 'snapshotAtMs' | 'snapshot' | 'cost'> = {
    cost: (id) => costs.of(id),
    snapshotAtMs: async (id) => takenAtMs.get(id) ?? null,
    snapshot: async () => Buffer.from('jpeg'),
  };
  const api = { app, identify: async () => asker, awaitsSetup: async () => false, served: [] };
  mediaEndpoints(api, { media, cameras, activity, settled: async () => undefined });
});
after(async () => {
  await app.close();
  await world[Symbol.asyncDispose]();
});

async function latest(scope: Scope, cameraId?: string) {
  asker = scope;
  const query = cameraId === undefined ? '' : `?camera_id=${cameraId}`;
  const url = `/secure-api/cameras/snapshots/latest/${query}`;
  const reply = await app.inject({ url, headers: { host: '127.0.0.1' } });
  return { status: reply.statusCode, results: reply.json<{ results?: Snapshot[] }>().results };
}

test('APC-012, APC-013, NSH-015 the newest pictures say when they were taken, not when they were asked for', async () => {
  const [one, other, dark] = [
    await world.camera(user),
    await world.camera(admin),
    await world.camera(admin),
  ];
  takenAtMs.set(one, Date.parse('2026-01-02T03:04:05.678Z'));
  takenAtMs.set(other, Date.parse('2026-01-02T03:04:01.000Z'));
  const snapshotOf = (id: string, timestamp: string): Snapshot => ({
    camera_id: id,
    image: `/secure-api/cameras/${id}/snapshot/`,
    timestamp,
  });
  const theirs = snapshotOf(one, '2026-01-02T03:04:05.678Z');
  assert.deepEqual(await latest(user), { status: 200, results: [theirs] });
  world.clock.advance(60_000);
  assert.deepEqual(await latest(user, one), { status: 200, results: [theirs] });
  const all = (await latest(admin)).results ?? [];
  assert.deepEqual(new Set(all.map(({ camera_id }) => camera_id)), new Set([one, other]));
  assert.deepEqual((await latest(admin, dark)).results, [], 'there is no picture of it');
  assert.equal((await latest(user, other)).status, 404);
});

test('users who may see how a camera is reached read what it costs, and no one else does', async () => {
  const [theirs, shared] = [await world.camera(user), await world.camera(admin)];
  const ask = async (scope: Scope, id: string) => {
    asker = scope;
    const url = `/secure-api/cameras/${id}/cost/`;
    const reply = await app.inject({ url, headers: { host: '127.0.0.1' } });
    return { status: reply.statusCode, cost: reply.json<CameraCost>() };
  };
  assert.equal((await ask(admin, theirs)).cost.measured_at, null, 'nothing was measured');
  const analysis = { movingMs: 5_000, offered: 125, analyzed: 24, failed: 0 };
  const spentMs = { decode: 900, detect: 2_500, record: 0 };
  const times = { overMs: 10_000, spentMs, analysis };
  costs.reported(theirs, times, { mostAnalysisFps: 5, askedFps: 5 });
  const measured_at = new Date(world.clock.now()).toISOString();
  const stages = { decode: 0.09, detect: 0.25, embed: null, record: 0 };
  const analyzed = { analyzed_fps: 4.8, analysis_limit: null };
  const cost = { measured_at, over_s: 10, ...stages, ...analyzed };
  for (const scope of [admin, user]) {
    assert.deepEqual(await ask(scope, theirs), { status: 200, cost });
  }
  assert.equal((await ask(user, shared)).status, 404);
  const granted = (...capabilities: Capability[]): Scope =>
    createScope(
      user,
      new Map([[shared, { capabilities: new Set(capabilities), categories: new Set() }]]),
    );
  const refused = await ask(granted('live', 'recordings', 'detect', 'unmasked'), shared);
  assert.deepEqual([refused.status, refused.cost.decode], [403, undefined]);
  assert.equal((await ask(granted('live', 'manage'), shared)).status, 200);
});
