/**
 * An export holds what was asked for, for every reader: also a program that knows no edit lists, or copies it into
 * another container.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import {
  recorded,
  recordedWithSound,
  shape,
  start,
  type RecordedFilms,
} from '#testing/exported-films.ts';
import { contentsOf } from '#testing/film.ts';
import { FormatSource } from '../sources/format-source.ts';
import { boxAt } from '../mp4/boxes.ts';
import { samplesOf } from './samples.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
const skip = hasFfmpeg ? false : 'ffmpeg is not installed';

const from = (first: number, until: number): number[] =>
  Array.from({ length: Math.max(0, until - first) }, (_, index) => first + index);

/** Numbers of the pictures that are shown between two moments, in seconds. */
const within = (begin: number, end: number): number[] =>
  from(Math.ceil(Math.round(begin * 1_000) / 40), Math.ceil(Math.round(end * 1_000) / 40));

/** Beside a key frame, between two, within one group, over the border of two files, up to the end. */
const periods = [
  [0, 3],
  [1.96, 5],
  [2.04, 2.5],
  [3.399, 3.401],
  [9.7, 10.3],
  [11.13, 29.9],
] as const;

for (const codec of ['h264', 'hevc'] as const) {
  for (const bFrames of [0, 2]) {
    test(`${codec} with ${bFrames} B-frames: each picture asked for is there, and no other`, async () => {
      for (const gop of [12, 50, 250]) {
        using it = await recorded([{ codec, bFrames, shape: shape(30, { gop }) }]);
        for (const [begin, end] of periods) {
          const wanted = within(begin, end);
          const made = await it.exported(begin, end);
          const what = `${begin} to ${end} s, a key frame each ${gop} pictures`;
          if (wanted.length === 0) {
            assert.deepEqual(made, { fault: 'nothing_recorded' }, what);
            continue;
          }
          assert.ok(made.fault === null, what);
          assert.deepEqual((await contentsOf(it.target)).numbers, wanted, what);
          assert.deepEqual(made.leftOut, [], what);
          assert.equal(made.pieces[0]?.fromMs, start + wanted[0]! * 40, what);
        }
      }
    });
  }
}

const packetsIn = async (url: string): Promise<Buffer[]> => {
  const input = { url, options: {}, stop: () => undefined, why: () => null };
  await using source = await FormatSource.open(input);
  const packets: Buffer[] = [];
  for (let next = await source.read(); next; next = await source.read()) packets.push(next.data);
  return packets;
};

const recordedIn = ({ sources }: RecordedFilms): Buffer[] =>
  sources.flatMap(({ file, headBytes }) => {
    const data = readFileSync(file);
    return samplesOf(data, headBytes).map(({ offset, bytes }) =>
      data.subarray(offset, offset + bytes),
    );
  });

test('from the first key frame on, every byte is what was recorded; before it none is', async () => {
  for (const codec of ['h264', 'hevc'] as const) {
    using it = await recorded([{ codec, bFrames: 0, shape: shape(25, { gop: 50 }) }]);
    const made = await it.exported(3.4, 23);
    assert.ok(made.fault === null);
    const span = { fromMs: start + 3_400, untilMs: start + 4_000, pictures: 15 };
    assert.deepEqual(made.encoded, [span]);
    const [packets, known] = [await packetsIn(it.target), recordedIn(it)];
    assert.equal(packets.length, 490);
    const [seam, ...copied] = packets.slice(15);
    assert.ok(copied.every((packet, at) => packet.equals(known[101 + at]!)));
    // In H.265 the camera's parameter sets stand before the first picture that is copied.
    assert.ok(seam!.subarray(-known[100]!.length).equals(known[100]!));
    assert.equal(seam!.length > known[100]!.length, codec === 'hevc');
    const endOfSequence = Buffer.from([0, 0, 0, 2, 36 << 1, 1]);
    assert.equal(packets[14]!.subarray(-6).equals(endOfSequence), codec === 'hevc');
    assert.ok(packets.slice(0, 15).every((packet) => !known.some((one) => one.equals(packet))));
  }
});

test('the last pictures that refer to one after the end are encoded again, and that one is not there', async () => {
  using it = await recorded([{ codec: 'h264', bFrames: 2, shape: shape(5) }]);
  const spans = new Set<string>();
  for (const until of [3.04, 3.08, 3.12, 3.16]) {
    const made = await it.exported(1, until);
    assert.ok(made.fault === null);
    assert.deepEqual((await contentsOf(it.target)).numbers, within(1, until));
    for (const { fromMs, untilMs, pictures } of made.encoded) {
      assert.ok(fromMs >= start + 3_000 && untilMs <= start + until * 1_000);
      spans.add(`${pictures}`);
    }
  }
  assert.ok(spans.size > 0, 'some of them end between a picture and one that it refers to');
});

