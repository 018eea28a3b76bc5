/** Two streams of one camera, by real hosts: which one is viewed, recorded and analyzed. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import { makeFilm, smallFilm } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { writeCodedFilm } from '#testing/coded-film.ts';
import { aCamera, mediaFolder, openStubMedia, Watcher, type StubFace } from '#testing/media.ts';
import type { Media } from './media.ts';
import type { FrameResult } from './protocol/messages.ts';
import { pairKey } from './protocol/stream-pair.ts';

const large = makeFilm({ ...smallFilm, width: 640, height: 368 });
/** So long that the number of a picture gives its time, with groups of pictures of a tenth of it. */
const numbered = { pictures: 500, gop: 50 };
const small = makeFilm();
const timeout = 60_000;

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

/** Resolves with the next analyzed frame of that width. */
async function nextAnalyzed(media: Media<StubFace>, width: number): Promise<FrameResult<StubFace>> {
  const found = Promise.withResolvers<FrameResult<StubFace>>();
  using _ = media.seen.on((seen) => seen.width === width && found.resolve(seen));
  return await found.promise;
}

/** Resolves when the newest stream of this viewer has that width. */
async function shows(viewer: Watcher, width: number): Promise<void> {
  while (viewer.said('stream').at(-1)?.['width'] !== width) {
    await viewer.has(viewer.pieces.length + 1);
  }
}

test(
  'a sub-stream serves small views and detection; everything else uses the main one',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using main = await RtspCamera.start({ film: large });
    await using sub = await RtspCamera.start({ film: small });
    await using media = openStubMedia(folder);
    const recorded: number[] = [];
    using _recorded = media.recorded.on(({ news }) => {
      if (news.kind === 'opened') recorded.push(news.segment.width);
    });
    media.record('a', {
      folder: join(folder.path, 'recordings'),
      type: 'continuous',
      recordedUntilMs: 0,
      height: 2160,
    });
    media.watch(aCamera('a', main.url, { subUrl: sub.url, faceRecognition: true }));
    const { width, sub: second } = await health(media, bothLive);
    assert.deepEqual([width, second?.width], [large.width, small.width]);
    const [grid, screen] = [new Watcher(), new Watcher()];
    using _grid = media.join('a', grid, { stream: 'sub' });
    using _screen = media.join('a', screen);
    await Promise.all([shows(grid, small.width), shows(screen, large.width)]);
    await Promise.all([grid.has(10), screen.has(10)]);
    const seen = await nextAnalyzed(media, small.width);
    assert.equal(seen.mainScale, large.width / small.width);
    assert.equal(seen.shownAt.sub, seen.at);
    assert.ok(seen.shownAt.main !== null, 'viewers of the main stream are told when, too');
    assert.deepEqual([...new Set(recorded)], [large.width]);
    assert.deepEqual([main.connections, sub.connections], [1, 1], 'each is read once');
  },
);

test(
  '~REC-031 the stream nearest in height is recorded; a change leaves no gap, and the main one stands in',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using main = await RtspCamera.start({ film: large });
    await using sub = await RtspCamera.start({ film: small });
    await using media = openStubMedia(folder);
    const plan = { folder: join(folder.path, 'recordings'), type: 'continuous' } as const;
    const record = (height: number) => media.record('a', { ...plan, recordedUntilMs: 0, height });
    const changes: (number | string)[] = [];
    const ends: number[] = [];
    let reached = Promise.withResolvers<void>();
    let wanted = small.width;
    using _recorded = media.recorded.on(({ news }) => {
      if (news.kind === 'closed') ends.push(news.segment.endedAtMs);
      if (news.kind === 'interrupted') changes.push(news.cause);
      if (news.kind !== 'opened') return;
      if (changes.at(-1) !== news.segment.width) changes.push(news.segment.width);
      if (ends.length > 0 && news.segment.gap === null) {
        assert.ok(news.segment.startedAtMs - ends.at(-1)! < 1_000, 'no gap');
      }
      if (news.segment.width === wanted) reached.resolve();
    });
    const records = async (width: number): Promise<void> => {
      wanted = width;
      if (changes.at(-1) !== width) await reached.promise;
      reached = Promise.withResolvers();
    };
    media.watch(aCamera('a', main.url, { subUrl: sub.url }));
    await health(media, bothLive);
    record(small.height);
    await records(small.width);
    record(large.height);
    await records(large.width);
    record(small.height);
    await records(small.width);
    assert.ok(!changes.some((one) => typeof one === 'string'), changes.join(' '));
    await sub.close();
    await records(large.width);
    assert.equal(changes.at(-1), large.width);
  },
);

test(
  'R-04 the main stream stands in for a sub-stream that ends, until it is back, and health says so',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using main = await RtspCamera.start({ film: large });
    await using sub = await RtspCamera.start({ film: small });
    await using media = openStubMedia(folder);
    media.watch(aCamera('a', main.url, { subUrl: sub.url, faceRecognition: true }));
    await health(media, bothLive);
    const grid = new Watcher();
    using subscription = media.join('a', grid, { stream: 'sub' });
    await shows(grid, small.width);
    await sub.close();
    const without = await health(media, (now) => now.sub?.state === 'offline');
    assert.equal(without.state, 'live', 'the camera itself is all right');
    await shows(grid, large.width);
    assert.equal(subscription.stream, 'main');
    await nextAnalyzed(media, large.width);
    await sub.listen();
    await health(media, bothLive);
    await shows(grid, small.width);
    assert.equal(subscription.stream, 'sub');
    await nextAnalyzed(media, small.width);
    assert.equal(grid.closed, null);
  },
);

