/**
 * Every route that gives out what a camera sent, asked by a user who may see and play it but not behind its privacy
 * masks: nothing leaves as it was sent. A new route is a new line here.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Capability } from '@nazar/contract/capabilities.ts';
import { aSegmentHead, segmentBytes, writeSegment } from '#testing/segments.ts';
import { routes } from '#testing/routes.ts';
import { signInEach, testServer, type Reply, type TestServer } from '#testing/server.ts';
import { aCameraForm, aPicture, aVisit } from '#testing/world.ts';

let world: TestServer;
let people: Awaited<ReturnType<typeof signInEach>>;
let camera: string;
let segment: string;
let recording: string;
let visit: string;

before(async () => {
  world = await testServer();
  people = await signInEach(world);
  const form = aCameraForm({ status: 'active', url: 'rtsp://127.0.0.1:9/a' });
  const added = await people.admin.send('POST', '/secure-api/cameras/', form);
  camera = added.json<{ id: string }>().id;
  const head = aSegmentHead(camera, world.clock.now() - 60_000);
  segment = head.id;
  writeSegment(join(world.recordingFolder, camera), head, segmentBytes(head));
  await world.server.recordings.recover();
  await world.server.recordings.recover();
  const list = await people.admin.get('/secure-api/recordings/');
  recording = list.json<{ results: { id: string }[] }>().results[0]!.id;
  const corner = {
    kind: 'privacy',
    points: [
      [0, 0],
      [0.5, 0],
      [0, 0.5],
    ],
  };
  const drawn = await people.admin.send('PUT', `/secure-api/cameras/${camera}/zones/`, {
    zones: [corner],
  });
  assert.equal(drawn.status, 200, drawn.text);
  await grant(['live', 'recordings', 'detect', 'manage', 'people', 'control']);
  const place = { x: 0, y: 0, width: 0.1, height: 0.1, rotation: 0, masks: '' } as const;
  const seen = aVisit(camera, world.clock.now(), { picture: { ...aPicture(1), place } });
  ({ id: visit } = await world.server.visits.write(seen));
});
after(() => world[Symbol.asyncDispose]());

async function grant(capabilities: readonly Capability[]): Promise<void> {
  const body = {
    to: { type: 'user', id: people.user.id },
    of: { type: 'camera', id: camera },
    capabilities,
  };
  const given = await people.admin.send('PUT', '/secure-api/cameras/grants/', body);
  assert.equal(given.status, 200, given.text);
}

const period = { from: '2026-01-15T00:00:00Z', until: '2026-01-15T12:00:00Z' };
const offer = 'v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n';

/** What gives out bytes as they were sent, by route; each is to be refused by name. */
const api: Readonly<Record<string, () => Promise<Reply>>> = {
  'GET /secure-api/recordings/segments/:id/file/': () =>
    people.user.get(`/secure-api/recordings/segments/${segment}/file/`),
  'POST /secure-api/cameras/:id/low_latency_stream/': () =>
    people.user.send('POST', `/secure-api/cameras/${camera}/low_latency_stream/`, { sdp: offer }),
};

/** What shows the face of a visit, or is made of it, which is refused where a mask covers it. */
const faces: Readonly<Record<string, () => Promise<Reply>>> = {
  'GET /secure-api/activity-log/face-logs/:id/image/': () =>
    people.user.get(`/secure-api/activity-log/face-logs/${visit}/image/`),
  'GET /secure-api/activity-log/face-logs/:id/explanation/': () =>
    people.user.get(`/secure-api/activity-log/face-logs/${visit}/explanation/`),
};

/** What is encoded anew with the masks burnt in: accepted, or refused because these files hold no pictures. */
const encoded: Readonly<Record<string, () => Promise<Reply>>> = {
  'POST /secure-api/cameras/:id/playback/': () =>
    people.user.send('POST', `/secure-api/cameras/${camera}/playback/`, period),
  'POST /secure-api/recordings/exports/': () =>
    people.user.send('POST', '/secure-api/recordings/exports/', { cameras: [camera], ...period }),
  'POST /secure-api/recordings/:id/export/': () =>
    people.user.send('POST', `/secure-api/recordings/${recording}/export/`),
  'GET /secure-api/recordings/:id/download/': () =>
    people.user.get(`/secure-api/recordings/${recording}/download/`),
  'GET /secure-api/playback/index.m3u8': async () => people.user.get(await opened()),
  'GET /secure-api/playback/masked/head.mp4': () => named(/URI="(masked[^"]+)"/),
  'GET /secure-api/playback/masked/part.m4s': () => named(/^(masked.part.*)$/m),
};

/** Where the playlist is, of another ticket each time. */
async function opened(): Promise<string> {
  const ticket = await encoded['POST /secure-api/cameras/:id/playback/']!();
  return ticket.json<{ playlist: string }>().playlist;
}

async function named(what: RegExp): Promise<Reply> {
  const list = await people.user.get(await opened());
  const [, address = ''] = what.exec(list.text) ?? [];
  return people.user.get(`/secure-api/playback/${address}`);
}

