/** R-10 over real sockets: browsers that read nothing beside some that read everything. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { WebSocket } from 'ws';
import { createHttp } from '#http/http.ts';
import { askerOf, type Scope } from '#http/scope.ts';
import { FanOut } from '#media/server/fan-out.ts';
import { Tickets } from './tickets.ts';
import { until } from '#testing/until.ts';
import { oneByOne } from '#testing/scopes.ts';
import { aWorld, quietLog, type World } from '#testing/world.ts';
import { Viewers } from './viewers.ts';
import { LiveSocket } from './websocket.ts';

/** As many as a wall of 36 leaves room for. */
const perUser = 34;
const fps = 15;
/** 6 Mbit/s: what the kernel buffers for a client that reads nothing, up to 10 MB, is full within 15 s. */
const pictureBytes = 50_000;

let world: World;
let app: FastifyInstance;
let viewers: Viewers;
let tickets: Tickets;
let fanOut: FanOut;
/** What waits in this process for each viewer, asked as the fan-out asks. */
const queues = new Set<() => number>();

before(async () => {
  world = await aWorld();
  const { clock, activity, cameras, master } = world;
  tickets = new Tickets(master, clock);
  fanOut = new FanOut(clock);
  const users = new Map<string, Scope>();
  const scopeOf = async ({ sessionId }: { sessionId: string }) => users.get(sessionId) ?? null;
  viewers = new Viewers({
    cameras,
    activity,
    settled: async () => undefined,
    scopesOf: oneByOne(scopeOf),
    clock,
    log: quietLog,
  });
  const live = new LiveSocket({
    media: {
      join: (_id, viewer, wishes) => {
        queues.add(() => viewer.queuedBytes());
        return Object.assign(fanOut.join(viewer, wishes), { stream: 'main' } as const);
      },
    },
    viewers,
    tickets,
    scopeOf,
    log: quietLog,
  });
  app = await createHttp({ log: quietLog, hosts: ['127.0.0.1'], trustProxy: [], clock });
  const api = { app, identify: () => Promise.reject(new Error('not asked')), served: [] };
  live.bind({ ...api, awaitsSetup: async () => false });
  await app.listen({ host: '127.0.0.1', port: 0 });
  for (let user = 0; user < 4; user++) {
    const scope = await world.actor('admin');
    users.set(scope.sessionId, scope);
  }
  watchers = [...users.values()];
});
let watchers: Scope[] = [];
after(async () => {
  await viewers[Symbol.asyncDispose]();
  await app.close();
  await world[Symbol.asyncDispose]();
});

async function open(cameraId: string, scope: Scope): Promise<WebSocket> {
  const { port } = app.server.address() as AddressInfo;
  const { ticket } = tickets.issue(cameraId, askerOf(scope));
  const path = `/secure-api/cameras/${cameraId}/live/ws/?ticket=${ticket}`;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { perMessageDeflate: false });
  await once(socket, 'open');
  return socket;
}

test('R-10 a hundred viewers that read nothing cost five that do no picture, little memory, and are let go', async () => {
  const admin = watchers[0]!;
  const cameraId = await world.camera(admin, { status: 'active', url: 'rtsp://192.168.1.9/s' });
  const stalled: WebSocket[] = [];
  for (let viewer = 0; viewer < 100; viewer++) {
    const socket = await open(cameraId, watchers[Math.floor(viewer / perUser)]!);
    socket.pause();
    stalled.push(socket);
  }
  const good: { socket: WebSocket; pictures: number }[] = [];
  for (let viewer = 0; viewer < 5; viewer++) {
    const one = { socket: await open(cameraId, watchers[3]!), pictures: 0 };
    one.socket.on('message', (_data, isBinary) => (one.pictures += isBinary ? 1 : 0));
    good.push(one);
  }
  await until(() => fanOut.viewers === 105);
  const live = { kind: 'live', cameraId, stream: 'main', mime: 'm', width: 1, height: 1 } as const;
  fanOut.init(live, Buffer.alloc(800));
  const body = Buffer.alloc(pictureBytes, 1);
  const pictures = 50 * fps;
  let mostQueued = 0;
  for (let picture = 0; picture < pictures; picture++) {
    const head = { kind: 'fragment', cameraId, stream: 'main', wallMs: 0 } as const;
    fanOut.fragment({ ...head, key: picture % fps === 0, at: picture / fps }, body);
    world.clock.advance(1000 / fps);
    mostQueued = Math.max(mostQueued, ...Array.from(queues, (queued) => queued()));
    // Half a second of pictures may be on their way: a reading client is given the time to.
    await until(() => good.every((one) => one.pictures >= picture - fps / 2));
  }
  await until(() => good.every((one) => one.pictures >= pictures * 0.95));
  assert.ok(mostQueued < 1.5 * fps * pictureBytes, `${mostQueued} bytes wait for one of them`);
  assert.equal(fanOut.viewers, 5, 'whoever takes nothing for 30 s is let go');
  for (const socket of [...stalled, ...good.map((one) => one.socket)]) socket.terminate();
});
