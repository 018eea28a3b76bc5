/** Playing by HTTP: what a ticket opens, and what it does not. */
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Capability } from '@nazar/contract/capabilities.ts';
import type { PlaybackTicket } from '@nazar/contract/playback.ts';
import { stillBox } from '#media/mp4/segment-file.ts';
import { aSegmentHead, segmentBytes, writeSegment } from '#testing/segments.ts';
import { signInEach, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { aCameraForm } from '#testing/world.ts';

let world: TestServer;
let people: Awaited<ReturnType<typeof signInEach>>;
let camera: string;
let startMs: number;
const ids: string[] = [];
let bytes: Buffer;

before(async () => {
  world = await testServer();
  people = await signInEach(world);
  const form = aCameraForm({ status: 'active', url: 'rtsp://192.168.0.9/a' });
  const added = await people.admin.send('POST', '/secure-api/cameras/', form);
  camera = added.json<{ id: string }>().id;
  startMs = world.clock.now() - 60_000;
  for (const seconds of [0, 10, 30]) {
    const head = aSegmentHead(camera, startMs + seconds * 1_000);
    const still = stillBox({ atMs: 0, jpeg: Buffer.from([0xff, 0xd8, seconds]), shows: 'main' });
    bytes = Buffer.concat([segmentBytes(head), still]);
    ids.push(head.id);
    writeSegment(join(world.recordingFolder, camera), head, bytes);
  }
  await world.server.recordings.recover();
  await world.server.recordings.recover();
});
after(() => world[Symbol.asyncDispose]());

const period = (from: number, until: number) => ({
  from: new Date(startMs + from * 1_000).toISOString(),
  until: new Date(startMs + until * 1_000).toISOString(),
});

async function begin(who: SignedIn, asked = period(0, 15)): Promise<PlaybackTicket> {
  const reply = await who.send('POST', `/secure-api/cameras/${camera}/playback/`, asked);
  assert.equal(reply.status, 201, reply.text);
  return reply.json<PlaybackTicket>();
}

/** As a `<video>` asks: with an address and nothing else. */
const get = (url: string, headers: Record<string, string> = {}) =>
  world.app.inject({ url, headers: { host: 'localhost', ...headers } });

const segmentOf = (playlist: string, id: string): string =>
  `${playlist.replace('index.m3u8', 'segment.mp4')}&id=${id}`;

const grant = (to: SignedIn, capabilities: readonly Capability[]) =>
  people.admin.send('PUT', '/secure-api/cameras/grants/', {
    to: { type: 'user', id: to.id },
    of: { type: 'camera', id: camera },
    capabilities,
    categories: [],
  });

test('C-401 C-404 a ticket is all a player needs: the playlist, and the ranges that it names', async () => {
  const { playlist, starts_at, mimes } = await begin(people.admin, period(2, 15));
  assert.equal(starts_at, new Date(startMs).toISOString());
  assert.deepEqual(mimes, ['video/mp4; codecs="avc1.64001f"']);
  const list = await get(playlist);
  assert.equal(list.statusCode, 200);
  assert.equal(list.headers['content-type'], 'application/vnd.apple.mpegurl');
  assert.equal(list.headers['cache-control'], 'private, no-store');
  assert.match(list.body, /TIME-OFFSET=2\.000/);
  const named = [...list.body.matchAll(/^segment\.mp4\?ticket=.+&id=(.+)$/gm)].map(([, id]) => id);
  assert.deepEqual(named, ids.slice(0, 2));
  const [, length = '', offset = ''] = /BYTERANGE:(\d+)@(\d+)/.exec(list.body) ?? [];
  const last = Number(offset) + Number(length) - 1;
  assert.equal(last, bytes.length - 1);
  const part = await get(segmentOf(playlist, ids[0]!), { range: `bytes=${offset}-${last}` });
  assert.equal(part.statusCode, 206);
  assert.equal(part.rawPayload.length, Number(length));
});

test('C-402 C-806 a page gets the playlist with its ticket, which is opened by that and stands in no address of it', async () => {
  const asked = { ...period(2, 15), with_playlist: true };
  const { playlist, playlist_text = '', ticket } = await begin(people.admin, asked);
  assert.match(playlist_text, /^#EXTM3U[^]+TIME-OFFSET=2\.000/);
  assert.ok(!playlist_text.includes(ticket));
  const named = [...playlist_text.matchAll(/^segment\.mp4\?ticket=&id=(.+)$/gm)].map(
    ([, id]) => id,
  );
  assert.deepEqual([...new Set(named)], ids.slice(0, 2));
  assert.equal((await get(segmentOf(playlist, ids[0]!))).statusCode, 200);
  assert.equal((await begin(people.admin, period(2, 15))).playlist_text, undefined);
});

test('VLC 3 is distinguished from other players by its name', async () => {
  const { playlist } = await begin(people.admin, period(0, 60));
  const rangesFor = async (agent: string): Promise<string[]> => {
    const list = await get(playlist, { 'user-agent': agent });
    return [...list.body.matchAll(/BYTERANGE:\d+@(\d+)/g)].map(([, at]) => at!);
  };
  const usual = await rangesFor('Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0');
  assert.ok(!usual.includes('0'));
  assert.deepEqual(await rangesFor('VLC/4.0.0 LibVLC/4.0.0'), usual);
  // The third file follows a gap.
  const [first, second] = usual;
  assert.deepEqual(await rangesFor('VLC/3.0.24 LibVLC/3.0.24'), [first, second, '0']);
});

test('C-402 a ticket opens one camera and one time, and nothing once its session or its rights are gone', async () => {
  const user = people.user;
  await grant(user, ['live', 'recordings']);
  const { playlist } = await begin(user);
  assert.equal((await get(segmentOf(playlist, ids[0]!))).statusCode, 403, 'before it is opened');
  assert.equal((await get(playlist)).statusCode, 200);
  assert.equal((await get(segmentOf(playlist, ids[0]!))).statusCode, 200);
  assert.equal((await get(segmentOf(playlist, ids[2]!))).statusCode, 404, 'of another time');
  const recordings = `/secure-api/recordings/segments/${ids[0]}/file/`;
  assert.equal((await get(`${recordings}?ticket=${playlist.split('=')[1]}`)).statusCode, 401);
  await grant(user, ['live']);
  assert.equal((await get(segmentOf(playlist, ids[0]!))).statusCode, 403, 'C-403');
  assert.equal((await get(playlist)).statusCode, 403);
  await grant(user, ['live', 'recordings']);
  const again = await begin(user);
  assert.equal((await get(again.playlist)).statusCode, 200);
  await user.send('POST', '/secure-api/accounts/logout/', {});
  assert.equal((await get(segmentOf(again.playlist, ids[0]!))).statusCode, 403, 'C-205');
});

test('no user plays what they may not see, what is not there, or more than a day', async () => {
  const ask = (who: SignedIn, asked: object) =>
    who.send('POST', `/secure-api/cameras/${camera}/playback/`, asked);
  assert.equal((await ask(people.operator, period(0, 15))).status, 404);
  await grant(people.operator, ['live']);
  assert.equal((await ask(people.operator, period(0, 15))).status, 403);
  assert.equal((await ask(people.admin, period(-900, -800))).status, 404);
  assert.equal((await ask(people.admin, period(15, 0))).status, 400);
  assert.equal((await ask(people.admin, period(0, 90_000))).status, 400);
});

test('a file that is gone is distinguished from a disk that is away', async () => {
  const { playlist } = await begin(people.admin);
  await get(playlist);
  const folder = world.recordingFolder;
  const aside = `${folder}-aside`;
  const ask = async (address: string): Promise<[number, string]> => {
    const reply = await get(address);
    return [reply.statusCode, reply.statusCode === 200 ? '' : reply.json<{ code: string }>().code];
  };
  const addresses = [
    segmentOf(playlist, ids[1]!),
    ...['silent/head.mp4', 'silent/file.m4s'].map(
      (name) => `${playlist.replace('index.m3u8', name)}&id=${ids[1]!}&sound=${ids[0]!}`,
    ),
  ];
  renameSync(join(folder, camera), aside);
  for (const address of addresses)
    assert.deepEqual(await ask(address), [409, 'recording_file_missing']);
  renameSync(aside, join(folder, camera));
  renameSync(folder, aside);
  for (const address of addresses)
    assert.deepEqual(await ask(address), [503, 'recording_disk_away']);
  renameSync(aside, folder);
  assert.deepEqual(await ask(addresses[0]!), [200, '']);
});

test('C-806 playback of a time of a camera is recorded in the activity log', async () => {
  const { superadmin } = people;
  const { playlist } = await begin(superadmin);
  await get(playlist);
  const log = await superadmin.get(
    `/secure-api/activity-log/activity-logs/?action=view&page_size=100`,
  );
  const { results } = log.json<{ results: { event: string; user: string }[] }>();
  const mine = results.filter(
    ({ event, user }) => event === 'recording.played' && user === superadmin.id,
  );
  assert.equal(mine.length, 1);
});

test('C-404 stills are sent to be kept nowhere, and a wrong time or number is refused with its field', async () => {
  const path = `/secure-api/cameras/${camera}`;
  const { from, until } = period(0, 40);
  const one = await people.admin.get(`${path}/still/?at=${period(12, 13).from}`);
  assert.equal(one.text.at(-1), '\n', 'the byte 10 of its file');
  assert.equal(one.headers['content-type'], 'image/jpeg');
  const some = await people.admin.get(`${path}/stills/?from=${from}&until=${until}`);
  const { results } = some.json<{ results: { at: string; jpeg: string }[] }>();
  assert.deepEqual(
    results.map(({ at, jpeg }) => [at, Buffer.from(jpeg, 'base64')[2]]),
    [0, 10, 30].map((seconds) => [period(seconds, 60).from, seconds]),
  );
  for (const { headers } of [one, some]) {
    assert.equal(headers['cache-control'], 'private, no-store');
    assert.equal(headers['x-content-type-options'], 'nosniff');
  }
  for (const [query, field] of [
    [`from=2020-01-01T00:00:00Z&until=${until}`, 'until'],
    [`from=2020-01-01T00:00:00Z`, 'from'],
    [`from=${from}&until=${until}&count=201`, 'count'],
    [`from=${from}&until=${until}&count=0`, 'count'],
    [`from=2026-13-40T00:00:00Z&until=${until}`, 'from'],
  ]) {
    const refused = await people.admin.get(`${path}/stills/?${query}`);
    assert.equal(refused.status, 400, query);
    assert.deepEqual(Object.keys(refused.json<object>()), [field], refused.text);
  }
  const newest = await people.admin.get(`${path}/still/`);
  assert.equal(newest.text.at(-1), '\u001e', 'without a moment the newest: the byte 30');
  const outside = await people.operator.get(`${path}/stills/?from=${from}&until=${until}`);
  assert.equal(outside.status, 403, 'who may see it live only');
});
