import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createHttp } from '#http/http.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { FanOut, type Viewer } from '#media/server/fan-out.ts';
import { Tickets } from './tickets.ts';
import { offHealth } from '#media/protocol/health.ts';
import { granting } from '#testing/grants.ts';
import { watchAnswers } from '#testing/documented.ts';
import { oneByOne } from '#testing/scopes.ts';
import { until } from '#testing/until.ts';
import { aWorld, quietLog, type World } from '#testing/world.ts';
import { Viewers } from './viewers.ts';
import { HlsViews } from './hls.ts';
import { liveEndpoints } from './routes.ts';

let world: World;
let app: FastifyInstance;
let viewers: Viewers;
let fanOut: FanOut;
/** The same camera with its masks. */
let masked: FanOut;
let isFull = false;
let user: Scope;
let asker: Scope | null;
/** Whom a ticket speaks for. */
let lives = true;

before(async () => {
  world = await aWorld();
  const { clock, cameras, activity, master } = world;
  user = { ...(await world.actor('user')), ip: '127.0.0.1' };
  const scopeOf = async () => (lives ? user : null);
  viewers = new Viewers({
    cameras,
    activity,
    settled: async () => undefined,
    scopesOf: oneByOne(scopeOf),
    clock,
    log: quietLog,
  });
  const tickets = new Tickets(master, clock);
  const hls = new HlsViews({
    media: {
      health: () => ({ ...offHealth, state: 'live' }),
      join: (_id, viewer, wishes) => {
        const { stream = 'main' } = wishes ?? {};
        if (stream === 'masked' && isFull) throw new Problem('too_many_masked_views', { max: 4 });
        if (stream === 'masked') maskedViewer = viewer;
        const shown = stream === 'masked' ? masked : fanOut;
        return Object.assign(shown.join(viewer), { stream });
      },
    },
    viewers,
    clock,
  });
  app = await createHttp({ log: quietLog, hosts: ['127.0.0.1'], trustProxy: [], clock });
  watchAnswers(app);
  const drawn = { open: () => Promise.reject(new Error('not asked')) };
  liveEndpoints(
    {
      app,
      identify: async () => {
        if (!asker) throw new Problem('not_signed_in');
        return asker;
      },
      identifyTicket: async (_request, ticket, cameraId) => {
        if (!tickets.open(ticket, cameraId)) throw new Problem('not_signed_in');
        return user;
      },
      awaitsSetup: async () => false,
      served: [],
    },
    { cameras, drawn, hls, tickets },
  );
});
after(async () => {
  await viewers[Symbol.asyncDispose]();
  await app.close();
  await world[Symbol.asyncDispose]();
});
beforeEach(() => {
  fanOut = new FanOut(world.clock);
  masked = new FanOut(world.clock);
  isFull = false;
  asker = user;
  lives = true;
  newest = 0;
  maskedViewer = null;
  const live = { kind: 'live', cameraId: 'a', stream: 'main', width: 1, height: 1 } as const;
  fanOut.init({ ...live, mime: 'video/mp4; codecs="avc1.64001f"' }, Buffer.from('head'));
  for (let at = 0; at < 4; at++) {
    const head = {
      kind: 'fragment',
      cameraId: 'a',
      stream: 'main',
      key: false,
      at,
      wallMs: 0,
    } as const;
    fanOut.fragment({ ...head, key: at === 0 }, Buffer.from(`${at}`));
  }
});

let newest = 0;
/** The newest that joined. */
let maskedViewer: Viewer | null = null;
/** Another key picture: the segment before it is whole. */
const nextKey = (): void => {
  newest += 4;
  const head = { kind: 'fragment', cameraId: 'a', stream: 'main', key: true, wallMs: 0 } as const;
  fanOut.fragment({ ...head, at: newest }, Buffer.from(`${newest}`));
};

const get = (url: string, remoteAddress = '127.0.0.1') =>
  app.inject({ url, headers: { host: '127.0.0.1' }, remoteAddress });

const aCamera = (): Promise<string> =>
  world.camera(user, { status: 'active', url: 'rtsp://192.168.1.9/s' });

interface Ways {
  readonly hls_url: string;
  readonly mjpeg_url: string;
  readonly webrtc_url: string | null;
}

/** The address of the session's own playlist. */
async function openHls(cameraId: string): Promise<string> {
  const { hls_url: url } = (await get(`/secure-api/cameras/${cameraId}/live/`)).json<Ways>();
  asker = null; // a player sends no header
  const opening = get(url);
  await until(() => fanOut.viewers > 0);
  nextKey();
  const reply = await opening;
  assert.equal(reply.headers['content-type'], 'application/vnd.apple.mpegurl');
  const name = reply.body.trimEnd().split('\n').at(-1) ?? '';
  return `/secure-api/cameras/${cameraId}/live/${name}`;
}

