import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { DetectedFace } from '@nazar/contract/face-detector.ts';
import { Registry } from '#faces/faces.ts';
import { createHttp } from '#http/http.ts';
import type { Scope } from '#http/scope.ts';
import { granting } from '#testing/grants.ts';
import { recorded } from '#testing/record.ts';
import { aWorld, quietLog, type World } from '#testing/world.ts';
import { FaceDetector } from './face-detector.ts';
import type { NamedBox } from './named-box.ts';

const path = '/secure-api/face_detector/face/recognition/';
let world: World;
let app: FastifyInstance;
let detector: FaceDetector;
let admin: Scope;
let user: Scope;
let asker: Scope;

before(async () => {
  world = await aWorld();
  const { clock, cameras, faces, activity } = world;
  [admin, user] = [await world.actor('admin'), await world.actor('user')];
  detector = new FaceDetector({ cameras, activity, registry: new Registry(faces) });
  app = await createHttp({ log: quietLog, hosts: ['127.0.0.1'], trustProxy: [], clock });
  detector.bind({ app, identify: async () => asker, awaitsSetup: async () => false, served: [] });
});
after(async () => {
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

const box = (change: Partial<NamedBox>): NamedBox => ({
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

test('APD-001, APD-002, ENT-013, LIVE-019 the faces of the newest picture, asked for as a form', async () => {
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
      timestamp,
    },
    { ...unknown, track_id: 'track-2', x: 0.5, state: 'unknown', confidence: 0.8 },
    { ...unknown, track_id: 'track-3', x: 0.7, state: 'undecided', confidence: 0.6 },
  ];
  assert.deepEqual(body, { success: true, faces: expected });
  detector.forget(camera);
  assert.deepEqual((await ask(admin, detectedBy(camera))).body, { success: true, faces: [] });
});

test('C-1009, C-304, C-806 who may not see the camera asks in vain, who may not name reads no name', async () => {
  const camera = await world.camera(admin);
  detector.show(camera, 1_000, [box({ name: 'Ayla Example', state: 'known', confidence: 0.9 })]);
  assert.equal((await ask(user, detectedBy(camera))).status, 404);
  const granted = { ...user, grants: granting(camera, ['live']) };
  const { body } = await ask(granted, detectedBy(camera));
  const [face] = body['faces'] as DetectedFace[];
  assert.equal(face?.name, 'Known person');
  assert.doesNotMatch(JSON.stringify(body), /addedBy|categoryId|score/);
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
  assert.equal((await remove(user, 'mine example')).status, 404, 'a name is exact');
  const twin = await remove(user, 'Twin Example');
  assert.deepEqual([twin.status, twin.body['code']], [409, 'face_name_ambiguous']);
  assert.deepEqual(await remove(user, 'Mine Example'), { status: 200, body: { success: true } });
  assert.deepEqual(await names(user), ['Twin Example', 'Twin Example']);
  await assert.rejects(world.faces.read(admin, mine.id), { code: 'face_not_found' });
});

test('APD-005, APD-001 what is not one of the actions, or lacks its fields, is refused', async () => {
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
