import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Pixels } from '../../codec/rotate.ts';
import { drawBox } from './draw.ts';
import { Labels, type Label } from './labels.ts';

const red = [239, 68, 68];

function grey(width: number, height: number): Pixels {
  return { width, height, data: Buffer.alloc(width * height * 3, 128) };
}
const at = ({ width, data }: Pixels, x: number, y: number): number[] => [
  ...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
];
const label: Label = { width: 20, height: 10, cover: Buffer.alloc(200, 255) };
const box = { x: 0.25, y: 0.5, width: 0.5, height: 0.25, label: '', named: true };

test('=LIVE-006, LIVE-007 a red box lies where the fractions say, its label above it', () => {
  const picture = grey(400, 200);
  drawBox(picture, box, label);
  for (const [x, y] of [
    [100, 100],
    [299, 100],
    [100, 149],
    [299, 149],
  ] as const) {
    assert.deepEqual(at(picture, x, y), red);
  }
  assert.deepEqual(at(picture, 200, 125), [128, 128, 128], 'the face itself is left as it is');
  assert.deepEqual(at(picture, 110, 92), [255, 255, 255], 'letters are white');
  assert.deepEqual(at(picture, 99, 125), [128, 128, 128]);
});

test('a box half outside and a label without room stay inside the picture, whatever their size', () => {
  const fraction = fc.double({ min: -1, max: 2, noNaN: true });
  const size = fc.integer({ min: 1, max: 60 });
  fc.assert(
    fc.property(fraction, fraction, fraction, fraction, size, size, (x, y, w, h, width, height) => {
      const picture = grey(width, height);
      const before = picture.data.length;
      drawBox(picture, { ...box, x, y, width: w, height: h }, label);
      assert.equal(picture.data.length, before);
    }),
  );
});

/** Columns that hold any of a letter. */
const lettered = ({ width, height, cover }: Label): number =>
  Array.from({ length: width }, (_, x) => x).filter((x) =>
    Array.from({ length: height }, (_row, y) => cover[y * width + x] ?? 0).some((c) => c > 128),
  ).length;

test('the shipped font has every letter of the four languages, and a name is drawn, never interpreted', async () => {
  const labels = new Labels();
  const missing = await labels.of('\u{10FFFD}', 24);
  const letters = 'əğıİöüşçƏĞÖÜŞÇжщъыэюяЖЩЪЫЭЮЯ';
  for (const letter of letters) {
    const written = await labels.of(letter, 24);
    assert.ok(lettered(written) > 0, letter);
    assert.notDeepEqual(written.cover, missing.cover, letter);
  }
  const tricky = await labels.of("x':%{pts}\\,[a]=;\n", 24);
  const plain = await labels.of('x', 24);
  assert.ok(tricky.width > plain.width * 3);
  assert.equal(await labels.of('x', 24), plain, 'it is remembered');
  const long = await labels.of('W'.repeat(500), 24);
  assert.equal(long.width, 720);
});
