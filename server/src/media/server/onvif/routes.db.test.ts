/** Discovering and moving cameras over HTTP, on a real server with real workers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { Capability } from '@nazar/contract/capabilities.ts';
import type { DeviceDescription, FoundDevice } from '@nazar/contract/devices.ts';
import type { Movements } from '@nazar/contract/movements.ts';
import { OnvifCamera } from '@nazar/e2e/farm/onvif-camera.ts';
import { recorded } from '#testing/activity-chain.ts';
import { signInEach, testServer, type SignedIn, type TestServer } from '#testing/server.ts';

const login = { username: 'viewer', password: 'canary-Pa55' };
const timeout = 60_000;
let world: TestServer;
let people: Awaited<ReturnType<typeof signInEach>>;
let device: OnvifCamera;

before(async () => {
  device = await OnvifCamera.start({
    ...login,
    streamUrls: ['rtsp://127.0.0.1:554/main'],
    moves: true,
  });
  world = await testServer({ discovery: { to: device.listensAt, waitMs: 200 } });
  people = await signInEach(world);
});
after(async () => {
  await device[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const path = '/secure-api/cameras/';
const form = (more: object = {}) => ({
  name: 'Dome',
  location: 'Yard',
  type: 'rtsp',
  url: 'rtsp://127.0.0.1:554/main',
  ...login,
  ...more,
});
async function add(more: object = {}): Promise<Camera> {
  const reply = await people.admin.send('POST', path, form(more));
  assert.equal(reply.status, 201, reply.text);
  return reply.json<Camera>();
}
async function grant(to: SignedIn, camera: string, capabilities: Capability[]): Promise<void> {
  await people.admin.send('PUT', `${path}grants/`, {
    to: { type: 'user', id: to.id },
    of: { type: 'camera', id: camera },
    capabilities,
  });
}

test('administrators discover a camera and get its streams', { timeout }, async () => {
  const found = await people.admin.send('POST', `${path}discover/`);
  const { results } = found.json<{ results: FoundDevice[] }>();
  assert.deepEqual(
    results.map(({ url, name }) => [url, name]),
    [[device.url, 'Dome 1']],
  );
  const asked = await people.admin.send('POST', `${path}describe/`, { url: device.url, ...login });
  const { outcome, streams, moves } = asked.json<DeviceDescription>();
  assert.deepEqual([outcome, streams.length, moves], ['found', 1, true]);
});

test(
  'C-603 a device is asked with the stored password only on the host it is kept for',
  { timeout },
  async () => {
    const { id } = await add();
    const describe = async (url: string, username: string) =>
      (
        await people.admin.send('POST', `${path}describe/`, { camera: id, url, username })
      ).json<DeviceDescription>();
    assert.equal((await describe(device.url, login.username)).outcome, 'found');
    const elsewhere = device.url.replace('127.0.0.1', 'localhost');
    assert.equal((await describe(elsewhere, login.username)).outcome, 'password_refused');
    assert.equal((await describe(device.url, 'other')).outcome, 'password_refused');
  },
);

test('C-603 a camera is asked to move on the host of its stream only', async () => {
  for (const device_url of [
    'http://192.168.1.9/onvif',
    'ftp://127.0.0.1/',
    'http://a:b@127.0.0.1/',
    'x',
  ]) {
    const reply = await people.admin.send('POST', path, form({ device_url }));
    assert.deepEqual([reply.status, Object.keys(reply.json())], [400, ['device_url']], device_url);
  }
});

test(
  'C-304 control lets a user move a camera, seeing it does not, and it is in the activity log',
  { timeout },
  async () => {
    const { user, operator, staff } = { ...people, staff: people.superadmin };
    const camera = await add({ device_url: device.url });
    assert.equal(camera.may_move, true);
    await grant(user, camera.id, ['live']);
    await grant(operator, camera.id, ['live', 'control']);
    const ptz = `${path}${camera.id}/ptz/`;
    const stop = { kind: 'stop' };
    const answers = async (who: SignedIn) => [
      (await who.get(`${path}${camera.id}/`)).json<Camera>().may_move,
      (await who.get(ptz)).status,
      (await who.send('POST', ptz, stop)).status,
    ];
    assert.deepEqual(await answers(user), [false, 403, 403]);
    assert.deepEqual(await answers(operator), [true, 200, 204]);
    assert.deepEqual(await answers(staff), [true, 200, 204]);
    const { moves, presets } = (await operator.get(ptz)).json<Movements>();
    assert.deepEqual([moves, presets.length], [true, 2]);
    const before = device.movements.length;
    await operator.send('POST', ptz, { kind: 'move', x: 1, for_ms: 200 });
    assert.equal(device.movements.length, before + 1);
    for (const wrong of [
      { kind: 'move', x: 2 },
      { kind: 'move', for_ms: 60_000 },
      { kind: 'preset', preset: '<a>' },
      {},
    ])
      assert.equal((await operator.send('POST', ptz, wrong)).status, 400, JSON.stringify(wrong));
    const entries = await recorded(world.database.db);
    const moved = entries.filter(({ action }) => action === 'camera.moved');
    assert.equal(moved.length, 2, 'one of each, whatever they did');
  },
);

test(
  'a camera that cannot be asked, and one that does not answer, say so',
  { timeout },
  async () => {
    const still = await add();
    const none = await people.admin.send('POST', `${path}${still.id}/ptz/`, { kind: 'stop' });
    assert.equal(none.json()['code'], 'camera_cannot_move');
    const gone = await add({ device_url: 'http://127.0.0.1:9/onvif' });
    const failed = await people.admin.send('POST', `${path}${gone.id}/ptz/`, { kind: 'stop' });
    assert.deepEqual([failed.status, failed.json()['code']], [503, 'camera_not_moved']);
  },
);
