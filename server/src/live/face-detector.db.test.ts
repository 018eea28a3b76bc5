import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { DetectedFace } from '@nazar/contract/face-detector.ts';
import { Registry } from '#faces/faces.ts';
import { offHealth } from '#media/protocol/health.ts';
import type { DrawnPicture, HealthNews } from '#media/media.ts';
import type { Drawing } from '#media/protocol/messages.ts';
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import { Topic } from '#lib/topic.ts';
import { createHttp } from '#http/http.ts';
import type { Scope } from '#http/scope.ts';
import { granting } from '#testing/grants.ts';
import { recorded } from '#testing/activity-chain.ts';
import { watchAnswers } from '#testing/documented.ts';
import { oneByOne } from '#testing/scopes.ts';
import { until } from '#testing/until.ts';
import { aWorld, quietLog, type World } from '#testing/world.ts';
import { Viewers } from './viewers.ts';
import { MjpegViews } from './mjpeg.ts';
import { FaceDetector } from './face-detector.ts';
import type { FaceLabel } from './face-label.ts';

const path = '/secure-api/face_detector/face/recognition/';
let world: World;
let app: FastifyInstance;
let detector: FaceDetector;
let viewers: Viewers;
const failed = (error: unknown): void => {
  throw error;
};
const drawn = new Topic<DrawnPicture>(failed);
const healthChanged = new Topic<HealthNews>(failed);
const masksChanged = new Topic<{ readonly cameraId: string }>(failed);
let state: CameraHealth['state'] = 'live';
let views: MjpegViews;
/** What hosts were asked to draw. */
const drawCalls: { cameraId: string; drawings: readonly Drawing[]; detectsFaces: boolean }[] = [];
let admin: Scope;
let user: Scope;
let asker: Scope;

before(async () => {
  world = await aWorld();
  const { clock, cameras, faces, activity } = world;
  [admin, user] = [await world.actor('admin'), await world.actor('user')];
  viewers = new Viewers({
    cameras,
    activity,
    settled: async () => undefined,
    scopesOf: oneByOne(async () => null),
    clock,
    log: quietLog,
  });
  views = new MjpegViews({
    media: {
      drawFaces: (cameraId, drawings, detectsFaces) =>
        void drawCalls.push({ cameraId, drawings, detectsFaces }),
      drawn,
      health: () => ({ ...offHealth, state }),
      healthChanged,
      masksChanged,
    },
    viewers,
    facesOf: (id) => detector.facesOf(id),
    clock,
  });
  detector = new FaceDetector({ cameras, activity, registry: new Registry(faces), views });
  app = await createHttp({ log: quietLog, hosts: ['127.0.0.1'], trustProxy: [], clock });
  watchAnswers(app);
  detector.bind({ app, identify: async () => asker, awaitsSetup: async () => false, served: [] });
});
after(async () => {
  await viewers[Symbol.asyncDispose]();
  await app.close();
  await world[Symbol.asyncDispose]();
});

async function ask(scope: Scope, body: object | URLSearchParams) {
  asker = scope;
  const isForm = body instanceof URLSearchParams;
  const reply = await app.inject({
    method: 'POST',
    url: path,
    headers: {
      host: '127.0.0.1',
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    },
    payload: isForm ? body.toString() : JSON.stringify(body),
  });
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() };
}

const box = (change: Partial<FaceLabel>): FaceLabel => ({
  track_id: 'track-1',
  x: 0.1,
  y: 0.2,
  width: 0.3,
  height: 0.4,
  state: 'unknown',
  name: null,
  confidence: null,
  score: 0.8,
  addedBy: null,
  categoryId: null,
  ...change,
});
const detectedBy = (cameraId: string): URLSearchParams =>
  new URLSearchParams({ action: 'list_detected_faces', camera_id: cameraId });

