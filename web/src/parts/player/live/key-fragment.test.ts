import { expect, test } from 'vitest';
import { beginsWithKey } from './key-fragment.ts';

const u32 = (value: number): number[] => [24, 16, 8, 0].map((bits) => (value >>> bits) & 0xff);
const box = (kind: string, ...contents: readonly number[][]): number[] => {
  const bytes = contents.flat();
  return [...u32(bytes.length + 8), ...[0, 1, 2, 3].map((at) => kind.charCodeAt(at)), ...bytes];
};

const sync = 0x2000000;
const nonSync = 0x1010000;

/** `moof` before `mdat`, as a muxer that writes a fragment for each picture does. */
function fragment(tfhd: readonly number[][], trun: readonly number[][]): Uint8Array {
  const moof = box(
    'moof',
    box('mfhd', u32(0), u32(7)),
    box('traf', box('tfhd', ...tfhd), box('trun', ...trun)),
  );
  return new Uint8Array([...moof, ...box('mdat', [1, 2, 3])]);
}

test.each([
  [
    'the flags of the first sample',
    [u32(0x20020), u32(1), u32(nonSync)],
    (flags: number) => [u32(0x5), u32(1), u32(100), u32(flags)],
  ],
  [
    'flags of each sample',
    [u32(0x20000), u32(1)],
    (flags: number) => [u32(0x701), u32(1), u32(100), u32(512), u32(3000), u32(flags)],
  ],
])('a fragment begins with a key frame by %s', (_what, tfhd, trun) => {
  expect(beginsWithKey(fragment(tfhd, trun(sync)))).toBe(true);
  expect(beginsWithKey(fragment(tfhd, trun(nonSync)))).toBe(false);
});

test('a fragment begins with a key frame by the default of its track, behind all other fields', () => {
  const tfhd = (flags: number) => [u32(0x2003a), u32(1), u32(1), u32(512), u32(3000), u32(flags)];
  const trun = [u32(0x1), u32(1), u32(100)];
  expect(beginsWithKey(fragment(tfhd(sync), trun))).toBe(true);
  expect(beginsWithKey(fragment(tfhd(nonSync), trun))).toBe(false);
});

test('an initialisation segment is needed whatever follows, and bytes that are cut off are no key frame', () => {
  expect(beginsWithKey(new Uint8Array([...box('ftyp', u32(0)), ...box('moov', u32(0))]))).toBe(
    true,
  );
  const whole = fragment([u32(0x20000), u32(1)], [u32(0x5), u32(1), u32(100), u32(sync)]);
  const parted = new Uint8Array(box('moof', box('mfhd', u32(0), u32(7))));
  expect(beginsWithKey(parted)).toBe(false);
  expect(beginsWithKey(new Uint8Array(whole.buffer, 0, whole.length - 3))).toBe(true);
});
