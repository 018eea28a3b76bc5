/** What the screens read and say of how two streams lie to each other; the test plays the host. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { CameraAlignment } from '@nazar/contract/alignment.ts';
import { createHttp } from '#http/http.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { watchAnswers } from '#testing/documented.ts';
import { recorded } from '#testing/activity-chain.ts';
import { aWorld, quietLog, type World } from '#testing/world.ts';
import type { Media } from '../media.ts';
import { pairKey } from '../protocol/stream-pair.ts';
import { alignmentEndpoints } from './routes.ts';

const [main, sub] = [
  { width: 1920, height: 1080 },
  { width: 640, height: 480 },
];
const cut = { x: 0.125, y: 0, width: 0.75, height: 1 };
const urls = {
  status: 'active',
  url: 'rtsp://192.168.0.9/a',
  sub_url: 'rtsp://192.168.0.9/b',
} as const;

let world: World;
let app: FastifyInstance;
let asker: Scope;
let admin: Scope;
/** The streams that come now, by camera. */
const pairs = new Map<string, string>();

before(async () => {
  world = await aWorld();
  const { clock, cameras, activity } = world;
  admin = await world.actor('admin');
  app = await createHttp({ log: quietLog, hosts: ['127.0.0.1'], trustProxy: [], clock });
  watchAnswers(app);
  const media: Pick<Media<never>, 'pairOf' | 'unmasked'> = {
    pairOf: async (id) => pairs.get(id) ?? null,
    unmasked: async (id, stream) => {
      if (!pairs.has(id)) throw new Problem('camera_not_live');
      return Buffer.from(`jpeg of ${stream}`);
    },
  };
  const api = { app, identify: async () => asker, awaitsSetup: async () => false, served: [] };
  alignmentEndpoints(api, { media, cameras, activity });
});
after(async () => {
  await app.close();
  await world[Symbol.asyncDispose]();
});

async function ask(
  id: string,
  { as = admin, method = 'GET', what = '', body = undefined as object | undefined } = {},
) {
  asker = as;
  const url = `/secure-api/cameras/${id}/alignment/${what}`;
  const headers = { host: '127.0.0.1', origin: 'http://127.0.0.1' };
  const reply = await app.inject({ method, url, headers, ...(body && { payload: body }) });
  const json = (): CameraAlignment & { code: string } => reply.json();
  return { status: reply.statusCode, text: reply.body, json };
}

async function aCameraWithPair(rotation: 0 | 90 = 0): Promise<{ id: string; pair: string }> {
  const id = await world.camera(admin, { ...urls, rotation });
  const toIngest = await world.cameras.reaching.toIngest();
  const { streamsId } = toIngest.find((camera) => camera.id === id)!;
  const pair = pairKey(streamsId, main, sub);
  pairs.set(id, pair);
  return { id, pair };
}

test('known facts of two streams are distinguished from those being measured, and from nothing', async () => {
  const alone = await world.camera(admin, { ...urls, sub_url: '' });
  assert.equal((await ask(alone)).json().state, 'none');
  const away = await world.camera(admin, urls);
  assert.equal((await ask(away)).json().state, 'none');
  const { id, pair } = await aCameraWithPair();
  const measuring = (await ask(id)).json();
  assert.deepEqual(
    [measuring.state, measuring.part, measuring.main, measuring.sub],
    ['measuring', null, main, sub],
  );
  await world.cameras.alignments.measured(id, { pair, part: cut, isConfirmed: false });
  const known = (await ask(id)).json();
  assert.deepEqual(
    [known.state, known.part, known.is_confirmed, known.confirmed_by],
    ['known', cut, false, null],
  );
  assert.equal(known.aligned_at, new Date(world.clock.now()).toISOString());
  pairs.delete(id);
  assert.deepEqual((await ask(id)).json(), known, 'also while the camera is away');
});