test('APD-001, =APD-002, =ENT-013, ~LIVE-019 the faces of the newest picture, asked for as a form', async () => {
  const camera = await world.camera(admin);
  assert.deepEqual(await ask(admin, detectedBy(camera)), {
    status: 200,
    body: { success: true, faces: [] },
  });
  detector.show(camera, 1_000, [box({ name: 'Ayla Example', state: 'known', confidence: 0.97 })]);
  detector.show(camera, 2_000, [
    box({ name: 'Ayla Example', state: 'known', confidence: 0.98 }),
    box({ track_id: 'track-2', x: 0.5 }),
    box({ track_id: 'track-3', x: 0.7, state: 'undecided', score: 0.6 }),
  ]);
  const { body } = await ask(admin, detectedBy(camera));
  const place = { x: 0.1, y: 0.2, width: 0.3, height: 0.4 };
  const timestamp = '1970-01-01T00:00:02.000Z';
  const unknown = { ...place, name: 'Unknown', timestamp };
  const expected: DetectedFace[] = [
    {
      ...place,
      track_id: 'track-1',
      state: 'known',
      name: 'Ayla Example',
      confidence: 0.98,
      score: 0.8,
      timestamp,
    },
    { ...unknown, track_id: 'track-2', x: 0.5, state: 'unknown', confidence: null, score: 0.8 },
    {
      ...unknown,
      track_id: 'track-3',
      x: 0.7,
      state: 'undecided',
      confidence: null,
      score: 0.6,
    },
  ];
  assert.deepEqual(body, { success: true, faces: expected });
  detector.forget(camera);
  assert.deepEqual((await ask(admin, detectedBy(camera))).body, { success: true, faces: [] });
});

test('C-1009, C-304, C-806 a user who may not see the camera gets nothing, one who may not name reads no name', async () => {
  const camera = await world.camera(admin);
  detector.show(camera, 1_000, [box({ name: 'Ayla Example', state: 'known', confidence: 0.9 })]);
  assert.equal((await ask(user, detectedBy(camera))).status, 404);
  const granted = { ...user, grants: granting(camera, ['live']) };
  const { body } = await ask(granted, detectedBy(camera));
  const [face] = body['faces'] as DetectedFace[];
  assert.equal(face?.name, 'Known person');
  assert.doesNotMatch(JSON.stringify(body), /addedBy|categoryId/);
  const watched = (await recorded(world.database.db)).filter(
    (row) => row.object_id === camera && row.action === 'camera.watched',
  );
  assert.deepEqual(
    watched.map(({ user_id }) => user_id),
    [user.userId],
  );
});

test('APD-006, APD-007 names of the people one may open; one is deleted by name, two are not', async () => {
  const mine = await world.person(user, 'Mine', 11);
  await world.person(admin, 'Theirs', 12);
  await world.person(user, 'Twin', 13);
  await world.person(user, 'Twin', 14);
  const names = async (scope: Scope) =>
    (await ask(scope, { action: 'list_registered_faces' })).body['faces'];
  assert.deepEqual(await names(user), ['Mine Example', 'Twin Example', 'Twin Example']);
  assert.deepEqual(await names(admin), [
    'Mine Example',
    'Theirs Example',
    'Twin Example',
    'Twin Example',
  ]);
  const remove = (scope: Scope, name: string) => ask(scope, { action: 'delete_face', name });
  assert.equal((await remove(user, 'Theirs Example')).status, 404, 'somebody else`s is nobody');
  assert.equal((await remove(user, 'Mine')).status, 404, 'a part of a name is none');
  const twin = await remove(user, 'Twin Example');
  assert.deepEqual([twin.status, twin.body['code']], [409, 'face_name_ambiguous']);
  assert.deepEqual(await remove(user, 'Mine Example'), { status: 200, body: { success: true } });
  assert.deepEqual(await names(user), ['Twin Example', 'Twin Example']);
  await assert.rejects(world.faces.read(admin, mine.id), { code: 'face_not_found' });
});

test('APD-005, APD-001 an unknown action, or one without its fields, is refused', async () => {
  const register = await ask(user, { action: 'register_face', name: 'Ayla Example' });
  assert.deepEqual([register.status, Object.keys(register.body)], [400, ['face_image']]);
  for (const body of [
    { action: 'format_disk' },
    { action: 'list_detected_faces' },
    { action: 'delete_face', name: ' ' },
    { action: 'register_face', name: 'Ayla', use_camera: true },
    {},
  ]) {
    assert.equal((await ask(user, body)).status, 400, JSON.stringify(body));
  }
});

test('CFL-039 one path takes a form, JSON and multipart, and does what their `action` says', async () => {
  const registered = (await ask(admin, { action: 'list_registered_faces' })).body;
  assert.equal(registered['success'], true);
  const form = new URLSearchParams({ action: 'list_registered_faces' });
  assert.deepEqual((await ask(admin, form)).body, registered);
  const part = '--x\r\ncontent-disposition: form-data; name="action"\r\n\r\nlist_registered_faces';
  const reply = await app.inject({
    method: 'POST',
    url: path,
    headers: { host: '127.0.0.1', 'content-type': 'multipart/form-data; boundary=x' },
    payload: `${part}\r\n--x--\r\n`,
  });
  assert.deepEqual(reply.json(), registered);
});

