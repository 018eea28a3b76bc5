/** What a file of a recording holds is the same however it is read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { aSegmentHead, segmentBytes } from '#testing/segments.ts';
import { contentsIn, contentsOf } from './segment-contents.ts';
import { stillBox, tailOf } from './segment-file.ts';

const head = aSegmentHead('camera', Date.UTC(2026, 0, 15, 12));
const film = segmentBytes(head);
const still = { atMs: 40, jpeg: Buffer.from('a picture'), shows: 'whole' };
const complete = Buffer.concat([
  film,
  tailOf({ motion: [{ fromMs: 0, untilMs: 400 }], grid: null, still })!,
]);

async function* cut(data: Buffer, places: readonly number[]): AsyncGenerator<Buffer> {
  const ends = [...places.map((place) => place % (data.length + 1)), data.length];
  let from = 0;
  for (const end of ends.toSorted((a, b) => a - b)) {
    yield data.subarray(from, end);
    from = end;
  }
}

test('a file that is read in any pieces, and torn anywhere, is the same as read at once', async () => {
  assert.equal(contentsOf(complete)?.bytes, complete.length);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(complete.length),
      fc.array(fc.nat(), { maxLength: 40 }),
      async (length, places) => {
        const torn = complete.subarray(0, length);
        assert.deepEqual(await contentsIn(cut(torn, places)), contentsOf(torn));
      },
    ),
  );
});

test('the valid part ends with the last complete picture or box of ours, and has the hash of all before it', () => {
  const whole = contentsOf(complete)!;
  assert.deepEqual(
    [whole.motion, whole.still?.bytes],
    [[{ fromMs: 0, untilMs: 400 }], still.jpeg.length],
  );
  for (const [torn, bytes] of [
    [complete.subarray(0, complete.length - 1), complete.length - stillBox(still).length],
    [film.subarray(0, film.length), film.length],
    [Buffer.concat([film, Buffer.from('\0\0\0\x10free12345678')]), film.length],
    [Buffer.concat([film, Buffer.from('\0\0\0\x07free')]), film.length],
    [Buffer.concat([film, Buffer.from('\xff\0\0\x07mdat', 'latin1')]), film.length],
  ] as const) {
    const contents = contentsOf(torn)!;
    assert.equal(contents.bytes, bytes);
    assert.equal(contents.sha256, contentsOf(complete.subarray(0, bytes))!.sha256);
    assert.equal(contents.still, null);
  }
  assert.equal(contentsOf(Buffer.alloc(0)), null);
  assert.equal(contentsOf(Buffer.alloc(400)), null);
});