/** What is opened by what a route above gave, what is decoded and painted, and what only lists or removes. */
const others = [
  'GET /secure-api/recordings/exports/',
  'GET /secure-api/recordings/exports/:id/',
  'DELETE /secure-api/recordings/exports/:id/',
  'GET /secure-api/recordings/exports/:id/file/', // exports/exports.ts asks as it does when one is made
  'POST /secure-api/recordings/exports/estimate/', // figures
  'GET /secure-api/activity-log/verification/:id/file/', // what a verification found, in words
  'POST /secure-api/recordings/exports/:id/ticket/',
  'GET /secure-api/recordings/exports/download/',
  'GET /secure-api/playback/segment.mp4', // by recordings/archive/archive.ts, as the file itself
  'GET /secure-api/playback/silent/head.mp4', // likewise
  'GET /secure-api/playback/silent/file.m4s', // likewise
  'GET /secure-api/cameras/:id/thumbnail/', // painted
  'GET /secure-api/recordings/:id/thumbnail/',
  'GET /secure-api/cameras/:id/still/', // painted: recordings/playback/stills.media.test.ts
  'GET /secure-api/cameras/:id/stills/',
  'GET /secure-api/cameras/:id/alignment/picture/', // unmasked, for users who see all: media/server/alignment.db.test.ts
  'GET /secure-api/cameras/:id/live/',
  'GET /secure-api/cameras/:id/live/mjpeg/', // painted
  'GET /secure-api/cameras/:id/live/index.m3u8', // hls-views.db.test.ts
  'GET /secure-api/cameras/:id/live/hls/:session/stream.m3u8',
  'GET /secure-api/cameras/:id/live/hls/:session/:part',
  'DELETE /secure-api/cameras/:id/low_latency_stream/:session/',
  'POST /secure-api/cameras/:id/live/ticket/', // opens the view with its masks: live.db.test.ts
];

test('C-401, C-304 nothing that a camera sent leaves unmasked for users who do not hold unmasked', async () => {
  for (const [name, ask] of Object.entries(api)) {
    const reply = await ask();
    assert.deepEqual([reply.status, reply.json()['code']], [403, 'camera_masked'], name);
  }
  const ways = (await people.user.get(`/secure-api/cameras/${camera}/live/`)).json();
  assert.equal(ways['webrtc_url'], null);
});

test('C-401 only users who hold unmasked get pictures of visits that show what a mask hides', async () => {
  for (const [name, ask] of Object.entries(faces)) {
    const reply = await ask();
    assert.deepEqual([reply.status, reply.json()['code']], [403, 'sighting_picture_hidden'], name);
  }
  const read = async (who: 'user' | 'admin') => {
    const path = `/secure-api/activity-log/face-logs/?camera_id=${camera}`;
    const { results } = (await people[who].get(path)).json<{ results: object[] }>();
    return results;
  };
  const address = `/secure-api/activity-log/face-logs/${visit}/image/`;
  const [hidden, shown] = [await read('user'), await read('admin')];
  assert.partialDeepStrictEqual(hidden, [
    { id: visit, face_image_url: null, picture_hidden: true },
  ]);
  assert.partialDeepStrictEqual(shown, [
    { id: visit, face_image_url: address, picture_hidden: false },
  ]);
  assert.equal((await people.admin.get(address)).status, 200);
});

test('C-401 recordings leave encoded anew or not at all, by whatever route', async () => {
  const answers: Record<string, unknown> = {};
  for (const [name, ask] of Object.entries(encoded)) {
    const reply = await ask();
    // What the files of this test hold where others have pictures.
    assert.ok(!/picture \d/.test(reply.text), name);
    assert.ok(!reply.text.includes('segment.mp4?'), name);
    const body = reply.text.startsWith('{') ? reply.json() : {};
    const [first] = (body['results'] as { masked: boolean }[] | undefined) ?? [];
    answers[name] = [reply.status, body['code'] ?? body['masked'] ?? first?.masked];
  }
  assert.deepEqual(answers, {
    'POST /secure-api/cameras/:id/playback/': [201, true],
    'POST /secure-api/recordings/exports/': [201, true],
    'POST /secure-api/recordings/:id/export/': [201, true],
    'GET /secure-api/recordings/:id/download/': [409, 'export_failed'],
    'GET /secure-api/playback/index.m3u8': [200, undefined],
    'GET /secure-api/playback/masked/head.mp4': [409, 'recording_unreadable'],
    'GET /secure-api/playback/masked/part.m4s': [409, 'recording_unreadable'],
  });
});

test('a user who is granted unmasked gets in by the same api', async () => {
  await grant(['live', 'recordings', 'unmasked']);
  for (const [name, ask] of Object.entries(api)) {
    const reply = await ask();
    assert.ok(!reply.text.includes('camera_masked'), name);
  }
  for (const [name, ask] of Object.entries(faces)) assert.equal((await ask()).status, 200, name);
});

test('every route of films, playback and live pictures stands in one of the lists above', () => {
  const shows =
    /\/(?:live|playback|low_latency_stream|download|exports|thumbnail|stills?|alignment\/picture)\/|recordings\/:id\/export\/|\/file\/$|face-logs\/:id\/(?:image|explanation)\/$/;
  const found = routes
    .filter(({ path }) => shows.test(path))
    .map(({ method, path }) => `${method} ${path}`);
  const listed = [...Object.keys(api), ...Object.keys(faces), ...Object.keys(encoded), ...others];
  assert.deepEqual(found.toSorted(), listed.toSorted());
});