interface OpenStream extends AsyncDisposable {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** All that came so far. */
  text(): string;
  readonly closed: Promise<unknown>;
}

/** A stream by a socket of its own, read as it comes. */
async function open(scope: Scope, query: string, language = 'en'): Promise<OpenStream> {
  asker = scope;
  if (app.addresses().length === 0) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const path = `/secure-api/face_detector/stream/?${query}`;
  const asked = request({
    port,
    host: '127.0.0.1',
    path,
    headers: { 'accept-language': language },
  });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise((resolve) => answer.once('close', resolve));
  const text = (): string => Buffer.concat(chunks).toString('latin1');
  const isStream = answer.statusCode === 200;
  if (!isStream) await closed;
  return {
    status: answer.statusCode ?? 0,
    type: answer.headers['content-type'] ?? '',
    body: isStream ? '' : text(),
    text,
    closed,
    [Symbol.asyncDispose]: async () => {
      answer.destroy();
      await closed;
    },
  };
}

const anActive = (owner: Scope, more = {}): Promise<string> =>
  world.camera(owner, { status: 'active', url: 'rtsp://192.168.1.9/s', ...more });

/** The host draws what it was sent last, with the letters as its picture. */
function draw(cameraId: string): void {
  for (const { id, boxes } of drawCalls.at(-1)?.drawings ?? []) {
    const jpeg = Buffer.from(`jpeg of ${boxes.map(({ label }) => label).join(' and ')}.`);
    drawn.publish({ cameraId, drawingId: id, jpeg });
  }
}

test('~APD-003, APD-004 the stream is multipart with boundary `frame`, one part per picture', async () => {
  const camera = await anActive(admin);
  await using stream = await open(admin, `camera_id=${camera}&t=1`);
  assert.deepEqual(
    [stream.status, stream.type],
    [200, 'multipart/x-mixed-replace; boundary=frame'],
  );
  draw(camera);
  const part = 'Content-Type: image/jpeg\r\nContent-Length: 9\r\n\r\njpeg of .\r\n--frame\r\n';
  await until(() => stream.text() === `--frame\r\n${part}`);
  draw(camera);
  await until(() => stream.text() === `--frame\r\n${part}${part}`);
});

test('C-1009, =LIVE-006, ~NSH-021 one picture serves all who read the same names, and no one reads another’s', async () => {
  const camera = await anActive(user);
  await using first = await open(admin, `camera_id=${camera}`);
  await using second = await open(admin, `camera_id=${camera}`);
  await using theirs = await open(user, `camera_id=${camera}`, 'az');
  detector.show(camera, 1_000, [
    box({ state: 'known', name: 'Ayla Example', confidence: 0.97, addedBy: admin.userId }),
    box({ state: 'undecided' }),
    box({ state: 'unknown' }),
  ]);
  const labels = drawCalls.at(-1)?.drawings.map(({ boxes }) => boxes.map(({ label }) => label));
  assert.deepEqual(labels, [
    ['Ayla Example 97%', '…', 'Unknown'],
    ['Tanınan şəxs 97%', '…', 'Naməlum'],
  ]);
  const named = drawCalls.at(-1)?.drawings[0];
  draw(camera);
  for (const stream of [first, second])
    await until(() => stream.text().includes('Ayla Example 97%'));
  await until(() => theirs.text().includes('97%'));
  // A picture that was drawn for others before, and comes late.
  detector.show(camera, 2_000, []);
  drawn.publish({
    cameraId: camera,
    drawingId: named!.id,
    jpeg: Buffer.from('late: Ayla Example'),
  });
  draw(camera);
  await until(() => theirs.text().split('jpeg of').length === 3);
  assert.doesNotMatch(theirs.text(), /Ayla/);
});

