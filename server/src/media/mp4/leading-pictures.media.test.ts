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
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Frame } from 'node-av/lib';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import { recordFilms } from '#testing/recorded-films.ts';
import { momentOf, packetOf, type Coded } from '../codec/coded.ts';
import { openDecoder } from '../codec/decoder.ts';
import { ClosedGroups } from '../host/live/closed-groups.ts';
import type { Fragment } from '../host/live/live-stream.ts';
import { openRecorded } from '../worker/recorded-bytes.ts';
import { boxAt, timeOf } from './boxes.ts';
import { openForPlayers } from './leading-pictures.ts';
import { contentsOf, pictureOf, type SegmentContents } from './segment-file.ts';

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

/** Decodes as a browser does from the first picture on; counts what is refused. */
async function decoded(pieces: readonly Buffer[]): Promise<{ shown: number; refused: number }> {
  await using film = await openRecorded(pieces);
  using decoder = openDecoder(film.track, false, false);
  using frame = new Frame();
  frame.alloc();
  let [shown, refused] = [0, 0];
  const take = async (): Promise<void> => {
    while ((await decoder.receiveFrame(frame)) >= 0) shown += 1;
  };
  for (let one: Coded | null = await film.read(); one; one = await film.read()) {
    using packet = packetOf(one, momentOf(one));
    if ((await decoder.sendPacket(packet)) < 0) refused += 1;
    await take();
  }
  await decoder.sendPacket(null);
  await take();
  return { shown, refused };
}

async function sent({ path, data, contents }: Recorded, at = 0): Promise<Buffer> {
  const { headBytes, bytes } = contents;
  const through = await openForPlayers(path, { codec: 'h264', headBytes, bytes });
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
  const untouched = await decoded([head, ...fragmentsOf(second.data, headBytes)]);
  assert.ok(untouched.refused > 0 || untouched.shown < pictures, 'its groups are open');
  const players = await sent(second);
  assert.ok(keyFrames.length >= 4);
  for (const { offset } of keyFrames) {
    const fragments = fragmentsOf(players, offset);
    const seen = await decoded([head, ...fragments]);
    assert.deepEqual(seen, { shown: fragments.length, refused: 0 });
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

test('a file without B-pictures, or of another codec, is sent as it is', async () => {
  const other = mkdtempSync(join(tmpdir(), 'nazar-closed-'));
  const closed = { ...coding, bFrames: 0, openGop: false } as const;
  await recordFilms(other, 'camera', Date.UTC(2026, 0, 15, 12), [closed]);
  const [name] = readdirSync(other, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('.mp4'),
  );
  const path = join(other, name!);
  const { headBytes, bytes } = contentsOf(readFileSync(path))!;
  assert.equal(await openForPlayers(path, { codec: 'h264', headBytes, bytes }), null);
  assert.equal(await openForPlayers(files[0]!.path, { codec: 'hevc', headBytes, bytes }), null);
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
    assert.deepEqual(await decoded([head, ...pieces]), { shown: pieces.length, refused: 0 });
  }
  for (const { body, at } of passed) {
    const { decode, offset } = timeOf(body)!;
    assert.ok(Math.abs((decode + offset) / 90_000 - at) < 0.000_1, 'it says when it is shown');
    assert.ok(boxAt(body, ['mdat']));
  }
});
