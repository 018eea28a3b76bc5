/**
 * Exports of what a recorder wrote: each codec, gaps, other sizes in mid-stream; checked by decoding, and by ffprobe.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFilm } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { recorded, shape, start } from '#testing/exported-films.ts';
import { contentsOf } from '#testing/film.ts';
import { aCamera, mediaFolder, openMedia, until } from '#testing/media.ts';
import type { RecordedFilm } from '#testing/recorded-films.ts';
import { soundIn } from '#testing/sound.ts';
import { samePicture } from '../mask/stream-part.ts';
import type { ClosedSegment, OpenedSegment } from '../protocol/messages.ts';
import { writeExport } from './write-export.ts';
import type { SourceFile } from '../protocol/worker-messages.ts';

const upTo = (until: number, from: number): number[] =>
  Array.from({ length: until - from }, (_, index) => from + index);

const hasFfprobe = spawnSync('ffprobe', ['-version']).status === 0;
const skip = hasFfprobe ? false : 'ffprobe is not installed';

interface Probed {
  readonly codec_name: string;
  readonly nb_read_frames: string;
  readonly duration: string;
  readonly start_time: string;
}

/** The first key picture of an open group makes the decoder forget a picture that the export does not have. */
const forgets = /^(?:\[h264 @ \w+\] mmco: unref short failure\n)?$/;

function probe(path: string, complaint = /^$/): Probed[] {
  const words = ['-v', 'error', '-count_frames', '-show_streams', '-of', 'json', path];
  const { stdout, stderr } = spawnSync('ffprobe', words, { encoding: 'utf8' });
  assert.match(stderr, complaint, 'ffprobe has nothing to complain of');
  return (JSON.parse(stdout) as { streams: Probed[] }).streams;
}

const codings: readonly (RecordedFilm & { name: string; probed: string })[] = [
  { name: 'H.264', probed: 'h264', codec: 'h264', bFrames: 0 },
  { name: 'H.264 with B-frames', probed: 'h264', codec: 'h264', bFrames: 2 },
  { name: 'H.264 with open groups', probed: 'h264', codec: 'h264', bFrames: 3, openGop: true },
  { name: 'H.265', probed: 'hevc', codec: 'hevc', bFrames: 2 },
  { name: 'JPEGs', probed: 'mjpeg', codec: 'mjpeg', bFrames: 0 },
];
/** The first key frame in the period: an open group cannot follow on pictures that were encoded again. */
const firstOf = ({ openGop }: RecordedFilm): number => (openGop ? 96 : 85);
const groups = ({ openGop }: RecordedFilm) => shape(25, openGop ? { gop: 24 } : {});

for (const { name, probed, ...film } of codings) {
  test(`${name}: an export has the pictures asked for, from the first to the last, and no other`, async () => {
    using it = await recorded([{ ...film, shape: groups(film) }]);
    assert.equal(it.sources.length, 3);
    const made = await it.exported(3.4, 23);
    assert.ok(made.fault === null);
    const first = firstOf(film);
    const fromMs = start + first * 40;
    assert.deepEqual(made.pieces, [{ fromMs, untilMs: start + 23_000, atSeconds: 0 }]);
    const data = readFileSync(it.target);
    assert.equal(made.bytes, data.length);
    assert.equal(made.sha256, createHash('sha256').update(data).digest('hex'));
    const { numbers } = await contentsOf(it.target);
    assert.equal(numbers.length, made.pictures, 'each can be decoded');
    // Its bar code has 16 bits, so that each of the 625 pictures has a number of its own.
    assert.deepEqual(numbers, upTo(575, first));
    assert.ok(Math.abs(made.seconds - numbers.length / 25) < 0.01, `${made.seconds} s`);
  });

  test(
    `${name}: ffprobe reads every picture of an export without a complaint`,
    { skip },
    async () => {
      using it = await recorded([{ ...film, shape: groups(film) }]);
      const made = await it.exported(3.4, 23);
      assert.ok(made.fault === null);
      const [video, ...others] = probe(it.target, film.openGop ? forgets : undefined);
      assert.deepEqual([video?.codec_name, others.length], [probed, 0]);
      assert.ok(Math.abs(Number(video?.start_time)) < 0.05, `starts at ${video?.start_time}`);
      const pictures = 575 - firstOf(film);
      assert.ok(Math.abs(Number(video?.duration) - pictures / 25) < 0.1, `${video?.duration} s`);
      assert.equal(Number(video?.nb_read_frames), pictures);
    },
  );
}

