import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createHttp } from '#http/http.ts';
import { askerOf, type Asker, type Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { FanOut } from '#media/server/fan-out.ts';
import { Tickets } from './tickets.ts';
import { granting } from '#testing/grants.ts';
import { recorded } from '#testing/activity-chain.ts';
import { oneByOne } from '#testing/scopes.ts';
import { openSocket, type TestSocket } from '#testing/sockets.ts';
import { until } from '#testing/until.ts';
import { aWorld, quietLog, type World } from '#testing/world.ts';
import { LiveSocket } from './websocket.ts';
import { Viewers } from './viewers.ts';
import type { FaceLabel } from './face-label.ts';

const whole = { x: 0, y: 0, width: 1, height: 1 };
const everywhere = { main: whole, sub: whole, masked: whole };

let world: World;
let app: FastifyInstance;
let viewers: Viewers;
let tickets: Tickets;
let admin: Scope;
let user: Scope;
const sessions = new Map<string, Scope | null>();
const fanOuts = new Map<string, FanOut>();
/** The streams that viewers of a camera were seated at, in their order. */
const wished = new Map<string, (string | undefined)[]>();
/** Cameras of which no view is encoded anew any more. */
const full = new Set<string>();
/** When the masks that were set are applied, and whether that was asked. */
let unapplied = Promise.resolve();
let isAsked = false;
const corner: [number, number][] = [
  [0, 0],
  [0.5, 0],
  [0, 0.5],
];
/** What asking for rights throws, while the database is away. */
let away: Error | null = null;

before(async () => {
  world = await aWorld();
  const { clock, activity, cameras, master } = world;
  tickets = new Tickets(master, clock);
  [admin, user] = [await world.actor('admin'), await world.actor('user')];
  const scopeOf = async ({ sessionId }: Asker) => {
    const known = sessions.get(sessionId);
    if (!known) return null;
    // Granted in the database, unless a test says what is granted.
    return known.grants.size > 0
      ? known
      : { ...known, grants: await cameras.access.visibleTo(known) };
  };
  viewers = new Viewers({
    cameras: {
      mustSee: async (scope, id) => {
        if (away) throw away;
        return cameras.mustSee(scope, id);
      },
      zones: cameras.zones,
    },
    activity,
    settled: () => {
      isAsked = true;
      return unapplied;
    },
    scopesOf: oneByOne(scopeOf),
    clock,
    log: quietLog,
  });
  const live = new LiveSocket({
    // The fan-out of `media` as it is; what feeds it, the hosts, is not there.
    media: {
      join: (cameraId, viewer, wishes) => {
        const fanOut = fanOuts.get(cameraId);
        if (!fanOut) throw new Problem('camera_not_active');
        if (full.has(cameraId) && wishes?.stream === 'masked')
          throw new Problem('too_many_masked_views', { max: 4 });
        wished.set(cameraId, [...(wished.get(cameraId) ?? []), wishes?.stream]);
        const subscription = fanOut.join(viewer, wishes);
        return Object.assign(subscription, { stream: 'main' } as const);
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
});
after(async () => {
  await viewers[Symbol.asyncDispose]();
  await app.close();
  await world[Symbol.asyncDispose]();
});

async function aCamera(owner: Scope): Promise<string> {
  const id = await world.camera(owner, { status: 'active', url: 'rtsp://192.168.1.9/s' });
  fanOuts.set(id, new FanOut(world.clock));
  return id;
}

function watch(scope: Scope, cameraId: string, ticket?: string): Promise<TestSocket> {
  sessions.set(scope.sessionId, scope);
  const opens = ticket ?? tickets.issue(cameraId, askerOf(scope)).ticket;
  return openSocket(app, `/secure-api/cameras/${cameraId}/live/ws/?ticket=${opens}`);
}

/** Time goes by until the rights have been asked again. */
async function recheck(isSo: () => boolean): Promise<void> {
  await until(() => {
    world.clock.advance(2_000);
    return isSo();
  });
}

/** A viewer has joined once it receives faces. */
const isWatching = ({ received }: TestSocket, cameraId: string): Promise<void> =>
  until(() => {
    viewers.showFaces(cameraId, { main: 1, sub: null, masked: null }, everywhere, []);
    return received.some(({ kind }) => kind === 'faces');
  });

const aBox = (more: Partial<FaceLabel> = {}): FaceLabel => ({
  track_id: 't',
  x: 0,
  y: 0,
  width: 0.1,
  height: 0.1,
  state: 'known',
  name: 'Sevda Example',
  confidence: 0.9,
  score: 0.9,
  addedBy: admin.userId,
  categoryId: null,
  ...more,
});

test('C-402 a ticket misused in twelve ways opens nothing', async () => {
  const mine = await aCamera(user);
  const other = await aCamera(admin);
  const good = (): string => tickets.issue(mine, askerOf(user)).ticket;
  const [text = '', signature = ''] = good().split('.');
  const used = good();
  for (let open = 0; open < 5; open += 1) tickets.open(used, mine);
  const late = good();
  world.clock.advance(60_000);
  const ended = { ...user, sessionId: 'ended' };
  const misuses: [string, string, string][] = [
    ['none', mine, ''],
    ['rubbish', mine, 'x'],
    ['without signature', mine, text],
    ['with another signature', mine, `${text}.${'A'.repeat(43)}`],
    ['of another text', mine, `${text}A.${signature}`],
    ['of another camera', other, good()],
    ['for a camera one may not see', other, tickets.issue(other, askerOf(user)).ticket],
    ['too late', mine, late],
    ['a sixth time', mine, used],
    ['of a session that ended', mine, tickets.issue(mine, askerOf(ended)).ticket],
    ['for a camera that is not there', 'x', tickets.issue('x', askerOf(user)).ticket],
    [
      'of another installation',
      mine,
      new Tickets(world.master.derive('other'), world.clock).issue(mine, askerOf(user)).ticket,
    ],
  ];
  for (const [name, cameraId, ticket] of misuses) {
    sessions.set(user.sessionId, user);
    const url = `/secure-api/cameras/${cameraId}/live/ws/?ticket=${ticket}`;
    const viewer = await openSocket(app, url);
    assert.equal(await viewer.closed, 4403, name);
    assert.deepEqual(viewer.received, [], name);
  }
});

test('C-706 another site’s page cannot open a live view', async () => {
  const cameraId = await aCamera(user);
  const { ticket } = tickets.issue(cameraId, askerOf(user));
  const opened = openSocket(app, `/secure-api/cameras/${cameraId}/live/ws/?ticket=${ticket}`, {
    origin: 'https://evil.example',
  });
  await assert.rejects(opened, /403/);
});

test('C-403 rights that are lost end the view within 2 s, and others go on', async () => {
  const cameraId = await aCamera(user);
  const [mine, admins] = [await watch(user, cameraId), await watch(admin, cameraId)];
  await isWatching(mine, cameraId);
  sessions.set(user.sessionId, null);
  await recheck(() => mine.received.some(({ kind }) => kind === 'end'));
  assert.equal(await mine.closed, 4403);
  assert.deepEqual(mine.received.at(-1), { kind: 'end', reason: 'rights' });
  await isWatching(admins, cameraId);
  admins.socket.close();
  await until(() => !viewers.isWatched(cameraId));
});

test('C-111, C-205 the views of a session that is ended close at once, and no others', async () => {
  const cameraId = await aCamera(user);
  const [mine, others] = [await watch(user, cameraId), await watch(admin, cameraId)];
  await isWatching(mine, cameraId);
  await isWatching(others, cameraId);
  viewers.endSession(user.sessionId);
  assert.equal(await mine.closed, 4403);
  assert.equal(others.socket.readyState, others.socket.OPEN);
  others.socket.close();
});

test('C-304, C-403 where a privacy mask is drawn, viewers who may not see behind it go on with it within 2 s', async () => {
  const { cameras } = world;
  const cameraId = await aCamera(admin);
  const may = {
    ...user,
    grants: granting(cameraId, ['live', 'unmasked']),
    sessionId: randomUUID(),
  };
  const mayNot = { ...user, grants: granting(cameraId, ['live']), sessionId: randomUUID() };
  const [seeing, blind] = [await watch(may, cameraId), await watch(mayNot, cameraId)];
  await isWatching(seeing, cameraId);
  await isWatching(blind, cameraId);
  assert.deepEqual(wished.get(cameraId), ['main', 'main']);
  await cameras.zones.replace(admin, cameraId, [{ kind: 'privacy', name: '', points: corner }]);
  await recheck(() => wished.get(cameraId)?.length === 3);
  assert.equal(fanOuts.get(cameraId)!.viewers, 2, 'the one left the view it may not see any more');
  await isWatching(seeing, cameraId);
  const again = await watch(mayNot, cameraId);
  await until(() => wished.get(cameraId)?.length === 4);
  const other = await watch(may, cameraId);
  await isWatching(other, cameraId);
  assert.deepEqual(wished.get(cameraId), ['main', 'main', 'masked', 'masked', 'main']);
  assert.ok(![blind, seeing].some(({ received }) => received.some(({ kind }) => kind === 'end')));
  for (const { socket } of [again, other, seeing, blind]) socket.close();
});

test('C-403 a user who loses the right to see behind masks goes on with them; without room for one more view theirs ends', async () => {
  const { cameras } = world;
  const cameraId = await aCamera(admin);
  await cameras.zones.replace(admin, cameraId, [{ kind: 'privacy', name: '', points: corner }]);
  const may = (): Scope => ({
    ...user,
    grants: granting(cameraId, ['live', 'unmasked']),
    sessionId: randomUUID(),
  });
  const [one, other] = [may(), may()];
  const first = await watch(one, cameraId);
  await isWatching(first, cameraId);
  sessions.set(one.sessionId, { ...one, grants: granting(cameraId, ['live']) });
  await recheck(() => wished.get(cameraId)?.length === 2);
  assert.deepEqual(wished.get(cameraId), ['main', 'masked']);
  const second = await watch(other, cameraId);
  await isWatching(second, cameraId);
  full.add(cameraId);
  sessions.set(other.sessionId, { ...other, grants: granting(cameraId, ['live']) });
  await recheck(() => second.received.some(({ kind }) => kind === 'end'));
  assert.deepEqual(second.received.at(-1), { kind: 'end', reason: 'masked' });
  assert.ok(!first.received.some(({ kind }) => kind === 'end'));
  first.socket.close();
});

test('C-401 masks that change are asked about at once, not with the next round', async () => {
  const { cameras } = world;
  const cameraId = await aCamera(admin);
  const viewer = await watch({ ...user, grants: granting(cameraId, ['live']) }, cameraId);
  await isWatching(viewer, cameraId);
  await cameras.zones.replace(admin, cameraId, [{ kind: 'privacy', name: '', points: corner }]);
  viewers.masksChanged(cameraId);
  await until(() => wished.get(cameraId)?.length === 2);
  assert.deepEqual(wished.get(cameraId), ['main', 'masked']);
  viewer.socket.close();
});

test('C-401 no viewer joins before the masks that were set are on the pictures', async () => {
  const cameraId = await aCamera(user);
  const applied = Promise.withResolvers<void>();
  isAsked = false;
  unapplied = applied.promise;
  const viewer = await watch(user, cameraId);
  await until(() => isAsked);
  assert.deepEqual([wished.get(cameraId), viewers.isWatched(cameraId)], [undefined, false]);
  unapplied = Promise.resolve();
  applied.resolve();
  await isWatching(viewer, cameraId);
  viewer.socket.close();
});

test('C-403 a camera taken off the air ends its views', async () => {
  const cameraId = await aCamera(user);
  const viewer = await watch(user, cameraId);
  await until(() => viewers.isWatched(cameraId));
  await world.cameras.updateStatus(admin, cameraId, 'maintenance');
  await recheck(() => viewer.received.length > 0);
  assert.equal(viewer.received.at(-1)?.['kind'], 'end');
});

test('C-207, C-403 a grant taken back, and a group left, end a live view within 2 s', async () => {
  const viewer = await world.actor('user');
  const { access, groups } = world.cameras;
  const to = { type: 'user', id: viewer.userId } as const;
  const [direct, grouped] = [await aCamera(admin), await aCamera(admin)];
  const group = await groups.add(admin, { name: 'Gates', description: '', cameras: [grouped] });
  const given = { to, capabilities: ['live' as const], categories: [] };
  const grant = await access.give(admin, { ...given, of: { type: 'camera', id: direct } });
  await access.give(admin, { ...given, of: { type: 'camera_group', id: group.id } });
  const views = [await watch(viewer, direct), await watch(viewer, grouped)];
  await isWatching(views[0]!, direct);
  await isWatching(views[1]!, grouped);
  await access.take(admin, grant.id);
  await groups.replace(admin, group.id, { name: 'Gates', description: '', cameras: [] });
  // The rights of views are asked one round after another: the next one begins two seconds after the last.
  await until(() => world.clock.waiting > 0);
  world.clock.advance(2_000);
  assert.deepEqual(await Promise.all(views.map(({ closed }) => closed)), [4403, 4403]);
  for (const { received } of views)
    assert.deepEqual(received.at(-1), { kind: 'end', reason: 'rights' });
});

test('~R-16 a database that is away takes no view away', async () => {
  const cameraId = await aCamera(user);
  const viewer = await watch(user, cameraId);
  await until(() => viewers.isWatched(cameraId));
  away = new Problem('unavailable');
  for (let round = 0; round < 3; round += 1) {
    world.clock.advance(2_000);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  away = null;
  viewers.showFaces(cameraId, { main: 1, sub: null, masked: null }, everywhere, []);
  await viewer.firstThat(({ kind }) => kind === 'faces');
  assert.ok(!viewer.received.some(({ kind }) => kind === 'end'));
  viewer.socket.close();
});

test('C-1009 each viewer reads the names that are theirs to read', async () => {
  const cameraId = await aCamera(user);
  const granted: Scope = {
    ...(await world.actor('operator')),
    grants: granting(cameraId, ['live', 'people']),
  };
  const readers = [
    await watch(user, cameraId),
    await watch(admin, cameraId),
    await watch(granted, cameraId),
  ];
  const boxes = [
    aBox(),
    aBox({ name: 'Own Example', addedBy: user.userId }),
    aBox({ state: 'unknown', name: null, addedBy: null }),
  ];
  await until(() => viewers.isWatched(cameraId));
  const names = await Promise.all(
    readers.map(async (viewer) => {
      await until(() => {
        viewers.showFaces(cameraId, { main: 3.5, sub: null, masked: null }, everywhere, boxes);
        return viewer.received.length > 0;
      });
      const message = await viewer.firstThat(({ kind }) => kind === 'faces');
      assert.equal(message['at'], 3.5);
      assert.doesNotMatch(JSON.stringify(message), /addedBy|score/);
      return (message['faces'] as { name: string | null }[]).map(({ name }) => name);
    }),
  );
  const all = ['Sevda Example', 'Own Example', null];
  assert.deepEqual(names, [['Known person', 'Own Example', null], all, all]);
  for (const { socket } of readers) socket.close();
});

test('C-405 36 views for one user: the next takes the place of the oldest, which learns why', async () => {
  const [first, cameraId] = [await aCamera(user), await aCamera(user)];
  const ofOther = await watch(admin, cameraId);
  const oldest = await watch(user, first);
  await isWatching(oldest, first);
  const open: TestSocket[] = [];
  for (let view = 0; view < 36; view += 1) open.push(await watch(user, cameraId));
  assert.equal(await oldest.closed, 4409);
  assert.deepEqual(oldest.received.at(-1), { kind: 'end', reason: 'replaced' });
  for (const viewer of [...open, ofOther]) await isWatching(viewer, cameraId);
  assert.ok(!viewers.isWatched(first));
  for (const { socket } of [...open, ofOther]) socket.close();
  await until(() => !viewers.isWatched(cameraId));
});

test('a camera that has no picture to give says so, and keeps no subscription', async () => {
  const cameraId = await world.camera(user, { status: 'active' });
  const viewer = await watch(user, cameraId);
  assert.equal(await viewer.closed, 1000);
  assert.deepEqual(viewer.received, [{ kind: 'end', reason: 'camera' }]);
  await until(() => !viewers.isWatched(cameraId));
});

test('R-19 when the server stops, viewers get a message', async () => {
  const cameraId = await aCamera(user);
  const viewer = await watch(user, cameraId);
  await until(() => viewers.isWatched(cameraId));
  await viewers[Symbol.asyncDispose]();
  assert.equal(await viewer.closed, 1001);
  assert.deepEqual(viewer.received.at(-1), { kind: 'end', reason: 'shutdown' });
});

test('C-806 C-120 opened views are one entry in ten minutes, with where from; a refused one is none', async () => {
  const cameraId = await aCamera(user);
  const stranger = await world.actor('user');
  const refused = await watch(stranger, cameraId);
  assert.equal(await refused.closed, 4403);
  const entries = async () =>
    (await recorded(world.database.db)).filter(({ object_id }) => object_id === cameraId);
  const readers = [await watch(user, cameraId), await watch(user, cameraId)];
  for (const one of readers) await isWatching(one, cameraId);
  const [made, first] = await entries();
  assert.equal(made?.action, 'camera.added');
  assert.equal(first?.action, 'camera.watched');
  assert.deepEqual([first.user_id, first.session_id], [user.userId, user.sessionId]);
  assert.ok(first.ip !== '');
  for (const { socket } of readers) socket.close();
  await until(() => !viewers.isWatched(cameraId));
  assert.equal((await entries()).length, 2, 'a scroll away and back is no new watching');
  world.clock.advance(10 * 60_000);
  const later = await watch(user, cameraId);
  await isWatching(later, cameraId);
  assert.equal((await entries()).length, 3);
  later.socket.close();
  await until(() => !viewers.isWatched(cameraId));
});