test('~NSH-021, ROL-009, APD-008 an operator starts detection, others join what runs, and stop ends it', async () => {
  const camera = await anActive(admin, { enable_face_recognition: false });
  const operator: Scope = {
    ...(await world.actor('operator')),
    grants: granting(camera, ['live', 'detect']),
  };
  const onlooker: Scope = { ...user, grants: granting(camera, ['live', 'detect']) };
  const watches = { ...operator, grants: granting(camera, ['live']) };
  for (const one of [onlooker, watches]) {
    const refused = await open(one, `camera_id=${camera}`);
    assert.deepEqual(
      [refused.status, /"code":"([a-z_]+)"/.exec(refused.body)?.[1]],
      [403, 'detection_not_running'],
    );
  }
  await using started = await open(operator, `camera_id=${camera}`);
  assert.equal(started.status, 200);
  assert.equal(
    drawCalls.at(-1)?.detectsFaces,
    true,
    'faces are looked for although the camera does not ask for it',
  );
  await using joined = await open(onlooker, `camera_id=${camera}`);
  assert.equal(joined.status, 200);
  asker = operator;
  const running = await app.inject({
    url: '/secure-api/face_detector/status/',
    headers: { host: '127.0.0.1' },
  });
  assert.deepEqual(
    running.json<{ results: object[] }>().results.map((one) => ({ ...one, started_at: '' })),
    [{ camera_id: camera, viewers: 2, started_at: '' }],
  );
  const stop = (scope: Scope) => {
    asker = scope;
    const headers = { host: '127.0.0.1', 'content-type': 'application/json' };
    const payload = JSON.stringify({ camera_id: camera });
    return app.inject({ method: 'POST', url: '/secure-api/face_detector/stop/', headers, payload });
  };
  assert.equal((await stop(watches)).statusCode, 403);
  assert.deepEqual((await stop(operator)).json(), { success: true, stopped: 2 });
  await Promise.all([started.closed, joined.closed]);
  // A viewer does not start it again.
  for (const one of [started, joined]) assert.ok(one.text().endsWith('--frame--\r\n'));
  await until(() => drawCalls.at(-1)?.drawings.length === 0);
  assert.equal(drawCalls.at(-1)?.detectsFaces, false);
});

test('LIVE-015 a camera that is not active, or sends nothing, starts nothing', async () => {
  const idle = await world.camera(admin, { status: 'inactive', url: 'rtsp://192.168.1.9/s' });
  const refused = await open(admin, `camera_id=${idle}`);
  assert.deepEqual([refused.status, refused.body.includes('camera_not_active')], [409, true]);
  const silent = await anActive(admin);
  state = 'offline';
  const waits = await open(admin, `camera_id=${silent}`);
  state = 'live';
  assert.deepEqual([waits.status, waits.body.includes('camera_not_live')], [503, true]);
});

test('a host that is back gets the drawings again', async () => {
  const camera = await anActive(admin);
  await using stream = await open(admin, `camera_id=${camera}`);
  const before = drawCalls.at(-1)!;
  healthChanged.publish({ cameraId: camera, health: { ...offHealth, state: 'live' } });
  assert.deepEqual(
    drawCalls.at(-1)?.drawings.map(({ boxes }) => boxes),
    [[]],
  );
  assert.notEqual(drawCalls.at(-1), before);
  draw(camera);
  await until(() => stream.text().includes('jpeg of'));
});

test('C-401 pictures that were painted before masks changed go to no one, a slow reader included', async () => {
  const camera = await world.camera(admin, { status: 'active' });
  state = 'live';
  const stream = await views.open(admin, camera, { withBoxes: false, language: 'en' });
  const before = drawCalls.findLast(({ cameraId }) => cameraId === camera)!.drawings[0]!.id;
  const read: string[] = [];
  drawn.publish({ cameraId: camera, drawingId: before, jpeg: Buffer.from('waits for a reader') });
  masksChanged.publish({ cameraId: camera });
  drawn.publish({ cameraId: camera, drawingId: before, jpeg: Buffer.from('late from the host') });
  const now = drawCalls.findLast(({ cameraId }) => cameraId === camera)!.drawings[0]!.id;
  assert.notEqual(now, before);
  stream.on('data', (part: Buffer) => read.push(part.toString()));
  drawn.publish({
    cameraId: camera,
    drawingId: now,
    jpeg: Buffer.from('painted with those of now'),
  });
  await until(() => read.some((part) => part.includes('those of now')));
  assert.ok(!read.some((part) => /waits|late/.test(part)));
  stream.destroy();
});

test('C-405 a request for the head of a stream holds no place', async () => {
  const camera = await anActive(admin);
  asker = admin;
  const url = `/secure-api/face_detector/stream/?camera_id=${camera}`;
  const reply = await app.inject({ method: 'HEAD', url, headers: { host: '127.0.0.1' } });
  assert.equal(reply.statusCode, 200);
  await until(() => !viewers.isWatched(camera));
});