test('pictures of another size in mid-stream are in the same export', async () => {
  using it = await recorded([
    { codec: 'h264', bFrames: 0, shape: shape(4) },
    { codec: 'h264', bFrames: 0, shape: shape(4, { width: 480, height: 272 }) },
    { codec: 'h264', bFrames: 0, shape: shape(4) },
  ]);
  const made = await it.exported(0, 60);
  assert.ok(made.fault === null);
  assert.equal(made.pictures, 300);
  assert.equal(made.pieces.length, 1);
  const words = ['-v', 'error', '-show_entries', 'frame=width', '-of', 'csv=p=0', it.target];
  if (!hasFfprobe) return;
  const widths = execFileSync('ffprobe', words, { encoding: 'utf8' }).trim().split(/\s+/);
  const counted = Map.groupBy(widths, (width) => Number.parseInt(width, 10));
  assert.deepEqual(
    [...counted].map(([width, frames]) => [width, frames.length]),
    [
      [320, 200],
      [480, 100],
    ],
  );
});

test('a missing part is left out, and the pieces say where', async () => {
  using it = await recorded([
    { codec: 'h264', bFrames: 0, shape: shape(4) },
    { codec: 'h264', bFrames: 0, shape: shape(4), afterSeconds: 20 },
  ]);
  const made = await it.exported(1, 60);
  assert.ok(made.fault === null);
  assert.deepEqual(
    made.pieces.map(({ fromMs, untilMs, atSeconds }) => [
      fromMs - start,
      untilMs - start,
      Math.round(atSeconds * 100) / 100,
    ]),
    [
      [1_000, 4_000, 0],
      [24_000, 28_000, 3],
    ],
  );
  assert.ok(Math.abs(made.seconds - 7) < 0.1);
  const { numbers } = await contentsOf(it.target);
  assert.equal(numbers.length, 175);
});

test('nothing recorded, another codec, a changed or missing file: no export, and why', async () => {
  using it = await recorded([
    { codec: 'h264', bFrames: 0, shape: shape(4) },
    { codec: 'hevc', bFrames: 0, shape: shape(4), afterSeconds: 1 },
  ]);
  assert.deepEqual(await it.exported(2, 8), { fault: 'codec_changed' });
  const one = it.sources.slice(0, 1);
  const range = { target: it.target, fromMs: start, untilMs: start + 60_000 };
  const film = (sources: readonly SourceFile[]) => {
    rmSync(it.target, { force: true });
    return writeExport(range, sources);
  };
  assert.deepEqual(await film([]), { fault: 'nothing_recorded' });
  assert.equal((await film(one)).fault, null);
  const [source] = one;
  const data = readFileSync(source!.file);
  data[data.length - 100]! ^= 1;
  writeFileSync(source!.file, data);
  assert.deepEqual(await film(one), { fault: 'file_changed' });
  rmSync(source!.file);
  assert.deepEqual(await film(one), { fault: 'disk' });
});

test('removing the target cancels the export', async () => {
  using it = await recorded([{ codec: 'h264', bFrames: 0, shape: shape(25) }]);
  const [first, second, third] = it.sources;
  const cancelling: SourceFile = {
    ...second!,
    get file() {
      rmSync(it.target, { force: true });
      return second!.file;
    },
  };
  const range = { target: it.target, fromMs: start, untilMs: start + 60_000 };
  const film = await writeExport(range, [first!, cancelling, third!]);
  assert.deepEqual(film, { fault: 'cancelled' });
  assert.equal(existsSync(it.target), false);
});

test('sound comes along, in time with the pictures', { timeout: 60_000 }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film: makeFilm(), sound: 'aac' });
  await using media = openMedia(folder);
  const opened = Promise.withResolvers<OpenedSegment>();
  const closed = Promise.withResolvers<ClosedSegment>();
  using _ = media.recorded.on(({ news }) => {
    if (news.kind === 'opened') opened.resolve(news.segment);
    if (news.kind === 'closed') closed.resolve(news.segment);
  });
  const plan = { folder: join(folder.path, 'recordings'), type: 'continuous' } as const;
  media.record('a', { ...plan, recordedUntilMs: 0, height: 2160 });
  media.watch(aCamera('a', camera.url, { sound: true }));
  await until(media, 'a', 'live');
  const { file, id, startedAtMs, stream } = await opened.promise;
  await camera.hasPlayed(150);
  media.record('a', null);
  const { headBytes, endedAtMs, sha256 } = await closed.promise;
  const target = join(folder.path, 'film.out');
  const made = await writeExport({ target, fromMs: startedAtMs + 1_500, untilMs: endedAtMs }, [
    {
      id,
      file,
      headBytes,
      startedAtMs,
      endedAtMs,
      stream,
      sha256,
      parts: [samePicture],
      turns: [0],
    },
  ]);
  assert.ok(made.fault === null);
  const sound = await soundIn(target);
  assert.equal(sound?.codec, 'aac');
  assert.ok(sound.gapless);
  // Sound is copied in packets of 64 ms, and cameras send it a little later than pictures. None is from before.
  const missing = made.seconds - sound.seconds;
  assert.ok(missing > -0.001 && missing < 1.2, `${sound.seconds}, ${made.seconds} s`);
});
