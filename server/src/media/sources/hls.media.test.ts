/** Cameras that are reached by HTTP Live Streaming: each of their requests goes where it may, and nowhere else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import { HlsCamera } from '@nazar/e2e/farm/hls-camera.ts';
import { makeHlsFilm } from '#testing/hls-film.ts';
import { aCamera, mediaFolder, openMedia, until, Watcher } from '#testing/media.ts';
import { timeOf } from '../mp4/boxes.ts';

const timeout = 60_000;
const http = { type: 'http' } as const;
const film = await makeHlsFilm('mpegts', 12);
const fragments = await makeHlsFilm('fmp4', 12);

for (const [kind, played] of [
  ['MPEG-TS', film],
  ['MP4', fragments],
] as const) {
  test(
    `a live stream of segments of ${kind} is followed without a gap, at its own pace`,
    { timeout },
    async () => {
      using folder = mediaFolder();
      await using camera = await HlsCamera.start({ film: played, hasChoice: true });
      await using media = openMedia(folder);
      media.watch(aCamera('a', camera.url, http));
      const health = await until(media, 'a', 'live');
      assert.deepEqual([health.codec, health.width], ['h264', smallFilm.width]);
      const viewer = new Watcher();
      using _ = media.join('a', viewer);
      // More than the three segments that a live stream begins before its end.
      await viewer.has(1 + 4 * smallFilm.fps);
      const times = viewer.pieces.slice(1).map((piece) => timeOf(piece)!.decode);
      const steps = new Set(times.slice(1).map((time, index) => time - times[index]!));
      assert.deepEqual([...steps], [90_000 / smallFilm.fps]);
      assert.equal(viewer.said('stream').length, 1);
      const segments = camera.received
        .map(({ path }) => path)
        .filter((path) => path.endsWith('.seg'));
      assert.equal(segments[0], '/live/1.seg', 'three from the newest');
      assert.equal(new Set(segments).size, segments.length, 'each once');
      const lists = camera.received.filter(({ path }) => path.endsWith('list.m3u8'));
      assert.ok(lists.length < segments.length + 3, 'a list is asked for as often as it changes');
    },
  );
}

test('a film that is there as a whole is played from its beginning', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await HlsCamera.start({ film, isWhole: true });
  await using media = openMedia(folder);
  media.watch(aCamera('a', camera.url, http));
  await until(media, 'a', 'live');
  assert.equal(camera.received[1]?.path, '/live/0.seg');
});

test(
  'an HLS stream that is encrypted says so, and one that ends is tried again',
  { timeout },
  async () => {
    using folder = mediaFolder();
    const more = ['#EXT-X-KEY:METHOD=AES-128,URI="key.bin"'];
    await using camera = await HlsCamera.start({ film, more });
    await using ended = await HlsCamera.start({
      film: { ...film, segments: film.segments.slice(0, 2) },
      isWhole: true,
    });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url, http));
    media.watch(aCamera('b', ended.url, http));
    await until(media, 'a', 'offline', 'encrypted');
    assert.ok(!camera.received.some(({ path }) => path.includes('key')));
    await until(media, 'b', 'offline', 'ended');
    await until(media, 'b', 'live');
  },
);

test(
  'C-512 credentials are for the camera, not for where its playlist leads to',
  { timeout },
  async () => {
    const credentials = { scheme: 'digest', username: 'admin', password: 'canary' } as const;
    using folder = mediaFolder();
    await using there = await HlsCamera.start({ film });
    await using here = await HlsCamera.start({ film, credentials, elsewhere: () => there.origin });
    await using media = openMedia(folder);
    media.watch(aCamera('a', here.url, { ...http, ...credentials }));
    await until(media, 'a', 'live');
    assert.ok(there.received.length > 0);
    assert.ok(there.received.every(({ authorization }) => authorization === undefined));
  },
);

for (const elsewhere of [
  'http://169.254.169.254',
  'file:///etc',
  'rtsp://127.0.0.1:1',
  'http://192.0.2.1',
]) {
  test(
    `C-501 C-510 a playlist that leads to ${elsewhere} is not followed there`,
    { timeout },
    async () => {
      using folder = mediaFolder();
      await using camera = await HlsCamera.start({ film, elsewhere: () => elsewhere });
      await using media = openMedia(folder);
      media.watch(aCamera('a', camera.url, http));
      await until(media, 'a', 'offline', 'address_refused');
    },
  );
}
