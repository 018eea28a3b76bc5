/**
 * Playing recordings by HTTP to a user who may not see behind privacy masks, with real files and real workers: what
 * they are sent, and what they never are.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import type { PlaybackTicket } from '@nazar/contract/playback.ts';
import type { Segment } from '@nazar/contract/recordings.ts';
import { brightness, centreMask, isMasked, picturesIn } from '#testing/grey.ts';
import { recordFilms } from '#testing/recorded-films.ts';
import { signInEach, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { aCameraForm } from '#testing/world.ts';

let world: TestServer;
let people: Awaited<ReturnType<typeof signInEach>>;
let camera: string;
let startMs: number;

before(async () => {
  world = await testServer();
  people = await signInEach(world);
  const form = aCameraForm({ status: 'active', url: 'rtsp://127.0.0.1:9/a' });
  const added = await people.admin.send('POST', '/secure-api/cameras/', form);
  camera = added.json<{ id: string }>().id;
  startMs = world.clock.now() - 60_000;
  const shape = { ...smallFilm, pictures: 12 * smallFilm.fps };
  await recordFilms(join(world.recordingFolder, camera), camera, startMs, [
    { codec: 'h264', bFrames: 0, shape },
  ]);
  await world.server.recordings.recover();
  await world.server.recordings.recover();
  const zones = [{ kind: 'privacy', points: centreMask }];
  await people.admin.send('PUT', `/secure-api/cameras/${camera}/zones/`, { zones });
  await people.admin.send('PUT', '/secure-api/cameras/grants/', {
    to: { type: 'user', id: people.user.id },
    of: { type: 'camera', id: camera },
    capabilities: ['live', 'recordings'],
  });
});
after(() => world[Symbol.asyncDispose]());

const iso = (seconds: number): string => new Date(startMs + seconds * 1_000).toISOString();

async function begin(
  who: SignedIn,
  from = 0,
  until = 12,
  form: { encoded?: boolean } = {},
): Promise<PlaybackTicket> {
  const asked = { from: iso(from), until: iso(until), ...form };
  const reply = await who.send('POST', `/secure-api/cameras/${camera}/playback/`, asked);
  assert.equal(reply.status, 201, reply.text);
  return reply.json<PlaybackTicket>();
}

/** As a `<video>` asks: with an address and nothing else. */
const get = (url: string) => world.app.inject({ url, headers: { host: 'localhost' } });
const addressOf = (named: string): string => `/secure-api/playback/${named}`;

/** What a playlist names: the initialisation segment, and the parts. */
async function named(playlist: string): Promise<{ head: string; parts: string[] }> {
  const list = await get(playlist);
  assert.equal(list.statusCode, 200, list.body);
  const [, head = ''] = /MAP:URI="([^"]+)"/.exec(list.body) ?? [];
  const parts = list.body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  // Players built on FFmpeg ask for nothing else (7.1.1, and 5.1 since its security updates).
  for (const address of [head, ...parts]) assert.match(address, /\.(?:mp4|m4s)\?/);
  return { head: addressOf(head), parts: parts.map(addressOf) };
}

test('C-401 C-304 everything that a playlist names has its masks in it, from the first picture to the last', async () => {
  const { playlist, masked, encoded, mimes } = await begin(people.user);
  assert.deepEqual([masked, encoded], [true, true]);
  assert.deepEqual(mimes, ['video/mp4; codecs="avc1.42c01f"']);
  const { head, parts } = await named(playlist);
  assert.equal(parts.length, 6, 'two files in parts of two seconds');
  const init = await get(head);
  assert.deepEqual([init.statusCode, init.headers['content-type']], [200, 'video/mp4']);
  assert.equal(init.headers['cache-control'], 'private, no-store');
  const bodies: Buffer[] = [];
  for (const part of parts) bodies.push((await get(part)).rawPayload);
  const pictures = await picturesIn(world.recordingFolder, init.rawPayload, ...bodies);
  assert.ok(pictures.length >= 12 * 12, 'every second of 25 pictures a second');
  for (const picture of pictures) isMasked(picture);
});

test('a user who holds unmasked gets the files as they were recorded', async () => {
  const { playlist, masked, encoded } = await begin(people.admin);
  assert.deepEqual([masked, encoded], [false, false]);
  const { parts } = await named(playlist);
  assert.ok(parts.every((part) => part.startsWith(addressOf('segment.mp4?'))));
  const sent = await get(parts[0]!);
  assert.equal(sent.statusCode, 200, sent.body.slice(0, 500));
  assert.ok(sent.rawPayload.equals(readFileSync(await fileOf(parts[0]!))));
  const [picture] = await picturesIn(world.recordingFolder, sent.rawPayload);
  assert.ok(brightness(picture!, 0.5, 0.7) > 45);
});

test('a browser that cannot play what was recorded gets it encoded anew, with what its user may see behind masks', async () => {
  const asked = { encoded: true };
  const ticket = await begin(people.admin, 0, 12, asked);
  assert.deepEqual([ticket.masked, ticket.encoded], [false, true]);
  assert.deepEqual(ticket.mimes, ['video/mp4; codecs="avc1.42c01f"']);
  const { head, parts } = await named(ticket.playlist);
  assert.ok(parts.every((part) => part.startsWith(addressOf('masked/part.m4s?'))));
  const init = (await get(head)).rawPayload;
  const pictureOf = async (part: string) => {
    const [picture] = await picturesIn(world.recordingFolder, init, (await get(part)).rawPayload);
    return picture!;
  };
  assert.ok(brightness(await pictureOf(parts[0]!), 0.5, 0.7) > 45);
  const hidden = await begin(people.user, 0, 12, asked);
  assert.deepEqual([hidden.masked, hidden.encoded], [true, true]);
  isMasked(await pictureOf((await named(hidden.playlist)).parts[0]!));
  // Asked for by the address of another ticket, which was not for parts: its masks are in it all the same.
  const plain = await begin(people.admin);
  await named(plain.playlist);
  isMasked(await pictureOf(parts[0]!.replace(ticket.ticket, plain.ticket)));
});

