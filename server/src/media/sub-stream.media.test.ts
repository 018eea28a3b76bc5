/** Two streams of one camera, by real hosts: who sees, records and looks at which. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import { makeFilm, smallFilm } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { aCamera, mediaFolder, openMedia, Watcher, type StubFace } from '#testing/media.ts';
import type { Media, Seen } from './media.ts';

const large = makeFilm({ ...smallFilm, width: 640, height: 368 });
const small = makeFilm();
const timeout = 60_000;
const hostEntry = join(import.meta.dirname, '..', 'testing', 'media-host.ts');
const looking = { hostEntry, visionSockets: () => ['stub'] };

async function health(
  media: Media<StubFace>,
  fits: (health: CameraHealth) => boolean,
): Promise<CameraHealth> {
  const found = Promise.withResolvers<CameraHealth>();
  using _ = media.healthChanged.on((news) => fits(news.health) && found.resolve(news.health));
  if (fits(media.health('a'))) found.resolve(media.health('a'));
  return await found.promise;
}

const bothLive = ({ state, sub }: CameraHealth): boolean =>
  state === 'live' && sub?.state === 'live';

/** The next look at a picture of that width. */
async function lookAt(media: Media<StubFace>, width: number): Promise<Seen<StubFace>> {
  const found = Promise.withResolvers<Seen<StubFace>>();
  using _ = media.seen.on((seen) => seen.width === width && found.resolve(seen));
  return await found.promise;
}

/** Resolves when the newest stream that was begun for this viewer is that wide. */
async function shows(viewer: Watcher, width: number): Promise<void> {
  while (viewer.said('stream').at(-1)?.['width'] !== width) {
    await viewer.has(viewer.pieces.length + 1);
  }
}

test(
  'a sub-stream is for small views and for those who look; all else is of the main one',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using main = await RtspCamera.start({ film: large });
    await using sub = await RtspCamera.start({ film: small });
    await using media = openMedia(folder, looking);
    const recorded: number[] = [];
    using _recorded = media.recorded.on(({ news }) => {
      if (news.kind === 'opened') recorded.push(news.segment.width);
    });
    media.record('a', {
      folder: join(folder.path, 'recordings'),
      type: 'continuous',
      recordedUntilMs: 0,
    });
    media.watch(aCamera('a', main.url, { subUrl: sub.url, faceRecognition: true }));
    const { width, sub: second } = await health(media, bothLive);
    assert.deepEqual([width, second?.width], [large.width, small.width]);
    const [grid, screen] = [new Watcher(), new Watcher()];
    using _grid = media.join('a', grid, { stream: 'sub' });
    using _screen = media.join('a', screen);
    await Promise.all([shows(grid, small.width), shows(screen, large.width)]);
    await Promise.all([grid.has(10), screen.has(10)]);
    const seen = await lookAt(media, small.width);
    assert.equal(seen.mainScale, large.width / small.width);
    assert.equal(seen.shownAt.sub, seen.at);
    assert.ok(seen.shownAt.main !== null, 'viewers of the main stream are told when, too');
    assert.deepEqual([...new Set(recorded)], [large.width]);
    assert.deepEqual([main.connections, sub.connections], [1, 1], 'each is read once');
  },
);

test(
  'R-04 the main stream stands in for a sub-stream that ends, until it is back, and that is said',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using main = await RtspCamera.start({ film: large });
    await using sub = await RtspCamera.start({ film: small });
    await using media = openMedia(folder, looking);
    media.watch(aCamera('a', main.url, { subUrl: sub.url, faceRecognition: true }));
    await health(media, bothLive);
    const grid = new Watcher();
    using seat = media.join('a', grid, { stream: 'sub' });
    await shows(grid, small.width);
    await sub.close();
    const without = await health(media, (now) => now.sub?.state === 'offline');
    assert.equal(without.state, 'live', 'the camera itself is all right');
    await shows(grid, large.width);
    assert.equal(seat.stream, 'main');
    await lookAt(media, large.width);
    await sub.listen();
    await health(media, bothLive);
    await shows(grid, small.width);
    assert.equal(seat.stream, 'sub');
    await lookAt(media, small.width);
    assert.equal(grid.closed, null);
  },
);

test(
  'a sub-stream that comes alone is looked at while the main one does not',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using main = await RtspCamera.start({ film: large, behaviour: { kind: 'missing' } });
    await using sub = await RtspCamera.start({ film: small });
    await using media = openMedia(folder, looking);
    media.watch(aCamera('a', main.url, { subUrl: sub.url, faceRecognition: true }));
    const half = await health(
      media,
      (now) => now.cause === 'not_found' && now.sub?.state === 'live',
    );
    assert.equal(half.state, 'offline');
    const seen = await lookAt(media, small.width);
    assert.equal(seen.shownAt.main, null);
  },
);