test('a sub-stream is analyzed while the main one does not come', { timeout }, async () => {
  using folder = mediaFolder();
  await using main = await RtspCamera.start({ film: large, behaviour: { kind: 'missing' } });
  await using sub = await RtspCamera.start({ film: small });
  await using media = openStubMedia(folder);
  media.watch(aCamera('a', main.url, { subUrl: sub.url, faceRecognition: true }));
  const half = await health(media, (now) => now.cause === 'not_found' && now.sub?.state === 'live');
  assert.equal(half.state, 'offline');
  const seen = await nextAnalyzed(media, small.width);
  assert.equal(seen.shownAt.main, null);
});

test(
  'a face of the sub-stream is detected in the main stream’s picture of the same moment, on demand',
  { timeout },
  async () => {
    using folder = mediaFolder();
    const films = [
      makeFilm({ ...smallFilm, ...numbered, width: 640, height: 368 }),
      makeFilm({ ...smallFilm, ...numbered }),
    ] as const;
    await using main = await RtspCamera.start({ film: films[0] });
    await using sub = await RtspCamera.start({ film: films[1] });
    await using media = openStubMedia(folder);
    media.watch(aCamera('a', main.url, { subUrl: sub.url, faceRecognition: true }));
    await health(media, bothLive);
    const box = { x: 0.25, y: 0.5, width: 0.1, height: 0.1 };
    const apart: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      const before = await nextAnalyzed(media, small.width);
      const newest = await nextAnalyzed(media, small.width);
      // The newest picture of the main stream is not always what is asked for.
      const seen = i % 2 === 0 ? newest : before;
      assert.equal(seen.isInMainStream, true);
      const asked = { cameraId: 'a', atMs: seen.wallMs, box };
      const found = await media.detectInMainStream(asked);
      if (!found) continue; // The group of pictures it was in is over: the next one begins.
      assert.equal(found.width, large.width);
      assert.deepEqual(found.faces[0]?.regions, [{ x: 64, y: 88, width: 256, height: 229 }]);
      apart.push(found.faces[0].number - seen.faces[0]!.number);
    }
    assert.ok(apart.length >= 4, `${apart.length} of 12 could be had`);
    // Both films are played from their beginning, one some pictures before the other. The time of a picture of the
    // sub-stream is when it came: on a busy machine one may come late, by as much as its match is late.
    const usual = apart.toSorted((one, other) => one - other)[apart.length >> 1]!;
    const near = apart.filter((one) => Math.abs(one - usual) <= 3);
    assert.ok(near.length >= apart.length * 0.6, `pictures apart: ${apart.join(' ')}`);
    assert.equal(
      await media.detectInMainStream({ cameraId: 'a', atMs: Date.now() - 60_000, box }),
      null,
    );
  },
);

test(
  'the main stream’s picture of a moment is turned, and under its masks',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using main = await RtspCamera.start({ film: large });
    await using sub = await RtspCamera.start({ film: small });
    await using media = openStubMedia(folder);
    const whole = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ] as const;
    media.setZones('a', [{ kind: 'privacy', points: whole.map(([x, y]) => [x, y]) }]);
    // The pictures of the two films differ: how they lie to each other is said.
    const pair = pairKey('streams', large, small);
    const part = { x: 0, y: 0, width: 1, height: 1 };
    media.align('a', [{ pair, part, isConfirmed: true }]);
    const wishes = { subUrl: sub.url, faceRecognition: true, rotation: 90 } as const;
    media.watch(aCamera('a', main.url, wishes));
    await health(media, bothLive);
    const box = { x: 0.4, y: 0.4, width: 0.1, height: 0.1 };
    let found = null;
    while (!found) {
      const { wallMs } = await nextAnalyzed(media, small.height);
      found = await media.detectInMainStream({ cameraId: 'a', atMs: wallMs, box });
    }
    assert.deepEqual([found.width, found.height], [large.height, large.width]);
    assert.equal(found.faces[0]?.number, 0, 'nothing but black was seen');
  },
);

/** How many pictures lie between two of a film of 50 that is played in a loop, the shorter way. */
const around = (pictures: number): number => Math.abs(((pictures + 125) % 50) - 25);

for (const [name, coding] of [
  ['H.265', { codec: 'hevc', bFrames: 0 }],
  ['H.264 whose pictures refer to later ones', { codec: 'h264', bFrames: 2 }],
] as const) {
  test(`a moment of a main stream in ${name} can be decoded, too`, { timeout }, async () => {
    using folder = mediaFolder();
    const [main, sub] = [join(folder.path, 'main.mp4'), join(folder.path, 'sub.mp4')];
    const shape = { ...smallFilm, width: 640, height: 368 };
    await writeCodedFilm(main, { ...coding, shape });
    await writeCodedFilm(sub, { codec: 'h264', bFrames: 0 });
    await using media = openStubMedia(folder);
    media.watch(aCamera('a', main, { type: 'file', subUrl: sub, faceRecognition: true }));
    const { codec } = await health(media, bothLive);
    assert.equal(codec, coding.codec);
    const box = { x: 0.4, y: 0.4, width: 0.1, height: 0.1 };
    const between: number[] = [];
    while (between.length < 8) {
      const { wallMs, faces, isInMainStream } = await nextAnalyzed(media, small.width);
      const found =
        isInMainStream && (await media.detectInMainStream({ cameraId: 'a', atMs: wallMs, box }));
      if (!found) continue;
      assert.deepEqual([found.width, found.height], [640, 368]);
      // Both are played in a loop of 50 pictures.
      between.push((found.faces[0]!.number - faces[0]!.number + 50) % 50);
    }
    // On a busy machine a picture may come late, and its match with it; the wrong one would be late with most.
    const near = between.map((one) => between.filter((it) => around(it - one) <= 3).length);
    assert.ok(Math.max(...near) >= 5, `pictures between: ${between.join(' ')}`);
  });
}
