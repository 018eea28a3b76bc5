/** Real hosts: what privacy masks hide is in no decoded picture, and zones steer detection. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFilm, makeJpegs, smallFilm } from '@nazar/e2e/farm/film.ts';
import { turnedPolygon } from '@nazar/contract/polygon.ts';
import { MjpegCamera } from '@nazar/e2e/farm/mjpeg-camera.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import sharp from 'sharp';
import {
  brightness,
  centreMask,
  isMasked,
  picturesIn,
  picturesOf,
  rectangle,
  type Grey,
} from '#testing/grey.ts';
import {
  aCamera,
  mediaFolder,
  openMedia,
  openStubMedia,
  until,
  Watcher,
  type StubFace,
} from '#testing/media.ts';
import { until as untilTrue } from '#testing/until.ts';
import { nameOfMasks } from './mask/picture-place.ts';
import type { Media } from './media.ts';
import type { MediaZone } from './protocol/messages.ts';

const film = makeFilm();
const timeout = 60_000;
/** The film is dark nowhere below its bar code. */
const mask: MediaZone = { kind: 'privacy', points: centreMask };
const codeRows = 16 / smallFilm.height;

async function snapshotOf(media: Media<StubFace>, id: string): Promise<Grey> {
  const jpeg = await media.snapshot(id);
  const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

for (const rotation of [0, 90] as const) {
  test(
    `C-401 a snapshot has what the mask hides painted over, upright, hanging at ${rotation} degrees`,
    { timeout },
    async () => {
      using folder = mediaFolder();
      await using camera = await RtspCamera.start({ film });
      await using media = openMedia(folder);
      media.setZones('a', [mask]);
      media.watch(aCamera('a', camera.url, { rotation }));
      await until(media, 'a', 'live');
      const grey = await snapshotOf(media, 'a');
      assert.equal(grey.width > grey.height, rotation === 0);
      for (const [x, y] of [
        [0.26, 0.51],
        [0.5, 0.7],
        [0.74, 0.89],
      ] as const)
        assert.ok(brightness(grey, x, y) < 40, `${x}, ${y}`);
      assert.ok(brightness(grey, 0.15, 0.6) > 45);
    },
  );
}

test(
  'C-401 a snapshot of a camera that was turned has a mask painted over in both places where it may be',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    const drawn = rectangle(0.1, 0.6, 0.15, 0.2);
    const places = [drawn, turnedPolygon(drawn, 90)];
    media.setZones(
      'a',
      places.map((points) => ({ kind: 'privacy', points })),
    );
    media.watch(aCamera('a', camera.url, { rotation: 90 }));
    await until(media, 'a', 'live');
    const grey = await snapshotOf(media, 'a');
    // The middle of the mask, and where that is after a quarter turn.
    for (const [x, y] of [
      [0.175, 0.7],
      [0.3, 0.175],
    ] as const)
      assert.ok(brightness(grey, x, y) < 40, `${x}, ${y}`);
    assert.ok(brightness(grey, 0.5, 0.5) > 45);
  },
);

test(
  'a mask drawn while a camera is live is on the next picture, and costs no connection',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await MjpegCamera.start({
      jpegs: await makeJpegs({ ...smallFilm, pictures: 10 }),
      fps: 10,
    });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url, { type: 'http' }));
    await until(media, 'a', 'live');
    assert.ok(brightness(await snapshotOf(media, 'a'), 0.5, 0.7) > 45);
    media.setZones('a', [mask]);
    isMasked(await snapshotOf(media, 'a'));
    media.setZones('a', []);
    assert.ok(brightness(await snapshotOf(media, 'a'), 0.5, 0.7) > 45);
    assert.equal(camera.connections, 1);
  },
);

