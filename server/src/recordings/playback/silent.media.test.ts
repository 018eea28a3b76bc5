/** A day on which sound was allowed at noon plays to its end: what has none is played with silence. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { PlaybackTicket } from '@nazar/contract/playback.ts';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import { contentsOf } from '#testing/film.ts';
import { recordConnections } from '#testing/recorded-connections.ts';
import { signInEach, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { soundIn } from '#testing/sound.ts';
import { toneLevel } from '#testing/tone.ts';
import { aCameraForm } from '#testing/world.ts';

let world: TestServer;
let admin: SignedIn;
let camera: string;
let other: string;
let startMs: number;
const films = [smallFilm];
const sound = { codec: 'aac', rate: 16_000 } as const;

before(async () => {
  world = await testServer();
  ({ admin } = await signInEach(world));
  const add = async (name: string): Promise<string> => {
    const added = await admin.send('POST', '/secure-api/cameras/', aCameraForm({ name }));
    return added.json<{ id: string }>().id;
  };
  [camera, other] = [await add('Gate'), await add('Yard')];
  startMs = world.clock.now() - 60_000;
  for (const id of [camera, other]) {
    await recordConnections(join(world.recordingFolder, id), id, startMs, [
      { films, sound: null },
      { films, sound },
      { films, sound: null },
    ]);
  }
  await world.server.recordings.recover();
  await world.server.recordings.recover();
});
after(() => world[Symbol.asyncDispose]());

async function ticketOf(id: string, seconds: number): Promise<PlaybackTicket> {
  const until = new Date(startMs + seconds * 1_000).toISOString();
  const asked = { from: new Date(startMs).toISOString(), until };
  const reply = await admin.send('POST', `/secure-api/cameras/${id}/playback/`, asked);
  return reply.json<PlaybackTicket>();
}

const get = (url: string, headers: Record<string, string> = {}) =>
  world.app.inject({ url, headers: { host: 'localhost', ...headers } });
/** What the playlist names, as a player asks for it. */
const named = (address: string) => get(`/secure-api/playback/${address}`);

async function playlistOf({ playlist }: PlaybackTicket): Promise<string> {
  return (await get(playlist)).body;
}

test('files without sound beside one with sound play with silence, every picture and no hole', async () => {
  const ticket = await ticketOf(camera, 60);
  const list = await playlistOf(ticket);
  const heads = [...list.matchAll(/^#EXT-X-MAP:URI="(silent[^"]+)"$/gm)].map(([, uri]) => uri!);
  const files = [...list.matchAll(/^(silent.+)$/gm)].map(([uri]) => uri);
  assert.deepEqual([heads.length, files.length], [3, 3]);
  for (const mime of ticket.mimes) assert.match(mime, /codecs="avc1\.\w+,mp4a\.40\.2"$/);
  const folder = mkdtempSync(join(tmpdir(), 'nazar-silent-'));
  try {
    for (const [index, head] of heads.entries()) {
      const parts = [await named(head), await named(files[index]!)];
      for (const { statusCode, headers } of parts)
        assert.deepEqual([statusCode, headers['content-type']], [200, 'video/mp4']);
      const made = join(folder, `${index}.mp4`);
      writeFileSync(made, Buffer.concat(parts.map(({ rawPayload }) => rawPayload)));
      assert.equal((await contentsOf(made)).numbers.length, smallFilm.pictures);
      const decoded = await soundIn(made);
      assert.deepEqual([decoded?.rate, decoded?.gapless], [16_000, true]);
      // The tone that was recorded, and silence before it and after it.
      if (index === 1) assert.ok(Math.abs(decoded!.level - toneLevel) < 0.02, `${decoded!.level}`);
      else assert.equal(decoded?.level, 0);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('C-402 a ticket imitates no sound of another camera or another time, and none without the right', async () => {
  const list = await playlistOf(await ticketOf(camera, 60));
  const [head = ''] = /silent\/head[^"]+/.exec(list) ?? [];
  const [foreign = ''] = /sound=[^"]+/.exec(await playlistOf(await ticketOf(other, 60))) ?? [];
  assert.equal((await named(head)).statusCode, 200);
  assert.equal((await named(head.replace(/sound=.+/, foreign))).statusCode, 404);
  const early = await ticketOf(camera, 1);
  const short = await playlistOf(early);
  assert.doesNotMatch(short, /silent/, 'nothing in that time has sound');
  const late = head.replace(/ticket=[^&]+/, `ticket=${early.ticket}`);
  assert.equal((await named(late)).statusCode, 404);
  assert.equal((await named(head.replace(/ticket=[^&]+/, 'ticket=none'))).statusCode, 403);
});
