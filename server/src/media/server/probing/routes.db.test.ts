/** The connection test over HTTP, on a real server with real workers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { ConnectionTest } from '@nazar/contract/probing.ts';
import { makeFilm } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { call, testServer, type SignedIn, type TestServer } from '#testing/server.ts';

const credentials = { scheme: 'basic', username: 'viewer', password: 'canary-Pa55' } as const;
const timeout = 60_000;
let world: TestServer;
let admin: SignedIn;
let source: RtspCamera;

before(async () => {
  world = await testServer();
  admin = await world.signIn('admin');
  source = await RtspCamera.start({ film: makeFilm(), credentials });
});
after(async () => {
  await source[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const { username, password } = credentials;
const add = async (more: object = {}): Promise<Camera> => {
  const form = { name: 'Gate', location: 'Yard', ...more };
  return (await admin.send('POST', '/secure-api/cameras/', form)).json<Camera>();
};
const tested = async (path: string, body: object): Promise<ConnectionTest> =>
  (await admin.send('POST', `/secure-api/cameras/${path}test_connection/`, body)).json();

test(
  'NSH-014, CAM-057 a saved camera is tested with its stored password, and the answer describes its stream',
  { timeout },
  async () => {
    const { id } = await add({ type: 'rtsp', url: source.url, username, password });
    const { success, message, outcome, codec, latency_ms, width, height, fps, content_type } =
      await tested(`${id}/`, { timeout: 5 });
    assert.deepEqual(
      [success, outcome, message, codec],
      [true, 'connected', 'Connected to camera: Gate', 'h264'],
    );
    assert.ok(latency_ms !== null);
    const { film } = source;
    assert.deepEqual([width, height, content_type], [film.width, film.height, null]);
    assert.ok(fps !== null && fps > 0);
  },
);

test(
  'NSH-014 a camera that is not saved is shown by a small still; a saved one, which may have masks, is not',
  { timeout },
  async () => {
    const form = { name: 'New', type: 'rtsp', url: source.url, username, password };
    const { still } = await tested('', form);
    const jpeg = Buffer.from(still ?? '', 'base64');
    assert.deepEqual([...jpeg.subarray(0, 3)], [0xff, 0xd8, 0xff]);
    assert.ok(jpeg.length < 300_000, `${jpeg.length} bytes`);
    const { id: camera } = await add(form);
    const edited = await tested('', { ...form, camera });
    assert.deepEqual([edited.outcome, edited.still], ['connected', null]);
    assert.equal((await tested(`${camera}/`, {})).still, null);
    assert.equal((await tested('', { ...form, password: 'wrong' })).still, null);
  },
);

test('CAM-053 a camera without a URL is answered in exactly these words, in the reader’s language', async () => {
  const { id } = await add();
  const { success, message } = await tested(`${id}/`, {});
  assert.deepEqual([success, message], [false, 'No URL provided for camera: Gate']);
  for (const more of [{ type: 'usb' }, { type: 'ip', ip_address: '192.168.1.9' }]) {
    const other = await tested(`${(await add(more)).id}/`, {});
    assert.deepEqual(
      [other.success, other.outcome, other.message],
      [false, 'no_url', 'No URL provided for camera: Gate'],
      more.type,
    );
  }
  const path = `/secure-api/cameras/${id}/test_connection/`;
  const headers = { 'accept-language': 'tr' };
  const inTurkish = await call(world.app, 'POST', path, {
    access: admin.access,
    body: {},
    headers,
  });
  assert.equal(inTurkish.json()['message'], 'Kamera için adres girilmemiş: Gate');
});

test(
  'C-603 a form uses the stored password where saving would keep it, and nowhere else',
  { timeout },
  async () => {
    const { id: camera } = await add({ type: 'rtsp', url: source.url, username, password });
    const form = { camera, name: 'Gate', type: 'rtsp', url: source.url, username };
    assert.equal((await tested('', form)).outcome, 'connected');
    await using elsewhere = await RtspCamera.start({ film: makeFilm(), credentials });
    assert.equal((await tested('', { ...form, url: elsewhere.url })).outcome, 'password_refused');
    assert.equal((await tested('', { ...form, username: 'other' })).outcome, 'password_refused');
    assert.equal(
      (await tested('', { ...form, url: elsewhere.url, password })).outcome,
      'connected',
    );
  },
);

test('C-506 a form with an address that no camera may have is refused at that field', async () => {
  const reply = await admin.send('POST', '/secure-api/cameras/test_connection/', {
    url: 'file:///etc/passwd',
  });
  assert.equal(reply.status, 400);
  assert.deepEqual(Object.keys(reply.json()), ['url']);
});