test('a live view that is encoded anew has masks in every picture', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await MjpegCamera.start({
    jpegs: await makeJpegs({ ...smallFilm, pictures: 10 }),
    fps: 10,
  });
  await using media = openMedia(folder);
  media.setZones('a', [mask]);
  media.watch(aCamera('a', camera.url, { type: 'http' }));
  await until(media, 'a', 'live');
  const viewer = new Watcher();
  using _ = media.join('a', viewer);
  await viewer.has(8);
  const path = join(folder.path, 'seen.mp4');
  writeFileSync(path, Buffer.concat(viewer.pieces));
  const pictures = await picturesOf(path);
  assert.ok(pictures.length >= 5);
  for (const picture of pictures) isMasked(picture);
});

test(
  'face detection sees neither what masks hide nor what is outside recognition zones',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openStubMedia(folder);
    // The stub reads the bar code at the top of the picture: where it is black it reads 0.
    const numbers = new Map<string, number[]>();
    const zones: Record<string, MediaZone[]> = {
      open: [],
      masked: [{ kind: 'privacy', points: rectangle(0, 0, 1, codeRows) }],
      outside: [{ kind: 'recognition', points: rectangle(0, 0.3, 1, 0.7) }],
      inside: [{ kind: 'recognition', points: rectangle(0, 0, 1, 0.9) }],
      motion: [{ kind: 'motion', points: rectangle(0, 0.3, 1, 0.7) }],
    };
    const paintedWith = new Map<string, string>();
    using _ = media.seen.on(({ cameraId, faces, painted }) => {
      assert.equal(painted.rotation, 0);
      paintedWith.set(cameraId, painted.masks);
      const seen = numbers.get(cameraId) ?? [];
      numbers.set(cameraId, [...seen, ...faces.map(({ number }) => number)]);
    });
    for (const [id, drawn] of Object.entries(zones)) {
      media.setZones(id, drawn);
      media.watch(aCamera(id, camera.url, { faceRecognition: true }));
    }
    await untilTrue(() => Object.keys(zones).every((id) => (numbers.get(id)?.length ?? 0) >= 4));
    const reads = (id: string): boolean => numbers.get(id)!.some((number) => number > 0);
    assert.deepEqual(
      Object.keys(zones).map((id) => [id, reads(id)]),
      [
        ['open', true],
        ['masked', false],
        ['outside', false],
        ['inside', true],
        ['motion', true],
      ],
    );
    const [none, masked] = [nameOfMasks([]), nameOfMasks([rectangle(0, 0, 1, codeRows)])];
    assert.deepEqual(Object.fromEntries(paintedWith), {
      open: none,
      masked,
      outside: none,
      inside: none,
      motion: none,
    });
  },
);

test(
  'H.264 is encoded anew with masks for those who may not see behind them, and copied for the others',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    media.setZones('a', [mask]);
    media.watch(aCamera('a', camera.url));
    await until(media, 'a', 'live');
    const [blind, seeing] = [new Watcher(), new Watcher()];
    using _ = media.join('a', blind, { stream: 'masked' });
    using __ = media.join('a', seeing);
    await Promise.all([blind.has(8), seeing.has(8)]);
    const files = [blind, seeing].map(({ pieces }, index) => {
      const path = join(folder.path, `${index}.mp4`);
      writeFileSync(path, Buffer.concat(pieces));
      return path;
    });
    const [masked = [], copied = []] = await Promise.all(files.map(picturesOf));
    assert.ok(masked.length >= 5 && copied.length >= 5);
    for (const picture of masked) isMasked(picture);
    assert.ok(copied.every((picture) => brightness(picture, 0.5, 0.7) > 45));
    assert.equal(camera.connections, 1);
  },
);

