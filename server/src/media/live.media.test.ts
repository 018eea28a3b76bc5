/** Real hosts against scripted cameras: from the camera's bytes to what a viewer gets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFilm } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { aCamera, mediaFolder, openMedia, until, Watcher } from '#testing/media.ts';
import { boxAt, codecOf, timeOf } from './mp4/boxes.ts';

const film = makeFilm();
const timeout = 60_000;

test('an RTSP camera becomes one fragment per picture for its viewers', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film });
  await using media = openMedia(folder);
  media.watch(aCamera('a', camera.url));
  const health = await until(media, 'a', 'live');
  assert.deepEqual([health.width, health.height, health.codec], [film.width, film.height, 'h264']);

  const viewer = new Watcher();
  using _ = media.join('a', viewer);
  await viewer.has(60);
  const [init, ...fragments] = viewer.pieces;
  assert.ok(init);
  const [stream] = viewer.said('stream');
  assert.equal(stream?.['mime'], `video/mp4; codecs="${codecOf(init)}"`);
  assert.ok(boxAt(init, ['moov', 'mvex']), 'it is fragmented');
  const times = fragments.map((fragment) => timeOf(fragment));
  assert.ok(times.every((time) => time?.pictures === 1));
  const steps = times.slice(1).map((time, index) => time!.decode - times[index]!.decode);
  assert.ok(
    steps.every((step) => step === 90_000 / film.fps),
    'pictures follow each other as they were taken',
  );
});

test('a second viewer begins at once with what is there, at a key frame', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film });
  await using media = openMedia(folder);
  media.watch(aCamera('a', camera.url));
  await until(media, 'a', 'live');
  const first = new Watcher();
  using _first = media.join('a', first);
  await first.has(40);
  const second = new Watcher();
  using _second = media.join('a', second);
  // The initialisation segment and the present group of pictures come without waiting.
  assert.ok(second.pieces.length >= 2);
  assert.ok(second.pieces[0]?.equals(first.pieces[0]!));
  assert.equal(camera.connections, 1, 'one ingest feeds both');
});

test('viewers of a camera that is edited go on at once', { timeout }, async () => {
  using folder = mediaFolder();
  await using before = await RtspCamera.start({ film });
  await using after = await RtspCamera.start({ film });
  await using media = openMedia(folder);
  media.watch(aCamera('a', before.url));
  await until(media, 'a', 'live');
  const viewer = new Watcher();
  using _ = media.join('a', viewer);
  await viewer.has(5);
  media.watch(aCamera('a', after.url));
  while (viewer.said('stream').length < 2) await viewer.has(viewer.pieces.length + 1);
  await viewer.has(viewer.pieces.length + 10);
  assert.equal(after.connections, 1);
});
