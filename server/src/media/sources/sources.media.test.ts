/** The kinds of source beside RTSP: MJPEG and other video over HTTP, films on this machine, USB devices. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import type { IngestCause, IngestState } from '@nazar/contract/cameras.ts';
import type { Behaviour } from '@nazar/e2e/farm/behaviour.ts';
import { makeFilm, makeJpegs, smallFilm } from '@nazar/e2e/farm/film.ts';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { MjpegCamera } from '@nazar/e2e/farm/mjpeg-camera.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { aCamera, mediaFolder, openMedia, until, Watcher } from '#testing/media.ts';
import { timeOf } from '../mp4/boxes.ts';

const jpegs = await makeJpegs({ ...smallFilm, pictures: 20 });
const film = makeFilm();
const fps = 10;
const timeout = 60_000;
const http = { type: 'http' } as const;

for (const withoutLengths of [false, true]) {
  const how = withoutLengths ? 'without lengths' : 'with lengths';
  test(`MJPEG ${how} is shown as H.264 while it has viewers`, { timeout }, async () => {
    using folder = mediaFolder();
    await using camera = await MjpegCamera.start({ jpegs, fps, withoutLengths });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url, http));
    const health = await until(media, 'a', 'live');
    assert.deepEqual([health.codec, health.width], ['mjpeg', smallFilm.width]);
    const viewer = new Watcher();
    using _ = media.join('a', viewer);
    await viewer.has(12);
    assert.match(String(viewer.said('stream')[0]?.['mime']), /avc1\./);
    const times = viewer.pieces.slice(1).map((piece) => timeOf(piece)!.decode);
    assert.equal(times[0], 0);
    assert.ok(times.slice(1).every((time, index) => time > times[index]!));
    assert.deepEqual([...(await media.snapshot('a')).subarray(0, 2)], [0xff, 0xd8]);
  });
}

test('MJPEG without its content type is recognised by its first line', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await MjpegCamera.start({ jpegs, fps, withoutType: true });
  await using media = openMedia(folder);
  media.watch(aCamera('a', camera.url, http));
  const health = await until(media, 'a', 'live');
  assert.equal(health.codec, 'mjpeg');
});

const cases: readonly [Behaviour, IngestState, IngestCause][] = [
  [{ kind: 'drop', after: 5 }, 'offline', 'ended'],
  [{ kind: 'hang', after: 0 }, 'stalled', 'no_packets'],
  [{ kind: 'hang', after: 5 }, 'stalled', 'no_packets'],
  [{ kind: 'drip', after: 5 }, 'stalled', 'no_packets'],
  [{ kind: 'rubbish', after: 0 }, 'offline', 'not_video'],
  [{ kind: 'rubbish', after: 5 }, 'offline', 'damaged'],
  [{ kind: 'missing' }, 'offline', 'not_found'],
  [{ kind: 'refuse' }, 'refused', 'password_refused'],
];

for (const [behaviour, state, cause] of cases) {
  const after = 'after' in behaviour ? ` after ${behaviour.after}` : '';
  const title = `R-04 R-07 an MJPEG camera that does "${behaviour.kind}"${after} is ${state}, ${cause}`;
  test(title, { timeout }, async () => {
    using folder = mediaFolder();
    await using camera = await MjpegCamera.start({ jpegs, fps, behaviour });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url, http));
    await until(media, 'a', state, cause);
    camera.behaviour = { kind: 'ok' };
    if (state === 'refused') media.watch(aCamera('a', camera.url, { ...http, password: 'new' }));
    await until(media, 'a', 'live');
  });
}

for (const scheme of ['basic', 'digest'] as const) {
  test(`an MJPEG camera with ${scheme} authentication is shown`, { timeout }, async () => {
    const credentials = { scheme, username: 'admin', password: 's3cr:t/p@ss' };
    using folder = mediaFolder();
    await using camera = await MjpegCamera.start({ jpegs, fps, credentials });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url, { ...http, ...credentials }));
    await until(media, 'a', 'live');
  });
}

test('a camera that answers with one JPEG is polled', { timeout }, async () => {
  using folder = mediaFolder();
  const credentials = { scheme: 'digest', username: 'admin', password: 's3cr:t/p@ss' } as const;
  await using camera = await MjpegCamera.start({ jpegs, fps, credentials, onePictureEach: true });
  await using media = openMedia(folder);
  media.watch(aCamera('a', camera.url, { ...http, ...credentials }));
  const health = await until(media, 'a', 'live');
  assert.deepEqual([health.codec, health.width], ['mjpeg', smallFilm.width]);
  const viewer = new Watcher();
  using _ = media.join('a', viewer);
  await viewer.has(4);
  const times = viewer.pieces.slice(1).map((piece) => timeOf(piece)!.decode / 90_000);
  const [first = 0, second = 0] = times.slice(1);
  assert.ok(second - first > 0.9, 'once a second, not as fast as it can');
  camera.behaviour = { kind: 'hang', after: 0 };
  await until(media, 'a', 'stalled', 'no_packets');
  camera.behaviour = { kind: 'ok' };
  await until(media, 'a', 'live');
});

test(
  'C-512 an HTTP redirect is followed without credentials, and not for ever',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using there = await MjpegCamera.start({ jpegs, fps });
    const credentials = { scheme: 'basic', username: 'admin', password: 'canary' } as const;
    await using here = await MjpegCamera.start({ jpegs, fps });
    here.behaviour = { kind: 'redirect', to: there.url };
    await using media = openMedia(folder);
    media.watch(aCamera('a', here.url, { ...http, ...credentials }));
    await until(media, 'a', 'live');
    assert.ok(there.received.every(({ authorization }) => authorization === undefined));
    here.behaviour = { kind: 'redirect', to: here.url };
    media.watch(aCamera('b', here.url, http));
    await until(media, 'b', 'offline', 'not_found');
  },
);

test(
  'C-501, C-507 a film plays in a loop, as long as it lies where it may',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url));
    await until(media, 'a', 'live');
    const recorder = new Watcher();
    using _ = media.join('a', recorder);
    await recorder.has(31);
    const path = join(folder.path, 'film.mp4');
    writeFileSync(path, Buffer.concat(recorder.pieces));
    const pictures = recorder.pieces.length - 1;

    media.watch(aCamera('film', path, { type: 'file' }));
    await until(media, 'film', 'live');
    const viewer = new Watcher();
    using _viewer = media.join('film', viewer);
    await viewer.has(pictures + 20);
    const times = viewer.pieces.slice(1).map((piece) => timeOf(piece)!.decode);
    assert.ok(
      times.slice(1).every((time, index) => time > times[index]!),
      'times go on at the seam',
    );
    assert.equal(viewer.said('stream').length, 1);

    media.watch(aCamera('outside', import.meta.filename, { type: 'file' }));
    await until(media, 'outside', 'offline', 'address_refused');
    // Over HTTP FFmpeg reads the same film: bytes that are no MJPEG.
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' });
      for (const piece of recorder.pieces) response.write(piece);
    });
    const port = await listenOnLoopback(server);
    media.watch(aCamera('http', `http://127.0.0.1:${port}/film.mp4`, http));
    const health = await until(media, 'http', 'live');
    assert.equal(health.codec, 'h264');
    server.closeAllConnections();
    server.close();
  },
);

test('C-506 a USB camera is a video device and nothing else', { timeout }, async () => {
  using folder = mediaFolder();
  await using media = openMedia(folder);
  media.watch(aCamera('a', '/dev/video999', { type: 'usb' }));
  media.watch(aCamera('b', '/etc/passwd', { type: 'usb' }));
  media.watch(aCamera('c', '/dev/video0/../../etc/passwd', { type: 'usb' }));
  await until(media, 'a', 'offline', 'device_missing');
  await until(media, 'b', 'offline', 'address_refused');
  await until(media, 'c', 'offline', 'address_refused');
});