test('the leading pictures of an open group are encoded with those before them, or said to be missing', async () => {
  using it = await recorded([
    { codec: 'h264', bFrames: 3, openGop: true, shape: shape(25, { gop: 24 }) },
  ]);
  const short = await it.exported(3.4, 3.8);
  assert.ok(short.fault === null);
  assert.deepEqual((await contentsOf(it.target)).numbers, within(3.4, 3.8));
  const long = await it.exported(3.4, 8);
  assert.ok(long.fault === null);
  const { numbers } = await contentsOf(it.target);
  assert.deepEqual(numbers, from(96, 200));
  const missing = { fromMs: start + 3_400, untilMs: start + 3_840, pictures: 11 };
  assert.deepEqual(long.leftOut, [missing]);
});

test('no edit list hides anything: it begins with the first picture and ends with the last', async () => {
  using it = await recorded([{ codec: 'h264', bFrames: 2, shape: shape(12, { gop: 250 }) }]);
  const made = await it.exported(5.02, 8.01);
  assert.ok(made.fault === null);
  const moov = boxAt(readFileSync(it.target), ['moov'])!;
  const elst = boxAt(moov, ['trak', 'edts', 'elst'])!;
  const ctts = boxAt(moov, ['trak', 'mdia', 'minf', 'stbl', 'ctts'])!;
  const [edits, length, begin] = [4, 8, 16].map((at) =>
    at === 4 ? elst.readUInt32BE(at) : Number(elst.readBigUInt64BE(at)),
  );
  assert.deepEqual([edits, begin], [1, ctts.readUInt32BE(12)]);
  assert.equal(length, made.pictures * 3_600);
});

/** How many pictures FFmpeg decodes, and what it has to say of them. */
function decoded(words: readonly string[]): { frames: number; complaints: string } {
  const out = ['-map', '0:v', '-fps_mode', 'passthrough', '-f', 'framecrc', '-'];
  const ran = spawnSync('ffmpeg', ['-nostdin', '-v', 'error', ...words, ...out], {
    encoding: 'utf8',
  });
  const frames = ran.stdout.split('\n').filter((line) => /^\d/.test(line)).length;
  return { frames, complaints: ran.stderr };
}

test(
  'FFmpeg shows the same pictures with and without edit lists, and of a copy in MKV and MPEG-TS',
  { skip },
  async () => {
    for (const [codec, bFrames] of [
      ['h264', 0],
      ['h264', 2],
      ['hevc', 2],
    ] as const) {
      using it = await recorded([{ codec, bFrames, shape: shape(12, { gop: 250 }) }]);
      const made = await it.exported(5.02, 11.5);
      assert.ok(made.fault === null);
      const whole = { frames: within(5.02, 11.5).length, complaints: '' };
      assert.deepEqual(decoded(['-i', it.target]), whole);
      assert.deepEqual(decoded(['-ignore_editlist', '1', '-i', it.target]), whole);
      for (const kind of ['matroska', 'mpegts']) {
        const copy = join(dirname(it.target), kind);
        const words = ['-y', '-v', 'error', '-i', it.target, '-c', 'copy', '-f', kind, copy];
        spawnSync('ffmpeg', words);
        assert.deepEqual(decoded(['-i', copy]), whole, `${codec} in ${kind}`);
      }
    }
  },
);

/** How many samples of sound FFmpeg decodes in one channel, and what it has to say of them. */
function decodedSound(
  words: readonly string[],
  rate: number,
): { samples: number; complaints: string } {
  const out = ['-map', '0:a', '-f', 's16le', '-ac', '1', '-ar', `${rate}`, '-'];
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const ran = spawnSync('ffmpeg', ['-nostdin', '-v', 'error', ...words, ...out], options);
  return { samples: ran.stdout.length / 2, complaints: ran.stderr.toString() };
}

test(
  'with sound in G.711 or AAC, FFmpeg shows each picture asked for, and plays as long, with and without edit lists',
  { skip },
  async () => {
    for (const [codec, rate] of [
      ['pcm_alaw', 8_000],
      ['aac', 48_000],
    ] as const) {
      const sound = { codec, rate } as const;
      using it = await recordedWithSound({ films: [shape(14, { gop: 250 })], sound });
      for (const [begin, end] of [
        [0, 3],
        [5.02, 12.5],
      ] as const) {
        const made = await it.exported(begin, end);
        assert.ok(made.fault === null);
        const whole = { frames: within(begin, end).length, complaints: '' };
        for (const edits of [[], ['-ignore_editlist', '1']]) {
          const words = [...edits, '-i', it.target];
          const what = `${codec}, ${begin} to ${end} s, ${edits.join(' ')}`;
          assert.deepEqual(decoded(words), whole, what);
          const { samples, complaints } = decodedSound(words, rate);
          assert.equal(complaints, '', what);
          // Whole packets of 1,024 samples that lie within the period, and one that a decoder of AAC begins with.
          const missing = (end - begin) * rate - samples;
          assert.ok(missing >= 0 && missing <= 3 * 1_024, `${missing} samples, ${what}`);
        }
      }
    }
  },
);
