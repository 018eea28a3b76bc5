/**
 * Exports of H.264 with open groups of pictures begin at a key picture that resets no decoder. Pictures after it name some
 * from before, or leading ones, which the export can't have.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { recorded, shape } from '#testing/exported-films.ts';
import { strictlyDecoded } from '#testing/strict-decoding.ts';
import { FormatSource } from '../sources/format-source.ts';
import { samplesOf } from './samples.ts';
import type { RecordedFilm } from '#testing/recorded-films.ts';

const gop = 24;
const codings: readonly (Pick<RecordedFilm, 'bFrames' | 'settings'> & { name: string })[] = [
  { name: 'three B-pictures in a row', bFrames: 3, settings: 'b-pyramid=none' },
  { name: 'two and a pyramid', bFrames: 2, settings: 'b-pyramid=normal' },
  { name: 'three and a pyramid', bFrames: 3, settings: 'b-pyramid=normal' },
  { name: 'a strict pyramid', bFrames: 3, settings: 'b-pyramid=strict' },
  { name: 'a pyramid and one reference', bFrames: 3, settings: 'b-pyramid=normal:ref=1' },
  { name: 'a pyramid without CABAC', bFrames: 3, settings: 'b-pyramid=normal:cabac=0' },
  {
    name: 'four slices and four references',
    bFrames: 3,
    settings: 'b-pyramid=normal:slices=4:ref=4:weightp=2:cabac=0',
  },
];

async function packetsIn(url: string): Promise<Buffer[]> {
  const input = { url, options: {}, stop: () => undefined, why: () => null };
  await using source = await FormatSource.open(input);
  const packets: Buffer[] = [];
  for (let next = await source.read(); next; next = await source.read()) packets.push(next.data);
  return packets;
}

/** In the order in which they are shown. */
const hashesOf = (shown: ReadonlyMap<number, string>): string[] =>
  [...shown].toSorted(([a], [b]) => a - b).map(([, hash]) => hash);

for (const { name, ...coding } of codings) {
  test(`${name}: an export that begins at an open group shows each of its pictures bit for bit, to the strictest decoder`, async (t) => {
    using it = await recorded([
      {
        codec: 'h264',
        openGop: true,
        ...coding,
        bitsPerSecond: 800_000,
        shape: shape(9, { gop }),
      },
    ]);
    const [source] = it.sources;
    const data = readFileSync(source!.file);
    const known = new Set(
      samplesOf(data, source!.headBytes).map(({ offset, bytes }) =>
        data.toString('latin1', offset, offset + bytes),
      ),
    );
    const whole = await strictlyDecoded([data]);
    const all = hashesOf(whole.shown);
    assert.deepEqual([all.length, whole.refused], [225, 0]);
    const spans: number[] = [];
    for (let group = 1; group <= 8; group += 1) {
      // A picture before the key picture, with its leading pictures in the period.
      const made = await it.exported((group * gop - 5) / 25, 9);
      assert.ok(made.fault === null);
      const { shown, refused } = await strictlyDecoded([readFileSync(it.target)]);
      assert.deepEqual(
        [refused, hashesOf(shown)],
        [0, all.slice(group * gop)],
        `from group ${group} on`,
      );
      const packets = await packetsIn(it.target);
      const written = packets.flatMap((one, at) => (known.has(one.toString('latin1')) ? [] : [at]));
      const rewritten = made.rewritten.reduce((sum, { pictures }) => sum + pictures, 0);
      assert.equal(rewritten, written.length, 'the answer says which');
      assert.ok(
        written.every((at) => at < gop),
        'all after the first group is what was recorded',
      );
      spans.push(written.length);
    }
    t.diagnostic(`${spans.join(', ')} pictures with other headers`);
  });
}

test('H.265 with a pyramid: leading pictures are encoded again, and each one after them is shown bit for bit', async () => {
  const settings = 'open-gop=1:b-pyramid=1:b-adapt=0:scenecut=0';
  const film = { codec: 'hevc', bFrames: 3, settings, bitsPerSecond: 800_000 } as const;
  using it = await recorded([{ ...film, shape: shape(9, { gop }) }]);
  const data = readFileSync(it.sources[0]!.file);
  const whole = await strictlyDecoded([data]);
  const all = hashesOf(whole.shown);
  assert.deepEqual([all.length, whole.refused], [225, 0]);
  for (let group = 1; group <= 4; group += 1) {
    const first = group * gop - 5;
    const made = await it.exported(first / 25, 9);
    assert.ok(made.fault === null);
    assert.deepEqual(
      made.encoded.map(({ pictures }) => pictures),
      [5],
    );
    assert.deepEqual([made.leftOut, made.rewritten], [[], []]);
    const { shown, refused } = await strictlyDecoded([readFileSync(it.target)]);
    const hashes = hashesOf(shown);
    assert.deepEqual([refused, hashes.length], [0, 225 - first]);
    assert.deepEqual(hashes.slice(5), all.slice(group * gop), `from group ${group} on`);
    assert.ok(hashes.slice(0, 5).every((hash) => !all.includes(hash)));
  }
});
