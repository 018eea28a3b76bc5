/**
 * What is found of pictures that were really coded and decoded, by samples at frames; and of a camera in a host. The
 * table of what is found, and of what is not, is in `checked-picture.test.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { CodecContext, Codec as Named, Frame, Packet } from 'node-av/lib';
import { makeFilm, smallFilm } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import type { PictureFindings } from '@nazar/contract/cameras.ts';
import { aClock } from '#testing/clock.ts';
import { aCamera, mediaFolder, openStubMedia, until } from '#testing/media.ts';
import { frameOf } from '../../codec/frame-of.ts';
import { openH264Encoder } from '../../codec/h264-encoder.ts';
import { PictureCheck } from './picture-check.ts';

const [width, height] = [320, 180];

/** The same numbers in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Normal numbers, of which each picture takes a part: drawing them anew would take most of the test's time. */
const noise = (() => {
  const next = random(3);
  const normal = (): number => (next() + next() + next() + next() - 2) * Math.sqrt(3);
  return Float64Array.from({ length: 1 << 19 }, normal);
})();

type Scene = Float64Array;
const drawn = (paint: (x: number, y: number) => number): Scene =>
  Float64Array.from({ length: width * height }, (_, pixel) =>
    paint(pixel % width, Math.floor(pixel / width)),
  );
const shelves = drawn((x, y) => 90 + ((Math.floor(x / 21) + Math.floor(y / 17)) % 3) * 30);
const card = drawn(() => 85);

/** A camera with an encoder, and the check of what a decoder makes of that. */
class Checked implements Disposable {
  readonly clock = aClock();
  readonly said: PictureFindings[] = [];
  readonly check: PictureCheck;
  readonly #encoder = openH264Encoder({ width, height });
  readonly #decoder = new CodecContext();
  readonly #packet = new Packet();
  readonly #frame = new Frame();
  readonly #next: () => number;
  #pictures = 0;

  constructor(seed: number, isMovable = false) {
    this.#next = random(seed);
    this.check = new PictureCheck({
      clock: this.clock,
      isMovable,
      changed: () => this.said.push(this.check.found),
    });
    const codec = Named.findDecoder(this.#encoder.codecId)!;
    this.#decoder.allocContext3(codec);
    this.#decoder.setOption('flags', '+low_delay');
    this.#decoder.open2Sync(codec, null);
    this.#packet.alloc();
    this.#frame.alloc();
  }

  /** Four pictures for each sample. `sigma`: noise in grey levels; 0: the same picture again and again. */
  async play(scene: Scene, minutes: number, sigma: number): Promise<void> {
    for (let second = 0; second < minutes * 60; second++) {
      this.clock.advance(1_000);
      for (const frame of this.#coded(this.#sensed(scene, sigma))) {
        await this.check.offer(frame, 'main');
        frame.unref();
      }
    }
  }

  #sensed(scene: Scene, sigma: number): Buffer {
    const pixels = Buffer.alloc((width * height * 3) / 2, 128);
    const from = Math.floor(this.#next() * (noise.length - scene.length));
    for (let pixel = 0; pixel < scene.length; pixel++) {
      pixels[pixel] = Math.round(scene[pixel]! + sigma * noise[from + pixel]!);
    }
    return pixels;
  }

  *#coded(pixels: Buffer): Generator<Frame> {
    const pts = BigInt(this.#pictures++ * 90_000);
    const timeBase = { num: 1, den: 90_000 };
    using frame = frameOf(pixels, { width, height, format: AV_PIX_FMT_YUV420P, pts, timeBase });
    this.#encoder.sendFrameSync(frame);
    while (this.#encoder.receivePacketSync(this.#packet) >= 0) {
      this.#decoder.sendPacketSync(this.#packet);
      this.#packet.unref();
      while (this.#decoder.receiveFrameSync(this.#frame) >= 0) yield this.#frame;
    }
  }

  [Symbol.dispose](): void {
    this.check[Symbol.dispose]();
    this.#encoder.freeContext();
    this.#decoder.freeContext();
    this.#packet.free();
    this.#frame.free();
  }
}

const [unknown, moving, fine] = [
  { frozen: null, covered: null },
  { frozen: false, covered: null },
  { frozen: false, covered: false },
];
const [frozen, covered] = [
  { frozen: true, covered: false },
  { frozen: false, covered: true },
];

test('a camera that freezes, is back, is covered, and is back again, beside one that is fine', async () => {
  using camera = new Checked(1);
  using beside = new Checked(2);
  await camera.play(shelves, 4, 1);
  assert.deepEqual(camera.said, [moving, fine]);
  await camera.play(shelves, 13, 0);
  await camera.play(shelves, 2, 1);
  await camera.play(card, 6, 3);
  await camera.play(shelves, 4, 1);
  assert.deepEqual(camera.said.slice(2), [frozen, fine, covered, fine]);
  await beside.play(shelves, 16, 1);
  assert.deepEqual(beside.said, [moving, fine], 'a still room is not frozen');
});

test('nothing is said while no frames come, and of a camera that can be moved not that it is covered', async () => {
  using camera = new Checked(1, true);
  await camera.play(shelves, 4, 1);
  await camera.play(card, 6, 3);
  assert.deepEqual(camera.said, [moving]);
  camera.clock.advance(55_000);
  camera.check.report();
  assert.deepEqual(camera.said, [moving], 'nearly a minute later it still holds');
  camera.clock.advance(10_000);
  camera.check.report();
  camera.check.report();
  assert.deepEqual(camera.said, [moving, unknown], 'said once');
  await camera.play(card, 0.1, 3);
  assert.deepEqual(camera.said, [moving, unknown, moving], 'what was found stays');
});

/** Its pictures come again after 1.72 s, so that two samples show two of them. */
const film = makeFilm({ ...smallFilm, pictures: 43, gop: 43 });

test(
  'a host says of a camera whose frames are analyzed what was found, and of another one nothing',
  { timeout: 60_000 },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openStubMedia(folder);
    const found = Promise.withResolvers<void>();
    using _ = media.healthChanged.on(({ cameraId, health }) => {
      if (cameraId === 'a' && health.picture.frozen !== null) found.resolve();
    });
    media.watch(aCamera('a', camera.url, { faceRecognition: true }));
    media.watch(aCamera('b', camera.url));
    assert.deepEqual((await until(media, 'b', 'live')).picture, unknown);
    await found.promise;
    assert.deepEqual(media.health('a').picture, moving);
    assert.deepEqual(media.health('b').picture, unknown);
    media.unwatch('a');
    assert.deepEqual(media.health('a').picture, unknown);
  },
);
