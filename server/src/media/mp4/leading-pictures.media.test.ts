/** Open groups of pictures of H.264 (x264: `open-gop`) as players get them: each can be begun at. */
import assert from 'node:assert/strict';
import {
  createReadStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import { answerCalls, valueIn, type AnswerCall, type AskCall } from '#lib/folder/calls.ts';
import type { ReadableFile } from '#lib/folder/folder-files.ts';
import { FolderProcess } from '#lib/folder/folder-process.ts';
import { LocalFiles } from '#lib/folder/local-files.ts';
import { Chance } from '#testing/chance.ts';
import { mutated } from '#testing/hostile-media/mutations.ts';
import { recordFilms, type RecordedFilm } from '#testing/recorded-films.ts';
import { strictlyDecoded } from '#testing/strict-decoding.ts';
import { ClosedGroup264 } from '../codec/closed-group264.ts';
import { isIdr, parameterSetsOfExtradata, unitsOf } from '../codec/h264.ts';
import { ClosedGroups } from '../host/live/closed-groups.ts';
import type { Fragment } from '../host/live/live-stream.ts';
import { boxAt, h264ConfigurationOf, timeOf } from './boxes.ts';
import { closingPatches } from './closed-file.ts';
import { ClosedFiles } from './closed-files.ts';
import { closingFunctions } from './closing-function.ts';
import { askForPatches } from './closing-question.ts';
import { sampleOf } from './sample-in-place.ts';
import { contentsOf, type SegmentContents } from './segment-contents.ts';
import { pictureOf } from './picture-times.ts';

interface Recorded {
  readonly path: string;
  readonly data: Buffer;
  readonly contents: SegmentContents;
}

let folder: string;
let files: Recorded[];
const shape = { ...smallFilm, pictures: 24 * smallFilm.fps, gop: 24 };
const coding = { codec: 'h264', bFrames: 3, openGop: true, shape } as const;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nazar-leading-'));
  await recordFilms(folder, 'camera', Date.UTC(2026, 0, 15, 12), [coding]);
  files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mp4'))
    .toSorted()
    .map((name) => {
      const data = readFileSync(join(folder, name));
      return { path: join(folder, name), data, contents: contentsOf(data)! };
    });
  assert.ok(files.length >= 2);
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** The fragments from there on: `moof` and `mdat`. */
function fragmentsOf(data: Buffer, from: number): Buffer[] {
  const fragments: Buffer[] = [];
  for (let at = from; at + 8 <= data.length;) {
    const size = data.readUInt32BE(at);
    const isFragment = data.toString('latin1', at + 4, at + 8) === 'moof';
    const end = isFragment ? at + size + data.readUInt32BE(at + size) : at + size;
    if (isFragment) fragments.push(data.subarray(at, end));
    at = end;
  }
  return fragments;
}

type Coding = Parameters<ClosedFiles['open']>[1] & { readonly headBytes: number };

const opened = (file: ReadableFile, coding: Coding) =>
  openedBy(new ClosedFiles(), 'a', file, coding);

const openedBy = (
  closed: ClosedFiles,
  id: string,
  file: ReadableFile,
  { codec, headBytes, bytes }: Coding,
) => closed.open(id, { codec, bytes }, () => closingPatches(file, headBytes, bytes));

async function sent({ path, data, contents }: Recorded, at = 0): Promise<Buffer> {
  const { headBytes, bytes } = contents;
  await using file = await open(path);
  const through = await opened(file, { codec: 'h264', headBytes, bytes });
  assert.ok(through);
  const pieces: Buffer[] = [];
  const source = createReadStream(path, { start: at, highWaterMark: 1_000 });
  for await (const piece of through(source, at)) pieces.push(piece as Buffer);
  const whole = Buffer.concat(pieces);
  assert.equal(whole.length, data.length - at, 'ranges of the playlist stay true');
  return whole;
}

/** When the picture of each fragment begins and ceases to be shown, in the order of showing. */
function shownOf(fragments: readonly Buffer[]): { from: number; until: number }[] {
  const times = fragments.map((one) => {
    const { shownTicks, durationTicks } = pictureOf(one)!;
    return { from: shownTicks, until: shownTicks + durationTicks };
  });
  return times.toSorted((a, b) => a.from - b.from);
}

test('a recorded file begins where a browser can decode, at each of its key pictures', async () => {
  const [, second] = files;
  assert.ok(second);
  const { headBytes, keyFrames, pictures } = second.contents;
  const head = second.data.subarray(0, headBytes);
  const untouched = await strictlyDecoded([head, ...fragmentsOf(second.data, headBytes)]);
  assert.ok(untouched.refused > 0 || untouched.shown.size < pictures, 'its groups are open');
  const players = await sent(second);
  assert.ok(keyFrames.length >= 4);
  for (const { offset } of keyFrames) {
    const fragments = fragmentsOf(players, offset);
    const { shown: seen, refused } = await strictlyDecoded([head, ...fragments]);
    assert.deepEqual([seen.size, refused], [fragments.length, 0]);
  }
  const shown = shownOf(fragmentsOf(players, headBytes));
  const leading = pictures - shown.length;
  assert.ok(leading >= keyFrames.length && leading <= 3 * keyFrames.length, `${leading} left out`);
  for (const [index, { until }] of shown.entries()) {
    const next = shown[index + 1];
    assert.ok(!next || next.from - until <= 1, `a hole after picture ${index}`);
  }
});

test('any range of the file is the same bytes, and the file itself is as it was recorded', async () => {
  const [, second] = files;
  assert.ok(second);
  const whole = await sent(second);
  const at = second.contents.keyFrames[2]!.offset + 57;
  assert.deepEqual(await sent(second, at), whole.subarray(at));
  assert.deepEqual(readFileSync(second.path), second.data);
  assert.equal(statSync(second.path).size, whole.length);
});

test('the closing of a file is found once for all its ranges, and anew when the file has grown', async () => {
  const [, second] = files;
  assert.ok(second);
  const { headBytes, bytes, keyFrames } = second.contents;
  await using file = await open(second.path);
  let reads = 0;
  const counted: ReadableFile = {
    read: (...asked) => {
      reads += 1;
      return file.read(...asked);
    },
  };
  const closed = new ClosedFiles();
  const whole = await sent(second);
  const rangeOf = async (at: number, length: number): Promise<Buffer> => {
    const through = await openedBy(closed, 'a', counted, {
      codec: 'h264',
      headBytes,
      bytes: length,
    });
    const pieces: Buffer[] = [];
    for await (const piece of through!(createReadStream(second.path, { start: at }), at))
      pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  };
  assert.deepEqual(await rangeOf(0, bytes), whole);
  const once = reads;
  assert.ok(once > 0);
  for (const { offset } of keyFrames)
    assert.deepEqual(await rangeOf(offset, bytes), whole.subarray(offset));
  assert.equal(reads, once);
  await rangeOf(0, keyFrames.at(-1)!.offset);
  assert.ok(reads > once, 'another length is another file');
});

test('a reader who asks for a file while its closing is being found waits for the same', async () => {
  const [, second] = files;
  assert.ok(second);
  const { headBytes, bytes } = second.contents;
  await using file = await open(second.path);
  const closed = new ClosedFiles();
  let asked = 0;
  const ask = () => {
    asked += 1;
    return closingPatches(file, headBytes, bytes);
  };
  const ranges = [1, 2, 3].map(() => closed.open('a', { codec: 'h264', bytes }, ask));
  const other = closed.open('b', { codec: 'h264', bytes }, ask);
  assert.ok((await Promise.all([...ranges, other])).every((through) => through !== null));
  assert.equal(asked, 2);
  // What failed is asked for again.
  const failing = () => Promise.reject(new Error('the disk is away'));
  await assert.rejects(closed.open('c', { codec: 'h264', bytes }, failing));
  assert.ok(await closed.open('c', { codec: 'h264', bytes }, ask));
});

test('the process of a folder finds what closes a file, and answers other calls between two pictures', async () => {
  const [, second] = files;
  assert.ok(second);
  const { headBytes, bytes, pictures } = second.contents;
  await using file = await open(second.path);
  const expected = await closingPatches(file, headBytes, bytes);
  assert.ok(expected.length > 0);
  const local = new LocalFiles(folder, join(folder, 'mark'), closingFunctions);
  assert.deepEqual(await askForPatches(local, second.path, second.contents), expected);
  {
    await using own = new FolderProcess({
      folder,
      markFile: join(folder, 'mark'),
      log: pino({ level: 'silent' }),
      changed: () => undefined,
    });
    assert.deepEqual(await askForPatches(own, second.path, second.contents), expected);
  }

  const answers = answerCalls({
    ...closingFunctions,
    // Reads come one after another: what is computed between two of them is computed at once.
    pictures: async (read, [from = 0, until = 0]) => {
      let reads = 0;
      const counted: ReadableFile = {
        read: (...asked) => {
          reads += 1;
          return read.read(...asked);
        },
      };
      await closingPatches(counted, from, until);
      return Buffer.from([reads >> 8, reads & 255]);
    },
  });
  const over: string[] = [];
  const ask = async (call: AskCall['call'], words: AskCall['words']): Promise<unknown> => {
    const head: AskCall = { call, folder, markFile: join(folder, 'mark'), words };
    const answer = await answers({ head, body: Buffer.alloc(0) });
    over.push(call);
    return valueIn({ head: answer.head as AnswerCall, body: Buffer.from(answer.body ?? []) });
  };
  const run = ask('run', ['pictures', second.path, [headBytes, bytes]]);
  assert.equal(await ask('size', [second.path]), second.data.length);
  const reads = ((await run) as Buffer).readUInt16BE();
  assert.deepEqual(over, ['size', 'run']);
  assert.ok(reads >= pictures, `${reads} reads for ${pictures} pictures`);
});

test('as much is kept of closed files as a bound says', async () => {
  const [, second] = files;
  assert.ok(second);
  const { headBytes, bytes } = second.contents;
  await using file = await open(second.path);
  let reads = 0;
  const counted: ReadableFile = {
    read: (...asked) => {
      reads += 1;
      return file.read(...asked);
    },
  };
  // Those of two files.
  const closed = new ClosedFiles(400_000);
  const coding = { codec: 'h264', headBytes, bytes } as const;
  for (const id of ['a', 'b', 'c', 'd']) await openedBy(closed, id, counted, coding);
  const all = reads;
  await openedBy(closed, 'd', counted, coding);
  assert.equal(reads, all);
  for (const id of ['a', 'b', 'c']) await openedBy(closed, id, counted, coding);
  assert.ok(reads > all, 'not all of them are kept');
});

test('a file without B-pictures, or of another codec, is sent as it is', async () => {
  const other = mkdtempSync(join(tmpdir(), 'nazar-closed-'));
  const closed = { ...coding, bFrames: 0, openGop: false } as const;
  await recordFilms(other, 'camera', Date.UTC(2026, 0, 15, 12), [closed]);
  const [name] = readdirSync(other, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('.mp4'),
  );
  const path = join(other, name!);
  const { headBytes, bytes } = contentsOf(readFileSync(path))!;
  await using file = await open(path);
  assert.equal(await opened(file, { codec: 'h264', headBytes, bytes }), null);
  assert.equal(await opened(file, { codec: 'hevc', headBytes, bytes }), null);
  rmSync(other, { recursive: true });
});

test('a live view passes closed groups on, and holds back no picture of a group that is closed', async () => {
  const [first] = files;
  assert.ok(first);
  const { headBytes } = first.contents;
  const head = first.data.subarray(0, headBytes);
  const passed: Fragment[] = [];
  const closed = new ClosedGroups({
    begin: () => undefined,
    push: (one) => passed.push(one),
    end: () => undefined,
  });
  let count = 0;
  let key: Buffer | null = null;
  for (const body of fragmentsOf(first.data, headBytes)) {
    const { key: isKey, shownTicks } = pictureOf(body)!;
    const isOpen = isKey && count > 0;
    if (isKey) key = body;
    closed.push({ key: isKey, isOpen, at: shownTicks / 90_000, wallMs: 0, body });
    count += 1;
    if (!isKey && pictureOf(key!)!.shownTicks <= shownTicks)
      assert.equal(passed.at(-1)?.body, body, 'a picture that can be shown is passed on at once');
  }
  const keys = passed.flatMap((one, index) => (one.key ? [index] : []));
  assert.ok(keys.length >= 4);
  for (const index of keys) {
    const pieces = passed.slice(index).map(({ body }) => body);
    const { shown, refused } = await strictlyDecoded([head, ...pieces]);
    assert.deepEqual([shown.size, refused], [pieces.length, 0]);
  }
  for (const { body, at } of passed) {
    const { decode, offset } = timeOf(body)!;
    assert.ok(Math.abs((decode + offset) / 90_000 - at) < 0.000_1, 'it says when it is shown');
    assert.ok(boxAt(body, ['mdat']));
  }
});

/** How encoders name pictures that were left out: x264's own pyramid, which OBS sends, and what else may come. */
const pyramids: readonly (Pick<RecordedFilm, 'bFrames' | 'settings' | 'interlaced'> & {
  readonly name: string;
})[] = [
  { name: 'one B-picture in a row', bFrames: 1, settings: 'b-pyramid=normal' },
  { name: 'two and a pyramid', bFrames: 2, settings: 'b-pyramid=normal' },
  { name: 'three and no pyramid', bFrames: 3, settings: 'b-pyramid=none' },
  { name: 'three and a pyramid', bFrames: 3, settings: 'b-pyramid=normal' },
  { name: 'a strict pyramid', bFrames: 3, settings: 'b-pyramid=strict' },
  { name: 'a pyramid and one reference', bFrames: 3, settings: 'b-pyramid=normal:ref=1' },
  { name: 'a pyramid without CABAC', bFrames: 3, settings: 'b-pyramid=normal:cabac=0' },
  {
    name: 'slices, weights and one picture twice in a list',
    bFrames: 3,
    settings: 'b-pyramid=normal:slices=4:ref=4:weightp=2:cabac=0',
  },
  { name: 'two fields', bFrames: 3, settings: 'b-pyramid=normal', interlaced: true },
];
for (const { name, ...pyramid } of pyramids) {
  test(`open groups with ${name} are shown bit for bit, from each key picture, live and of a file`, async () => {
    const own = mkdtempSync(join(tmpdir(), 'nazar-pyramid-'));
    try {
      await recordFilms(own, 'camera', Date.UTC(2026, 0, 15, 12), [
        { ...coding, ...pyramid, bitsPerSecond: 1_500_000, shape: { ...shape, pictures: 120 } },
      ]);
      const [file] = readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((one) =>
        one.endsWith('.mp4'),
      );
      const path = join(own, file!);
      const data = readFileSync(path);
      const contents = contentsOf(data)!;
      const { headBytes, keyFrames } = contents;
      const head = data.subarray(0, headBytes);
      const whole = await strictlyDecoded([head, ...fragmentsOf(data, headBytes)]);
      assert.deepEqual([whole.shown.size, whole.refused], [contents.pictures, 0]);
      const keys = new Set(
        fragmentsOf(data, headBytes)
          .map((one) => pictureOf(one)!)
          .flatMap(({ key, shownTicks }) => (key ? [whole.shown.get(shownTicks)!] : [])),
      );
      const players = await sent({ path, data, contents });
      assert.ok(keyFrames.length >= 4);
      const live = liveOf(head, fragmentsOf(data, headBytes)).map(({ body }) => body);
      const liveKeys = live.flatMap((one, index) => (pictureOf(one)!.key ? [index] : []));
      const starts = [
        ...keyFrames.map(({ offset }) => fragmentsOf(players, offset)),
        ...liveKeys.map((index) => live.slice(index)),
      ];
      for (const fragments of starts) {
        assert.ok(isIdr(sampleOf(fragments[0]!)!, true), 'nothing after it names what was before');
        const { shown, refused } = await strictlyDecoded([head, ...fragments]);
        assert.deepEqual([shown.size, refused], [fragments.length, 0]);
        // A key picture is shown in place of its leading pictures, too, and is what it was.
        for (const [at, hash] of shown)
          assert.ok(hash === whole.shown.get(at) || keys.has(hash), `the picture at ${at}`);
      }
    } finally {
      rmSync(own, { recursive: true });
    }
  });
}

/** What viewers get of the fragments of a file, as they come from a camera. */
function liveOf(head: Buffer, fragments: readonly Buffer[]): Fragment[] {
  const passed: Fragment[] = [];
  const closed = new ClosedGroups({
    begin: () => undefined,
    push: (one) => passed.push(one),
    end: () => undefined,
  });
  closed.begin({ body: head, mime: '', width: 0, height: 0 });
  for (const [index, body] of fragments.entries()) {
    const { key, shownTicks } = pictureOf(body)!;
    closed.push({ key, isOpen: key && index > 0, at: shownTicks / 90_000, wallMs: 0, body });
  }
  return passed;
}

test('R-05 C-515 pictures with anything wrong in them are closed or left as they are, in little time', () => {
  const [, second] = files;
  assert.ok(second);
  const { headBytes } = second.contents;
  const head = second.data.subarray(0, headBytes);
  const sets = unitsOf(parameterSetsOfExtradata(h264ConfigurationOf(head))!, false);
  const pictures = fragmentsOf(second.data, headBytes).map((one) => sampleOf(one)!);
  const seed = Number(process.env['NAZAR_TEST_SEED'] ?? Date.now() % 2 ** 31);
  let closed = 0;
  for (let input = 0; input < Number(process.env['NAZAR_TEST_INPUTS'] ?? 500); input++) {
    const chance = new Chance(seed + input);
    const wrong = (bytes: Buffer): Buffer =>
      chance.percent(50) ? mutated(bytes, chance).bytes : bytes;
    const group = new ClosedGroup264(sets.map(wrong));
    const from = chance.below(pictures.length - 8);
    for (const picture of pictures.slice(from, from + 8)) {
      const given = wrong(picture);
      const of = chance.pick(['begin', 'next', 'next', 'leaveOut'] as const);
      const keepsNumbers = chance.percent(50);
      try {
        const written = of === 'begin' ? group.begin(given, { keepsNumbers }) : group[of](given);
        if (group.key) group.isOver(chance.percent(50));
        if (!written || written === true) continue;
        closed += 1;
        assert.ok(written.length <= 2 * given.length + 1_024);
      } catch (cause) {
        throw new Error(`NAZAR_TEST_SEED=${seed + input} NAZAR_TEST_INPUTS=1`, { cause });
      }
    }
  }
  assert.ok(closed > 0);
});