/** The path of the file that this address names. */
async function fileOf(address: string): Promise<string> {
  const id = new URLSearchParams(address.split('?')[1]).get('id');
  const row = await world.database.db
    .read<{ recording_segment: { id: string; path: string } }>()
    .selectFrom('recording_segment')
    .select('path')
    .where('id', '=', id ?? '')
    .executeTakeFirstOrThrow();
  return join(world.recordingFolder, row.path);
}

test('C-401 C-402 with a ticket for masked pictures nothing else is to be had', async () => {
  const { playlist, ticket } = await begin(people.user, 0, 5);
  const { parts } = await named(playlist);
  const [, id = ''] = /id=([^&]+)/.exec(parts[0]!) ?? [];
  const segment = await get(addressOf(`segment.mp4?ticket=${ticket}&id=${id}`));
  assert.deepEqual(
    [segment.statusCode, segment.json<{ code: string }>().code],
    [403, 'camera_masked'],
  );
  const part = (from: number | string, of = id) =>
    get(addressOf(`masked/part.m4s?ticket=${ticket}&id=${of}&from=${from}`));
  assert.equal((await part(7)).statusCode, 404, 'a byte where no part begins');
  assert.equal((await part('x')).statusCode, 400);
  const later = await named((await begin(people.user, 11, 12)).playlist);
  const [, other = ''] = /id=([^&]+)/.exec(later.parts[0]!) ?? [];
  const [, from = ''] = /from=(\d+)/.exec(later.parts[0]!) ?? [];
  assert.equal((await part(from, other)).statusCode, 404, 'of another time');
  assert.equal((await get(parts[0]!.replace(/ticket=[^&]+/, 'ticket=none'))).statusCode, 403);
});

test('C-403 a mask drawn during playback is in the next part, and lost rights end it', async () => {
  const { playlist } = await begin(people.user);
  const { head, parts } = await named(playlist);
  const init = (await get(head)).rawPayload;
  const draw = (zones: object[]) =>
    people.admin.send('PUT', `/secure-api/cameras/${camera}/zones/`, { zones });
  const centre = { kind: 'privacy', points: centreMask };
  const corner = {
    kind: 'privacy',
    points: [
      [0, 0.5],
      [0.2, 0.5],
      [0.2, 0.9],
      [0, 0.9],
    ],
  };
  await draw([centre, corner]);
  const [picture] = await picturesIn(
    world.recordingFolder,
    init,
    (await get(parts[0]!)).rawPayload,
  );
  assert.ok(brightness(picture!, 0.1, 0.7) < 40 && brightness(picture!, 0.5, 0.7) < 40);
  await draw([centre]);
  const of = { type: 'camera', id: camera };
  const to = { type: 'user', id: people.user.id };
  const grant = (capabilities: string[]) =>
    people.admin.send('PUT', '/secure-api/cameras/grants/', { to, of, capabilities });
  await grant(['live']);
  assert.equal((await get(parts[0]!)).statusCode, 403);
  await grant(['live', 'recordings']);
});

test('four play so at once; the fifth learns when to come again, and gets in when one is gone', async () => {
  const watchers: SignedIn[] = [];
  const to = (id: string) => ({ type: 'user', id });
  for (let number = 0; number < 5; number++) {
    const watcher = await world.signIn('user', `watcher-${number}@example.org`);
    const of = { type: 'camera', id: camera };
    const capabilities = ['live', 'recordings'];
    const given = { to: to(watcher.id), of, capabilities };
    await people.admin.send('PUT', '/secure-api/cameras/grants/', given);
    watchers.push(watcher);
  }
  // The places of the earlier tests have expired.
  world.clock.advance(20_000);
  const tickets = await Promise.all(watchers.map((watcher) => begin(watcher)));
  for (const { playlist } of tickets.slice(0, 4)) await named(playlist);
  const refused = await get(tickets[4]!.playlist);
  assert.deepEqual(
    [refused.statusCode, refused.headers['retry-after'], refused.json<{ code: string }>().code],
    [503, '10', 'too_many_masked_views'],
  );
  const asked = { from: iso(0), until: iso(12) };
  const again = await watchers[4]!.send('POST', `/secure-api/cameras/${camera}/playback/`, asked);
  assert.deepEqual([again.status, again.json()['code']], [503, 'too_many_masked_views']);
  await begin(watchers[0]!);
  await begin(people.admin);
  const encoded = await people.admin.send('POST', `/secure-api/cameras/${camera}/playback/`, {
    ...asked,
    encoded: true,
  });
  assert.deepEqual([encoded.status, encoded.json()['code']], [503, 'too_many_masked_views']);
  world.clock.advance(20_000);
  await named((await begin(watchers[4]!)).playlist);
});

test('C-401 the list of files of a recording reveals no more than before, and gives out no file', async () => {
  const list = await people.user.get('/secure-api/recordings/');
  const [recording] = list.json<{ results: { id: string }[] }>().results;
  const files = await people.user.get(`/secure-api/recordings/${recording!.id}/segments/`);
  for (const { id } of files.json<{ results: Segment[] }>().results) {
    const file = await people.user.get(`/secure-api/recordings/segments/${id}/file/`);
    assert.deepEqual([file.status, file.json()['code']], [403, 'camera_masked']);
  }
});
