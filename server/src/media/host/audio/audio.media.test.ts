/** The sound of cameras, recorded and sent live by real hosts. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFilm } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import type { SoundKind } from '@nazar/e2e/farm/sound.ts';
import { contentsOf as filmIn } from '#testing/film.ts';
import { centreMask, isMasked, picturesOf } from '#testing/grey.ts';
import { aCamera, mediaFolder, openMedia, until, Watcher } from '#testing/media.ts';
import { soundIn } from '#testing/sound.ts';
import { timeOf } from '../../mp4/boxes.ts';
import { samePicture } from '../../mask/stream-part.ts';
import { maskedCopy } from '../../worker/masked/masked-copy.ts';
import { readSegment } from '../../mp4/segment-contents.ts';

const film = makeFilm();
const timeout = 60_000;

interface Recorded {
  readonly file: string;
  readonly mime: string;
  readonly received: readonly string[];
}

/** Records some seconds of a camera with that sound. */
async function record(
  folder: { readonly path: string },
  media: ReturnType<typeof openMedia>,
  camera: RtspCamera,
  sound: boolean,
): Promise<Recorded> {
  const opened = Promise.withResolvers<{ file: string; mime: string }>();
  const closed = Promise.withResolvers<void>();
  using _ = media.recorded.on(({ news }) => {
    if (news.kind === 'opened') opened.resolve(news.segment);
    if (news.kind === 'closed') closed.resolve();
  });
  media.record('a', {
    folder: join(folder.path, 'recordings'),
    type: 'continuous',
    recordedUntilMs: 0,
    height: 2160,
  });
  media.watch(aCamera('a', camera.url, { sound }));
  await until(media, 'a', 'live');
  const { file, mime } = await opened.promise;
  await camera.hasPlayed(100);
  media.record('a', null);
  await closed.promise;
  return { file, mime, received: camera.received };
}

const cases: readonly [SoundKind, number, boolean][] = [
  ['aac', 16_000, false],
  ['pcma', 8_000, true],
  ['pcmu', 8_000, true],
];

for (const [kind, rate, isLoud] of cases) {
  test(`sound in ${kind} is recorded as AAC in time with the pictures`, { timeout }, async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film, sound: kind });
    await using media = openMedia(folder);
    const { file, mime } = await record(folder, media, camera, true);
    assert.match(mime, /^video\/mp4; codecs="avc1\.[0-9a-f]{6},mp4a\.40\.2"$/);
    const contents = await readSegment(file);
    assert.ok(contents && contents.pictures > 50);
    const pictures = await filmIn(file);
    assert.equal(pictures.numbers.length, contents.pictures, 'every picture is there');
    const sound = await soundIn(file);
    assert.deepEqual([sound?.codec, sound?.rate], ['aac', rate]);
    const apart = Math.abs(sound!.seconds - contents.durationMs / 1000);
    assert.ok(apart < 0.5, `${apart} s apart`);
    assert.ok(sound!.gapless, 'no sound is missing between its packets');
    // The tone's level is 0.49.
    if (isLoud) assert.ok(Math.abs(sound!.level - 0.49) < 0.05, `level ${sound!.level}`);
  });
}

test(
  'parts that are encoded anew for masks have the sound as it was recorded',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film, sound: 'pcma' });
    await using media = openMedia(folder);
    const { file } = await record(folder, media, camera, true);
    const data = readFileSync(file);
    const { headBytes, keyFrames } = (await readSegment(file))!;
    const begins = keyFrames.map(({ offset }) => offset);
    const masks = {
      polygons: [centreMask],
      rotation: 0,
      parts: [samePicture],
      turns: [0],
    } as const;
    const made = [];
    for (const [index, from] of begins.entries()) {
      const recorded = data.subarray(from, begins[index + 1] ?? data.length);
      const signal = new AbortController().signal;
      made.push(await maskedCopy(data.subarray(0, headBytes), recorded, masks, signal));
    }
    const joined = join(folder.path, 'masked.mp4');
    writeFileSync(joined, Buffer.concat([made[0]!.init, ...made.map(({ body }) => body)]));
    for (const picture of await picturesOf(joined)) isMasked(picture);
    assert.deepEqual(await soundIn(joined), await soundIn(file));
  },
);

for (const [kind] of cases) {
  test(
    `sound in ${kind} is sent to those who ask for it, on the timeline of the pictures`,
    { timeout },
    async () => {
      using folder = mediaFolder();
      await using camera = await RtspCamera.start({ film, sound: kind });
      await using media = openMedia(folder);
      media.watch(aCamera('a', camera.url, { sound: true }));
      const { sound } = await until(media, 'a', 'live');
      assert.equal(sound, { aac: 'aac', pcma: 'pcm_alaw', pcmu: 'pcm_mulaw' }[kind]);
      const [viewer, listener] = [new Watcher(), new Watcher()];
      using _viewer = media.join('a', viewer);
      using subscription = media.join('a', listener, { stream: 'sound' });
      assert.equal(subscription.stream, 'sound');
      await listener.has(30);
      assert.equal(listener.said('stream')[0]?.['mime'], 'audio/mp4; codecs="mp4a.40.2"');
      const file = join(folder.path, 'heard.mp4');
      writeFileSync(file, Buffer.concat(listener.pieces));
      const received = await soundIn(file);
      assert.ok(received?.gapless);
      const rate = received.rate;
      const soundAt = timeOf(listener.pieces.at(-1)!)!.decode / rate;
      const pictureAt = timeOf(viewer.pieces.at(-1)!)!.decode / 90_000;
      assert.ok(Math.abs(soundAt - pictureAt) < 0.6, `${soundAt} beside ${pictureAt}`);
      assert.ok(
        viewer.pieces.every((piece) => !piece.includes('mp4a')),
        'pictures come without it',
      );
    },
  );
}

test('a camera without sound says so', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film });
  await using media = openMedia(folder);
  media.watch(aCamera('a', camera.url, { sound: true }));
  assert.equal((await until(media, 'a', 'live')).sound, null);
});

test('where audio was not allowed a camera is not even asked for sound', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film, sound: 'pcma' });
  await using media = openMedia(folder);
  const { file, mime, received } = await record(folder, media, camera, false);
  assert.doesNotMatch(mime, /mp4a/);
  assert.equal(await soundIn(file), null);
  assert.ok(received.every((request) => !request.includes('track2')));
});

test(
  'sound alone is no sign of life of a camera whose picture has stopped',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film, sound: 'pcma' });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url, { sound: true }));
    await until(media, 'a', 'live');
    camera.behaviour = { kind: 'freeze' };
    await until(media, 'a', 'stalled', 'no_packets');
  },
);