test('~NSH-013, C-402 from the addresses of a camera to its segments, with a ticket and without a header', async () => {
  const cameraId = await aCamera();
  const playlist = await openHls(cameraId);
  const media = await get(playlist);
  assert.match(media.body, /#EXTINF:4\.000,\n0\.m4s\n$/);
  const folder = playlist.replace('stream.m3u8', '');
  assert.equal((await get(`${folder}init-1.mp4`)).body, 'head');
  const segment = await get(`${folder}0.m4s`);
  assert.deepEqual([segment.body, segment.headers['content-type']], ['0123', 'video/mp4']);
  assert.equal((await get(`${folder}7.m4s`)).statusCode, 404);
  assert.equal((await get(playlist, '127.0.0.9')).json<{ code: string }>().code, 'not_found');
  const other = playlist.replace(cameraId, await aCamera());
  assert.equal((await get(other)).json<{ code: string }>().code, 'not_found');
});

test('C-403 a session ends within 2 s of its rights, and when no one asks any more', async () => {
  const cameraId = await aCamera();
  const playlist = await openHls(cameraId);
  world.clock.advance(14_000);
  assert.equal((await get(playlist)).statusCode, 200);
  world.clock.advance(14_000);
  assert.equal((await get(playlist)).statusCode, 200, 'each question keeps it');
  await until(() => {
    world.clock.advance(15_000);
    return fanOut.viewers === 0;
  });
  assert.equal((await get(playlist)).json<{ code: string }>().code, 'not_found');
  assert.ok(!viewers.isWatched(cameraId));
  asker = user;
  const again = await openHls(cameraId);
  lives = false;
  await until(() => {
    world.clock.advance(1_500);
    return fanOut.viewers === 0;
  });
  assert.equal((await get(again)).statusCode, 404);
});

test('two who watch one camera share its segments, and the last to go takes them along', async () => {
  const cameraId = await aCamera();
  await openHls(cameraId);
  asker = user;
  const second = await get(`/secure-api/cameras/${cameraId}/live/index.m3u8`);
  assert.equal(second.statusCode, 200);
  assert.equal(fanOut.viewers, 1);
  viewers.endSession(user.sessionId);
  await until(() => fanOut.viewers === 0);
});

/** A camera with a mask, and a user who may not see behind it. */
async function behindAMask(): Promise<string> {
  const admin = await world.actor('admin');
  const cameraId = await world.camera(admin, { status: 'active', url: 'rtsp://192.168.1.9/s' });
  const viewer = { ...(await world.actor('user')), grants: granting(cameraId, ['live']) };
  asker = { ...viewer, ip: '127.0.0.1' };
  const points: [number, number][] = [
    [0, 0],
    [1, 0],
    [1, 1],
  ];
  await world.cameras.zones.replace(admin, cameraId, [{ kind: 'privacy', name: '', points }]);
  return cameraId;
}

test('C-401 a user who may not see behind a mask gets the view that has it burnt in, and no other', async () => {
  const cameraId = await behindAMask();
  const ways = (await get(`/secure-api/cameras/${cameraId}/live/`)).json<Ways>();
  assert.equal(ways.webrtc_url, null);
  assert.match(ways.mjpeg_url, /\/live\/mjpeg\/\?token=/);
  assert.match(ways.hls_url, /\/live\/index\.m3u8\?token=/);
  const opening = get(`/secure-api/cameras/${cameraId}/live/index.m3u8`);
  await until(() => masked.viewers > 0);
  const live = { kind: 'live', cameraId, stream: 'masked', width: 1, height: 1 } as const;
  masked.init({ ...live, mime: 'video/mp4; codecs="avc1.42c01f"' }, Buffer.from('masked head'));
  const head = { kind: 'fragment', cameraId, stream: 'masked', key: true, wallMs: 0 } as const;
  for (const at of [0, 2]) masked.fragment({ ...head, at }, Buffer.from(`masked ${at}`));
  const name = (await opening).body.trimEnd().split('\n').at(-1) ?? '';
  const folder = `/secure-api/cameras/${cameraId}/live/${name.replace('stream.m3u8', '')}`;
  assert.equal((await get(`${folder}init-1.mp4`)).body, 'masked head');
  assert.equal((await get(`${folder}0.m4s`)).body, 'masked 0');
  assert.equal(fanOut.viewers, 0, 'nobody watches what the camera sends');
});

const maskedMime = 'video/mp4; codecs="avc1.42c01f"';
function maskedPictures(name: string, ...times: number[]): void {
  const live = { kind: 'live', cameraId: 'a', stream: 'masked', width: 1, height: 1 } as const;
  masked.init({ ...live, mime: maskedMime }, Buffer.from(`${name} head`));
  const head = { kind: 'fragment', cameraId: 'a', stream: 'masked', key: true, wallMs: 0 } as const;
  for (const at of times) masked.fragment({ ...head, at }, Buffer.from(`${name} ${at}`));
}

test('C-401 masks that change take along what players and newcomers could still fetch, and the player goes on', async () => {
  const cameraId = await behindAMask();
  const opening = get(`/secure-api/cameras/${cameraId}/live/index.m3u8`);
  await until(() => masked.viewers > 0);
  maskedPictures('old', 0, 2, 4);
  const name = (await opening).body.trimEnd().split('\n').at(-1) ?? '';
  const folder = `/secure-api/cameras/${cameraId}/live/${name.replace('stream.m3u8', '')}`;
  assert.equal((await get(`${folder}1.m4s`)).body, 'old 2');
  masked.forget();
  for (const part of ['init-1.mp4', '0.m4s', '1.m4s'])
    assert.equal((await get(`${folder}${part}`)).statusCode, 404, part);
  const asked = get(`${folder}stream.m3u8`);
  const newcomer = get(`/secure-api/cameras/${cameraId}/live/index.m3u8`);
  maskedPictures('new', 0, 2);
  const { body } = await asked;
  assert.match(
    body,
    /MEDIA-SEQUENCE:2\n.*\n#EXT-X-MAP:URI="init-2\.mp4"\n#EXTINF:2.000,\n2\.m4s\n$/,
  );
  assert.equal((await get(`${folder}init-2.mp4`)).body, 'new head');
  assert.equal((await get(`${folder}2.m4s`)).body, 'new 0');
  assert.equal((await newcomer).statusCode, 200);
});

test('C-403 a player whose owner loses the right to see behind masks goes on with them', async () => {
  const cameraId = await aCamera();
  const playlist = await openHls(cameraId);
  const folder = playlist.replace('stream.m3u8', '');
  assert.equal((await get(`${folder}0.m4s`)).statusCode, 200);
  const owner = user;
  try {
    user = { ...(await world.actor('user')), ip: '127.0.0.1', sessionId: owner.sessionId };
    user = { ...user, grants: granting(cameraId, ['live']) };
    const points: [number, number][] = [
      [0, 0],
      [1, 0],
      [1, 1],
    ];
    const admin = await world.actor('admin');
    await world.cameras.zones.replace(admin, cameraId, [{ kind: 'privacy', name: '', points }]);
    viewers.masksChanged(cameraId);
    await until(() => masked.viewers === 1);
    assert.equal(fanOut.viewers, 0);
    for (const part of ['init-1.mp4', '0.m4s'])
      assert.equal((await get(`${folder}${part}`)).statusCode, 404, part);
    const asked = get(playlist);
    maskedPictures('masked', 0, 2);
    assert.match((await asked).body, /MEDIA-SEQUENCE:1\n[^]*init-2\.mp4[^]*\n1\.m4s\n$/);
    assert.equal((await get(`${folder}1.m4s`)).body, 'masked 0');
  } finally {
    user = owner;
  }
});

test('a session whose place another view has says so, whichever limit it was', async () => {
  const cameraId = await aCamera();
  const playlist = await openHls(cameraId);
  for (const view of viewers.of(cameraId)) view.end('replaced');
  const late = await get(playlist);
  assert.deepEqual([late.statusCode, late.json<{ code: string }>().code], [409, 'view_replaced']);
  assert.ok(!viewers.isWatched(cameraId));
  // The encoder of its masked view went to another one.
  asker = user;
  const behind = await behindAMask();
  const opening = get(`/secure-api/cameras/${behind}/live/index.m3u8`);
  await until(() => maskedViewer !== null);
  maskedViewer!.close('replaced');
  const refused = await opening;
  assert.deepEqual(
    [refused.statusCode, refused.json<{ code: string }>().code],
    [409, 'view_replaced'],
  );
  assert.ok(!viewers.isWatched(behind));
});

test('where no more can be encoded anew the answer says so, and no place is taken', async () => {
  const cameraId = await behindAMask();
  isFull = true;
  const refused = await get(`/secure-api/cameras/${cameraId}/live/index.m3u8`);
  assert.deepEqual(
    [refused.statusCode, refused.json<{ code: string }>().code],
    [503, 'too_many_masked_views'],
  );
  assert.ok(!viewers.isWatched(cameraId));
});
