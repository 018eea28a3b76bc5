/** Puts another sample in the place of the picture in a fragment that `fragment.ts` wrote. */
import { boxAt, u32 } from './boxes.ts';

/** Bytes to write over those that are at that place. */
export interface Patch {
  readonly at: number;
  readonly bytes: Buffer;
}

/** Flags of a `trun` as `fragment.ts` writes it: data offset, and for each sample duration, size, flags and offset. */
const ownFields = 0x1 | 0x100 | 0x200 | 0x400 | 0x800;
/** In `trun` after version, flags and number of samples. */
const dataOffsetAt = 8;
const sizeAt = 16;

interface Place {
  readonly trunAt: number;
  /** From the beginning of the fragment. */
  readonly at: number;
  readonly bytes: number;
}

/** Where the picture is, by its `moof`; null when the fragment is none of ours. */
export function placeOfSample(moof: Buffer): Place | null {
  const trun = boxAt(moof, ['moof', 'traf', 'trun']);
  if (!trun || trun.length < sizeAt + 12 || trun.readUIntBE(1, 3) !== ownFields) return null;
  const trunAt = trun.byteOffset - moof.byteOffset;
  const at = trun.readInt32BE(dataOffsetAt);
  return at < 0 ? null : { trunAt, at, bytes: trun.readUInt32BE(sizeAt) };
}

/** The picture of a whole fragment; null when it is none of ours. */
export function sampleOf(fragment: Buffer): Buffer | null {
  const place = placeOfSample(fragment);
  if (!place || place.at + place.bytes > fragment.length) return null;
  return fragment.subarray(place.at, place.at + place.bytes);
}

/**
 * Returns what to write over a fragment so that it holds `sample` instead, ending where the one before ended, so that
 * what both have at their ends stays as it is; null where it doesn't fit. Places are those in the fragment.
 */
export function samplePatches(fragment: Buffer, sample: Buffer): Patch[] | null {
  const place = placeOfSample(fragment);
  const before = sampleOf(fragment);
  if (!place || !before || sample.length > before.length) return null;
  const at = place.at + before.length - sample.length;
  const same = sameAtEnd(sample, before);
  return [
    { at: place.trunAt + dataOffsetAt, bytes: u32(at) },
    { at: place.trunAt + sizeAt, bytes: u32(sample.length) },
    { at, bytes: Buffer.from(sample.subarray(0, sample.length - same)) },
  ];
}

/** So many bytes are compared at once. */
const pieceBytes = 4_096;

/** How many bytes at their ends are the same. */
function sameAtEnd(one: Buffer, other: Buffer): number {
  const most = Math.min(one.length, other.length);
  let same = 0;
  for (let count = pieceBytes; same + count <= most; same += count) {
    if (!beforeEnd(one, same, count).equals(beforeEnd(other, same, count))) break;
  }
  while (same < most && one[one.length - 1 - same] === other[other.length - 1 - same]) same += 1;
  return same;
}

const beforeEnd = (of: Buffer, bytes: number, count: number): Buffer =>
  of.subarray(of.length - bytes - count, of.length - bytes);

/** The fragment with that sample; null when it is none of ours, or holds sound, too, and `sample` doesn't fit. */
export function withSample(fragment: Buffer, sample: Buffer): Buffer | null {
  const patches = samplePatches(fragment, sample);
  if (patches) return patchedCopy(fragment, patches);
  const place = placeOfSample(fragment);
  const end = place && place.at + place.bytes;
  // The picture is all that it holds.
  if (!place || end !== fragment.length) return null;
  const moofBytes = fragment.readUInt32BE(0);
  const copy = Buffer.concat([fragment.subarray(0, place.at), sample]);
  copy.writeUInt32BE(sample.length, place.trunAt + sizeAt);
  copy.writeUInt32BE(copy.length - moofBytes, moofBytes);
  return copy;
}

export function patchedCopy(fragment: Buffer, patches: readonly Patch[]): Buffer {
  const copy = Buffer.from(fragment);
  for (const { at, bytes } of patches) bytes.copy(copy, at);
  return copy;
}