test(
  'a viewer that comes back later gets the present view, and four cameras with masks are encoded at once',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) {
      media.setZones(id, [mask]);
      media.watch(aCamera(id, camera.url));
    }
    await Promise.all(ids.map((id) => until(media, id, 'live')));
    const viewers = ids.slice(0, 4).map((id) => {
      const viewer = new Watcher();
      return { viewer, subscription: media.join(id, viewer, { stream: 'masked', account: id }) };
    });
    await Promise.all(viewers.map(({ viewer }) => viewer.has(4)));
    const refused = { name: 'Problem', code: 'too_many_masked_views' };
    const fifth = { stream: 'masked', account: 'e' } as const;
    assert.throws(() => media.join('e', new Watcher(), fifth), refused);
    using _ = media.join('a', new Watcher(), { stream: 'masked' });
    viewers[1]!.subscription[Symbol.dispose]();
    const late = new Watcher();
    using __ = media.join('e', late, { stream: 'masked' });
    await late.has(4);
    // The account's own, older view ends for a newer one, and says so.
    const newer = new Watcher();
    using ___ = media.join('b', newer, { stream: 'masked', account: 'c' });
    await newer.has(4);
    assert.equal(viewers[2]!.viewer.closed, 'replaced');
    for (const { subscription } of viewers) subscription[Symbol.dispose]();
  },
);

/** Pictures of a stream by where its initialisation segment lies among the pieces. */
async function streamsOf(folder: string, { pieces }: Watcher): Promise<Grey[][]> {
  const streams: Buffer[][] = [];
  for (const piece of pieces) {
    if (piece.toString('latin1', 4, 8) === 'ftyp') streams.push([]);
    streams.at(-1)!.push(piece);
  }
  return Promise.all(streams.map((stream) => picturesIn(folder, ...stream)));
}

const everyMs = 40;
const wide = rectangle(0.05, 0.5, 0.9, 0.4);
/** Beside the mask of before, and behind the one of now. */
const newlyHidden = [
  [0.1, 0.7],
  [0.9, 0.7],
] as const;

for (const kind of ['H.264', 'MJPEG'] as const) {
  test(
    `C-401 a mask that grows shows newcomers nothing of before, and viewers go on, ${kind}`,
    { timeout },
    async () => {
      using folder = mediaFolder();
      await using camera =
        kind === 'H.264'
          ? await RtspCamera.start({ film })
          : await MjpegCamera.start({ jpegs: await makeJpegs(smallFilm), fps: 1_000 / everyMs });
      await using media = openMedia(folder);
      media.setZones('a', [mask]);
      media.watch(aCamera('a', camera.url, { type: kind === 'H.264' ? 'rtsp' : 'http' }));
      await until(media, 'a', 'live');
      const before = new Watcher();
      const forgot: number[] = [];
      const viewer = Object.assign(before, { forget: () => forgot.push(before.pieces.length) });
      using _ = media.join('a', viewer, { stream: 'masked' });
      await before.has(12);
      media.setZones('a', [{ kind: 'privacy', points: wide }]);
      const newcomer = new Watcher();
      using __ = media.join('a', newcomer, { stream: 'masked' });
      await Promise.all([newcomer.has(12), before.has(36)]);
      const [seen, ...others] = await streamsOf(folder.path, newcomer);
      assert.ok(seen!.length >= 8 && others.length === 0);
      for (const picture of seen!)
        for (const [x, y] of newlyHidden) assert.ok(brightness(picture, x, y) < 40, `${x}, ${y}`);
      const [first, second, ...more] = await streamsOf(folder.path, before);
      assert.ok(first!.every((picture) => brightness(picture, 0.1, 0.7) > 45));
      assert.ok(
        second!.length > 0 && second!.every((picture) => brightness(picture, 0.1, 0.7) < 40),
      );
      assert.equal(more.length, 0);
      assert.equal(before.closed, null);
      assert.equal(forgot.length, 1, 'who keeps pieces for others was told to forget them');
    },
  );
}

test(
  'C-401 zones of another kind, and the same masks again, begin no view anew',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    const changes: string[] = [];
    using _ = media.masksChanged.on(({ cameraId }) => changes.push(cameraId));
    media.setZones('a', [mask]);
    media.watch(aCamera('a', camera.url));
    await until(media, 'a', 'live');
    const viewer = new Watcher();
    using __ = media.join('a', viewer, { stream: 'masked' });
    await viewer.has(6);
    media.setZones('a', [mask, { kind: 'motion', points: wide }]);
    media.setZones('a', [mask]);
    await viewer.has(24);
    assert.equal(viewer.said('stream').length, 1);
    assert.deepEqual(changes, []);
  },
);
