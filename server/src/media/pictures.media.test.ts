/** Real hosts against scripted cameras: analyzed frames and snapshots. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFilm, smallFilm } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { Problem } from '#lib/problem.ts';
import {
  aCamera,
  mediaFolder,
  openStubMedia,
  until,
  Watcher,
  type StubFace,
} from '#testing/media.ts';
import { timeOf } from './mp4/boxes.ts';
import type { Media } from './media.ts';
import type { FrameResult } from './protocol/messages.ts';

const film = makeFilm();
const timeout = 60_000;

type News = FrameResult<StubFace> & { readonly chips: Buffer };

async function collect(media: Media<StubFace>, count: number): Promise<News[]> {
  const all: News[] = [];
  const enough = Promise.withResolvers<void>();
  using _ = media.seen.on((news) => {
    all.push(news);
    if (all.length >= count) enough.resolve();
  });
  await enough.promise;
  return all;
}

test('an analyzed frame carries the media time at which viewers see it', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film });
  await using media = openStubMedia(folder);
  media.watch(aCamera('a', camera.url, { faceRecognition: true }));
  await until(media, 'a', 'live');
  const viewer = new Watcher();
  using _ = media.join('a', viewer);
  const seen = await collect(media, 8);
  const times = new Set(
    viewer.pieces.slice(1).map((piece) => {
      const time = timeOf(piece);
      return ((time!.decode + time!.offset) / 90_000).toFixed(4);
    }),
  );
  const shown = seen.filter(({ at }) => times.has(at.toFixed(4)));
  assert.ok(shown.length >= 7, `${shown.length} of ${seen.length} were shown at their time`);
  // The bar code says which picture it was; the film loops.
  const steps = seen.map(({ at, faces }) => Math.round(at * film.fps) - faces[0]!.number);
  const first = ((steps[0]! % film.pictures) + film.pictures) % film.pictures;
  for (const step of steps) {
    assert.equal(((step % film.pictures) + film.pictures) % film.pictures, first);
  }
  assert.deepEqual([seen[0]?.width, seen[0]?.height], [film.width, film.height]);
  assert.equal(seen[0]?.chips.length, 1);
});

test(
  'regions with motion are reported; in a still picture the face is analyzed rarely',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using moving = await RtspCamera.start({ film });
    await using still = await RtspCamera.start({ film: makeFilm(smallFilm, true) });
    await using media = openStubMedia(folder);
    media.watch(aCamera('moving', moving.url, { faceRecognition: true }));
    media.watch(aCamera('still', still.url, { faceRecognition: true }));
    await Promise.all(['moving', 'still'].map((id) => until(media, id, 'live')));
    const seen = await collect(media, 30);
    const of = (id: string): News[] => seen.filter(({ cameraId }) => cameraId === id);
    assert.ok(of('moving').filter(({ faces }) => faces[0]!.regions.length > 0).length > 10);
    for (const { faces } of of('still')) {
      const { box, regions } = faces[0]!;
      for (const region of regions) assert.deepEqual(region, box);
    }
    // media/host/detection/detection-schedule.test.ts tests how often exactly, on a clock that stands still.
    assert.ok(of('still').length * 3 < of('moving').length);
  },
);

test(
  'with face recognition off nothing is analyzed, and a snapshot still is a JPEG',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openStubMedia(folder);
    let analyzed = 0;
    using _ = media.seen.on(() => (analyzed += 1));
    media.watch(aCamera('a', camera.url));
    await assert.rejects(
      media.snapshot('a'),
      (error) => (error as Problem).code === 'camera_not_live',
    );
    assert.equal(await media.snapshotAtMs('a'), null);
    const startedMs = Date.now();
    await until(media, 'a', 'live');
    const jpeg = await media.snapshot('a');
    const takenAtMs = await media.snapshotAtMs('a');
    assert.ok(takenAtMs !== null && takenAtMs >= startedMs && takenAtMs <= Date.now());
    assert.deepEqual([...jpeg.subarray(0, 3)], [0xff, 0xd8, 0xff]);
    const viewer = new Watcher();
    using _viewer = media.join('a', viewer);
    await viewer.has(60);
    assert.equal(analyzed, 0);
  },
);

test('the live view goes on while no vision host answers', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film });
  await using media = openStubMedia(folder, { visionSockets: () => ['slow'] });
  media.watch(aCamera('a', camera.url, { faceRecognition: true }));
  await until(media, 'a', 'live');
  const viewer = new Watcher();
  using _ = media.join('a', viewer);
  await viewer.has(80);
});

test('a camera that hangs on its side is shown and analyzed upright', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film });
  await using media = openStubMedia(folder);
  media.watch(aCamera('a', camera.url, { faceRecognition: true, rotation: 90 }));
  await until(media, 'a', 'live');
  const [seen] = await collect(media, 1);
  assert.deepEqual([seen?.width, seen?.height], [film.height, film.width]);
  const viewer = new Watcher();
  using _ = media.join('a', viewer);
  await viewer.has(2);
  const [stream] = viewer.said('stream');
  assert.deepEqual([stream?.['width'], stream?.['height']], [film.height, film.width]);
  const jpeg = await media.snapshot('a');
  assert.ok(jpeg.length > 1000);
});

test(
  'C-1008 a camera whose recognition is off, or is turned off, is not analyzed',
  { timeout },
  async () => {
    using folder = mediaFolder();
    const [one, two, three] = await Promise.all([
      RtspCamera.start({ film }),
      RtspCamera.start({ film }),
      RtspCamera.start({ film }),
    ]);
    await using stack = new AsyncDisposableStack();
    for (const camera of [one, two, three]) stack.use(camera);
    await using media = openStubMedia(folder);
    media.watch(aCamera('on', one.url, { faceRecognition: true }));
    media.watch(aCamera('off', two.url, { faceRecognition: false }));
    media.watch(aCamera('turned-off', three.url, { faceRecognition: true }));
    await Promise.all(['on', 'off', 'turned-off'].map((id) => until(media, id, 'live')));
    const before = new Set<string>();
    while (!before.has('turned-off')) {
      for (const { cameraId } of await collect(media, 5)) before.add(cameraId);
    }
    media.watch(aCamera('turned-off', three.url, { faceRecognition: false }));
    // A result that was on its way may still arrive.
    await until(media, 'turned-off', 'live');
    for (let seen = true; seen;) {
      seen = (await collect(media, 10)).some(({ cameraId }) => cameraId === 'turned-off');
    }
    const after = await collect(media, 20);
    assert.deepEqual([...new Set(after.map(({ cameraId }) => cameraId))], ['on']);
    assert.ok(!before.has('off'));
    assert.equal(media.health('off').state, 'live', 'it is still shown and recorded');
  },
);
