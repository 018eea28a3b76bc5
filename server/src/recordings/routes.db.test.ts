/** Recordings by HTTP: who gets which bytes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { Capability } from '@nazar/contract/capabilities.ts';
import { aSegmentHead, segmentBytes, writeSegment } from '#testing/segments.ts';
import {
  call,
  signInEach,
  testPassword,
  testServer,
  type SignedIn,
  type TestServer,
} from '#testing/server.ts';
import { aCameraForm } from '#testing/world.ts';

let world: TestServer;
let people: Awaited<ReturnType<typeof signInEach>>;
let camera: string;
const head = (): ReturnType<typeof aSegmentHead> =>
  aSegmentHead(camera, world.clock.now() - 60_000);
let segment: string;
let bytes: Buffer;

before(async () => {
  world = await testServer();
  people = await signInEach(world);
  const form = aCameraForm({ status: 'active', url: 'rtsp://192.168.0.9/a' });
  const added = await people.admin.send('POST', '/secure-api/cameras/', form);
  camera = added.json<{ id: string }>().id;
  assert.deepEqual(added.json()['recording_modes'], ['motion'], 'REC-033');
  const one = head();
  segment = one.id;
  bytes = segmentBytes(one);
  writeSegment(join(world.recordingFolder, camera), one, bytes);
  await world.server.recordings.recover();
  await world.server.recordings.recover();
});
after(() => world[Symbol.asyncDispose]());

async function grant(to: SignedIn, capabilities: readonly Capability[]): Promise<void> {
  const body = {
    to: { type: 'user', id: to.id },
    of: { type: 'camera', id: camera },
    capabilities,
    categories: [],
  };
  const given = await people.admin.send('PUT', '/secure-api/cameras/grants/', body);
  assert.equal(given.status, 200, given.text);
}

const file = (): string => `/secure-api/recordings/segments/${segment}/file/`;
const whole = '?from=2026-01-15T00:00:00Z&until=2026-01-16T00:00:00Z';

test('C-304 =CFL-004 a user who may see a camera live sees its recordings only with a grant for them too', async () => {
  const { user, operator } = people;
  await grant(user, ['live']);
  await grant(operator, ['live', 'recordings']);
  const timeline = `/secure-api/cameras/${camera}/timeline/${whole}`;
  const list = '/secure-api/recordings/';
  const answers = async (who: SignedIn) => [
    (await who.get(list)).json<{ count: number }>().count,
    (await who.get(timeline)).status,
    (await who.get(file())).status,
  ];
  assert.deepEqual(await answers(user), [0, 403, 404]);
  assert.deepEqual(await answers(operator), [1, 200, 200]);
});

test('C-401, C-406 a recorded file of a camera with privacy masks is for users who may see behind them', async () => {
  const { user, operator, admin } = people;
  await grant(user, ['live', 'recordings']);
  await grant(operator, ['live', 'recordings', 'unmasked']);
  const path = `/secure-api/cameras/${camera}/zones/`;
  const corner = [
    [0, 0],
    [0.5, 0],
    [0, 0.5],
  ];
  const draw = async (kind: string): Promise<void> => {
    const drawn = await admin.send('PUT', path, { zones: [{ kind, points: corner }] });
    assert.equal(drawn.status, 200, drawn.text);
  };
  const answers = () =>
    Promise.all([user, operator, admin].map(async (who) => (await who.get(file())).status));
  await draw('motion');
  assert.deepEqual(await answers(), [200, 200, 200]);
  await draw('privacy');
  assert.deepEqual(await answers(), [403, 200, 200]);
  assert.equal((await user.get(file())).json()['code'], 'camera_masked');
  await admin.send('PUT', path, { zones: [] });
  assert.deepEqual(await answers(), [200, 200, 200]);
});

test('C-406 a file is sent whole or by a range of it, and hashes to what its row says', async () => {
  const { app } = world;
  const { access } = people.admin;
  const ranged = (range: string) =>
    app.inject({
      method: 'GET',
      url: file(),
      headers: { host: '127.0.0.1', authorization: `Bearer ${access}`, range },
    });
  const all = await ranged('bytes=0-');
  assert.equal(all.statusCode, 206);
  assert.ok(all.rawPayload.equals(bytes));
  const part = await ranged('bytes=10-19');
  assert.equal(part.headers['content-range'], `bytes 10-19/${bytes.length}`);
  assert.ok(part.rawPayload.equals(bytes.subarray(10, 20)));
  assert.ok((await ranged('bytes=-7')).rawPayload.equals(bytes.subarray(-7)));
  const beyond = await ranged(`bytes=${bytes.length}-`);
  assert.deepEqual(
    [beyond.statusCode, beyond.headers['content-range']],
    [416, `bytes */${bytes.length}`],
  );
  for (const rubbish of ['bytes=a-b', 'bytes=1-2,5-6', 'lines=1-2']) {
    const answer = await ranged(rubbish);
    assert.deepEqual([answer.statusCode, answer.rawPayload.length], [200, bytes.length], rubbish);
  }
  assert.equal(all.headers['content-type'], 'video/mp4');
  assert.match(String(all.headers['cache-control']), /no-store/, 'C-404');
  const { results } = (await people.admin.get('/secure-api/recordings/')).json<{
    results: { id: string }[];
  }>();
  const segments = await people.admin.get(`/secure-api/recordings/${results[0]!.id}/segments/`);
  const [row] = segments.json<{ results: { sha256: string }[] }>().results;
  assert.equal(row?.sha256, createHash('sha256').update(bytes).digest('hex'));
});

test('C-806 playback of a recording is in the activity log, once an hour', async () => {
  await people.superadmin.get(file());
  await people.superadmin.get(file());
  const log = await people.superadmin.get(
    '/secure-api/activity-log/activity-logs/?action=view&page_size=100',
  );
  const { results } = log.json<{ results: { event: string; user: string }[] }>();
  const mine = results.filter(
    ({ event, user }) => event === 'recording.played' && user === people.superadmin.id,
  );
  assert.equal(mine.length, 1);
});

test('APC-009, ~CAM-049, CAM-052 recording by hand, in the words of the documents', async () => {
  const toggle = (on: boolean) =>
    people.admin.send('PATCH', `/secure-api/cameras/${camera}/toggle_recording/`, {
      is_recording: on,
    });
  const url = `/secure-api/cameras/${camera}/recording_settings/`;
  await people.admin.send('PATCH', url, { motionDetection: false });
  const stopped = await toggle(false);
  assert.equal(stopped.status, 404);
  const detail = 'No active recording found for camera: Gate';
  assert.equal(stopped.json()['detail'], detail);
  assert.equal((await toggle(true)).status, 200);
  assert.equal((await toggle(false)).status, 200);
  const again = await toggle(false);
  assert.deepEqual([again.status, again.json()['detail']], [404, detail], 'no recorder runs');
  const asked = await call(world.app, 'PATCH', `/secure-api/cameras/${camera}/toggle_recording/`, {
    access: people.operator.access,
    body: { is_recording: true },
  });
  assert.equal(asked.status, 403, 'ROL-008');
});

test('~CAM-020 C-304 cameras say whose recordings one may see, and what settings record no button stops', async () => {
  const { user, operator, admin } = people;
  await grant(user, ['live']);
  await grant(operator, ['live', 'recordings']);
  const url = `/secure-api/cameras/${camera}/`;
  const cameraOf = async (who: SignedIn) => (await who.get(url)).json<Camera>();
  const mayPlay = [user, operator, admin].map(async (who) => {
    const { may_play } = await cameraOf(who);
    const [listed] = (await who.get('/secure-api/cameras/')).json<{ results: Camera[] }>().results;
    assert.equal(listed?.may_play, may_play);
    return may_play;
  });
  assert.deepEqual(await Promise.all(mayPlay), [false, true, true]);
  const set = (continuousRecording: boolean) =>
    admin.send('PATCH', `${url}recording_settings/`, { continuousRecording });
  await set(true);
  const recorded = await cameraOf(operator);
  assert.equal(recorded.recording_reason, 'continuous');
  // Until its host has tried to reach it.
  assert.ok(['recording', 'interrupted'].includes(recorded.recording_state));
  assert.equal(recorded.is_recording, recorded.recording_state === 'recording');
  const stopped = await admin.send('PATCH', `${url}toggle_recording/`, { is_recording: false });
  assert.equal(stopped.status, 409);
  assert.equal(stopped.json()['code'], 'recording_by_settings');
  assert.match(stopped.text, /Gate follows its recording settings/);
  await set(false);
  assert.deepEqual((await cameraOf(operator)).recording_reason, null);
  await admin.send('PATCH', `${url}recording_settings/`, { motionDetection: true });
});

test('days are asked for by dates and zones that there are; what is not is refused with a sentence', async () => {
  const { admin } = people;
  const zoned = (zone: string) => `&timezone=${encodeURIComponent(zone)}`;
  const list = '/secure-api/recordings/?date=2026-01-15';
  const days = `/secure-api/cameras/${camera}/recorded_days/?month=2026-01`;
  assert.equal((await admin.get(list + zoned('Asia/Baku'))).json<{ count: number }>().count, 1);
  const { results } = (await admin.get(days + zoned('Asia/Baku'))).json<{
    results: { date: string; recordings: number }[];
  }>();
  assert.deepEqual(
    results.map(({ date, recordings }) => [date, recordings]),
    [['2026-01-15', 1]],
  );
  for (const path of [list, days, '/secure-api/recordings/newest/?']) {
    const reply = await admin.get(path + zoned('Mars/Base'));
    assert.equal(reply.status, 400, path);
    assert.match(reply.json<{ timezone: string[] }>().timezone[0]!, /^This time zone isn't known/);
  }
  const noDay = await admin.get('/secure-api/recordings/?date=2026-13-40');
  assert.deepEqual([noDay.status, noDay.json()], [400, { date: ['Enter a valid date.'] }]);
  const thisMonth = `/secure-api/cameras/${camera}/recorded_days/`;
  assert.equal((await admin.get(thisMonth)).json<{ results: unknown[] }>().results.length, 1);
  for (const month of ['2026-13', '2026', '0000-01', '']) {
    const path = `/secure-api/cameras/${camera}/recorded_days/?month=${month}`;
    assert.equal((await admin.get(path)).status, 400, month);
  }
});

test('REC-033 REC-034 REC-035 C-508 H-10 settings are kept, and refused where they do not do', async () => {
  const url = `/secure-api/cameras/${camera}/recording_settings/`;
  const usual = (await people.admin.get(url)).json();
  assert.deepEqual(usual, {
    storagePath: `/recordings/${camera}/`,
    continuousRecording: false,
    motionDetection: true,
    schedule: null,
    retentionDays: 30,
    quality: 'ultra',
    recorded: null,
    qualities: { low: null, medium: null, high: null, ultra: null },
  });
  for (const wrong of [
    { retentionDays: 0 },
    { retentionDays: 366 },
    { retentionDays: 1.5 },
    { retentionDays: '30' },
    { storagePath: '/etc/x' },
    { quality: '720' },
    { quality: 'best' },
  ]) {
    assert.equal((await people.admin.send('PATCH', url, wrong)).status, 400, JSON.stringify(wrong));
  }
  assert.equal((await people.admin.send('PATCH', url, { retentionDays: 1 })).status, 200);
  const changed = await people.admin.send('PATCH', url, { retentionDays: 365 });
  assert.deepEqual(changed.json(), { ...usual, retentionDays: 365 });
  const high = await people.admin.send('PATCH', url, { quality: 'high' });
  assert.deepEqual(high.json(), { ...usual, retentionDays: 365, quality: 'high' });
});

test('C-304 ~REC-030 a user who may see recordings reads when they are made, and changes nothing', async () => {
  const { user, operator, admin } = people;
  await grant(user, ['live']);
  await grant(operator, ['live', 'recordings']);
  const url = `/secure-api/cameras/${camera}/recording_settings/`;
  assert.equal((await user.get(url)).status, 403);
  const read = await operator.get(url);
  assert.equal(read.status, 200);
  assert.deepEqual(read.json(), (await admin.get(url)).json());
  assert.equal((await operator.send('PATCH', url, { retentionDays: 7 })).status, 403);
  assert.equal((await operator.send('POST', `${url}forecast/`, {})).status, 403);
});

test('C-407 C-111 deleting a recording takes fresh proof', async () => {
  const list = () => people.admin.get(`/secure-api/recordings/?camera=${camera}`);
  const [{ id } = { id: '' }] = (await list()).json<{ results: { id: string }[] }>().results;
  const remove = (body: object) =>
    people.admin.send('DELETE', `/secure-api/recordings/${id}/`, body);
  assert.match((await remove({})).text, /Confirm it's you/);
  assert.equal((await remove({ password: 'not-the-password' })).status, 400);
  assert.equal((await list()).json<{ count: number }>().count, 1);
  assert.equal((await remove({ password: testPassword })).status, 204);
  assert.equal((await list()).json<{ count: number }>().count, 0);
});

test('~REC-038 a list that has not changed is not sent again', async () => {
  const url = `/secure-api/recordings/?camera=${camera}`;
  const asked = async (tag: string) =>
    world.app.inject({
      url,
      headers: { authorization: `Bearer ${people.admin.access}`, 'if-none-match': tag },
    });
  const first = await asked('');
  const { count } = first.json<{ count: number }>();
  const tag = String(first.headers['etag']);
  const again = await asked(tag);
  assert.deepEqual([again.statusCode, again.body], [304, '']);
  const other = aSegmentHead(camera, world.clock.now() - 600_000);
  writeSegment(join(world.recordingFolder, camera), other, segmentBytes(other));
  await world.server.recordings.recover();
  await world.server.recordings.recover();
  const changed = await asked(tag);
  assert.equal(changed.statusCode, 200);
  assert.equal(changed.json<{ count: number }>().count, count + 1);
});
