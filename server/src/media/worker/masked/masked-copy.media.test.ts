/** Recorded pictures encoded anew with masks burnt in: real files, made by a real recorder. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import { brightness, centreMask, isMasked, picturesIn, rectangle } from '#testing/grey.ts';
import { recordFilms, type RecordedFilm } from '#testing/recorded-films.ts';
import { samplesOf } from '../../export/samples.ts';
import { codecOf, rotationOf } from '../../mp4/boxes.ts';
import { contentsOf } from '../../mp4/segment-contents.ts';
import { samePicture } from '../../mask/stream-part.ts';
import { encodedCodec } from '../../protocol/encoded-codec.ts';
import { maskedCopy, maskedHead, type MaskedCopy } from './masked-copy.ts';
import type { Masks } from '../../protocol/worker-messages.ts';

const cameraId = '01890000-0000-7000-8000-000000000001';
const forever = new AbortController().signal;
const masks: Masks = { polygons: [centreMask], rotation: 0, parts: [samePicture], turns: [0] };
/** Four seconds, a key frame each second. */
const shape = { ...smallFilm, pictures: 100 };

interface Recorded extends Disposable {
  readonly folder: string;
  readonly head: Buffer;
  /** From key frame to key frame. */
  readonly parts: Buffer[];
}

async function recorded(film: RecordedFilm): Promise<Recorded> {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-masked-'));
  await recordFilms(folder, cameraId, Date.UTC(2026, 0, 15, 12), [film]);
  const names = readdirSync(folder, { recursive: true }).map(String);
  const [name = ''] = names.filter((one) => one.endsWith('.mp4'));
  const data = readFileSync(join(folder, name));
  const { headBytes, keyFrames } = contentsOf(data)!;
  const begins = keyFrames.map(({ offset }) => offset);
  return {
    folder,
    head: data.subarray(0, headBytes),
    parts: begins.map((from, index) => data.subarray(from, begins[index + 1] ?? data.length)),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const endOf = ({ body }: MaskedCopy): number => {
  const last = samplesOf(body, 0).at(-1)!;
  return last.decodeTicks + last.durationTicks;
};

for (const [codec, bFrames] of [
  ['h264', 0],
  ['h264', 2],
  ['hevc', 2],
  ['mjpeg', 0],
] as const) {
  test(`C-401 what ${codec} with ${bFrames} B-frames shows under a mask is in no picture that is made of it`, async () => {
    using film = await recorded({ codec, bFrames, shape });
    const whole = await maskedCopy(film.head, Buffer.concat(film.parts), masks, forever);
    assert.equal(codecOf(whole.init), encodedCodec);
    const pictures = await picturesIn(film.folder, whole.init, whole.body);
    assert.equal(pictures.length, whole.pictures);
    assert.ok(pictures.length >= 49, 'every second picture of 25 a second');
    for (const picture of pictures) isMasked(picture);
  });
}

test('parts that are made separately are one stream, with the recorded times', async () => {
  using film = await recorded({ codec: 'h264', bFrames: 0, shape });
  const made: MaskedCopy[] = [];
  for (const part of film.parts) made.push(await maskedCopy(film.head, part, masks, forever));
  const [first] = made;
  assert.equal(made.length, 4);
  assert.ok(made.every(({ init }) => init.equals(first!.init)));
  assert.deepEqual(await maskedHead(film.head, film.parts[3]!), first!.init);
  for (const [second, part] of made.entries()) {
    const samples = samplesOf(part.body, 0);
    assert.ok(samples[0]!.key);
    assert.deepEqual(
      [samples[0]!.decodeTicks, endOf(part)],
      [second * 90_000, (second + 1) * 90_000],
    );
  }
  const bodies = made.map(({ body }) => body);
  const pictures = await picturesIn(film.folder, first!.init, ...bodies);
  assert.equal(pictures.length, 52, 'a key frame each second, and every second one');
  for (const picture of pictures) isMasked(picture);
});

test('each picture is a fragment: a seek leaves no more than one behind', async () => {
  using film = await recorded({ codec: 'h264', bFrames: 0, shape });
  const { body, pictures } = await maskedCopy(film.head, film.parts[0]!, masks, forever);
  let fragments = 0;
  for (let at = 0; at < body.length; at += body.readUInt32BE(at)) {
    fragments += body.toString('latin1', at + 4, at + 8) === 'moof' ? 1 : 0;
  }
  assert.ok(pictures > 10);
  assert.equal(fragments, pictures);
});

test('a picture that is shown turned is covered where the mask lies on the upright picture', async () => {
  using film = await recorded({ codec: 'h264', bFrames: 0, shape, rotation: 90 });
  const upperLeft: Masks = {
    polygons: [rectangle(0, 0.3, 0.5, 0.3)],
    rotation: 90,
    parts: [samePicture],
    turns: [0],
  };
  const { init, body } = await maskedCopy(film.head, film.parts[0]!, upperLeft, forever);
  assert.equal(rotationOf(init), 90);
  const [picture] = await picturesIn(film.folder, init, body);
  // With a rotation of 90 degrees, the point (x, y) upright is at (y, 1 - x) in the picture that the camera sends.
  assert.ok(brightness(picture!, 0.45, 1 - 0.25) < 40);
  assert.ok(brightness(picture!, 0.45, 1 - 0.75) > 45);
  assert.ok(brightness(picture!, 0.75, 1 - 0.25) > 45);
});

test('a camera whose rotation was changed since is covered in both places', async () => {
  using film = await recorded({ codec: 'h264', bFrames: 0, shape });
  const since: Masks = {
    polygons: [rectangle(0, 0.3, 0.3, 0.2)],
    rotation: 180,
    parts: [samePicture],
    turns: [0, 180],
  };
  const { init, body } = await maskedCopy(film.head, film.parts[0]!, since, forever);
  const [picture] = await picturesIn(film.folder, init, body);
  assert.ok(brightness(picture!, 0.15, 0.4) < 40, 'if it hangs otherwise since');
  assert.ok(brightness(picture!, 0.85, 0.6) < 40, 'if it hangs as before');
  assert.ok(brightness(picture!, 0.15, 0.8) > 45 && brightness(picture!, 0.6, 0.4) > 45);
});

test('a copy that is not wanted any more stops between two pictures', async () => {
  using film = await recorded({ codec: 'h264', bFrames: 0, shape });
  const left = new AbortController();
  left.abort(new Error('left'));
  await assert.rejects(maskedCopy(film.head, film.parts[0]!, masks, left.signal), /left/);
});