test('a place that an administrator confirms is upright, stays whatever is measured, and stands in the activity log', async () => {
  const { id, pair } = await aCameraWithPair(90);
  const { streams, main: upright } = (await ask(id)).json();
  assert.deepEqual(upright, { width: 1080, height: 1920 });
  const part = { x: 0, y: 0.25, width: 1, height: 0.5 };
  const said = await ask(id, { method: 'PUT', body: { part, streams } });
  assert.equal(said.status, 200, said.text);
  const confirmed = said.json();
  assert.deepEqual(
    [confirmed.state, confirmed.part, confirmed.is_confirmed, confirmed.confirmed_by?.email],
    ['known', part, true, admin.email],
  );
  const [kept] = (await world.cameras.alignments.byCamera()).get(id)!;
  // Turned clockwise by 90: what is at its top is at the left of what the camera sends.
  assert.deepEqual(kept, {
    pair,
    part: { x: 0.25, y: 0, width: 0.5, height: 1 },
    isConfirmed: true,
  });
  await world.cameras.alignments.measured(id, { pair, part: cut, isConfirmed: false });
  assert.deepEqual((await ask(id)).json().part, part);
  pairs.set(id, pair.replace('640x480', '704x576'));
  const late = await ask(id, { method: 'PUT', body: { part, streams } });
  assert.deepEqual([late.status, late.json().code], [409, 'streams_changed']);
  assert.equal((await ask(id)).json().state, 'measuring', 'of other streams nothing is known');
  const entries = await recorded(world.database.db);
  const deeds = entries.filter(({ action }) => action === 'camera.alignment_confirmed');
  assert.deepEqual(deeds.at(-1)?.details, { x: 0.25, y: 0, width: 0.5, height: 1 });
});

test('a forgotten place is measured anew, and hides until then', async () => {
  const { id, pair } = await aCameraWithPair();
  const { streams } = (await ask(id)).json();
  await ask(id, { method: 'PUT', body: { part: cut, streams } });
  world.clock.advance(1_000);
  const forgotten = await ask(id, { method: 'DELETE' });
  assert.deepEqual([forgotten.status, forgotten.json().state], [200, 'measuring']);
  assert.deepEqual((await world.cameras.alignments.byCamera()).get(id) ?? [], []);
  const history = (await world.cameras.zones.masksOf(id)).alignments;
  assert.deepEqual(
    history.map(({ part }) => part),
    [cut, null],
    'what was recorded meanwhile is known to have been placed otherwise',
  );
  world.clock.advance(1_000);
  await world.cameras.alignments.measured(id, { pair, part: cut, isConfirmed: false });
  assert.equal((await ask(id)).json().is_confirmed, false);
  const entries = await recorded(world.database.db);
  assert.ok(entries.some(({ action }) => action === 'camera.alignment_forgotten'));
});

test('C-301 the streams are compared by those who may draw zones, and by no others', async () => {
  const { id } = await aCameraWithPair();
  const { streams } = (await ask(id)).json();
  const body = { part: cut, streams };
  for (const standing of ['user', 'operator'] as const) {
    const as = await world.actor(standing);
    const answers = await Promise.all([
      ask(id, { as }),
      ask(id, { as, method: 'PUT', body }),
      ask(id, { as, method: 'DELETE' }),
      ask(id, { as, what: 'picture/?stream=sub' }),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [403, 403, 403, 403],
      standing,
    );
  }
  const picture = await ask(id, { what: 'picture/?stream=sub' });
  assert.deepEqual([picture.status, picture.text], [200, 'jpeg of sub']);
  const entries = await recorded(world.database.db);
  assert.ok(entries.some(({ action }) => action === 'camera.glimpsed'));
  pairs.delete(id);
  assert.equal((await ask(id, { what: 'picture/?stream=sub' })).json().code, 'camera_not_live');
});

test('a part that shows nothing of the main picture, or is no part, is refused', async () => {
  const { id } = await aCameraWithPair();
  const { streams } = (await ask(id)).json();
  for (const part of [
    { ...cut, width: 0.05 },
    { ...cut, x: -0.8 },
    { ...cut, y: 1 },
    { ...cut, height: 4.1 },
  ]) {
    const { status } = await ask(id, { method: 'PUT', body: { part, streams } });
    assert.equal(status, 400, JSON.stringify(part));
  }
  assert.equal((await ask(id)).json().state, 'measuring');
});
