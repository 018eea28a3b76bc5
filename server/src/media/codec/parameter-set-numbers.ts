/**
 * Numbers of the parameter sets of H.264 and H.265. Pictures name the set that they were encoded with by its number, so
 * that pictures of two encoders are one stream that every decoder reads, also where a file has one description for all
 * of them, if their sets have different numbers.
 */
import { Bits, withEmulationPrevention, withoutEmulationPrevention } from './bits.ts';
import { unitsOf } from './h264.ts';
import { pps265, sps265, typeOf265, vps265 } from './h265.ts';

/** The head of a parameter set is within its first bytes; that of H.265 holds up to 8 layers. */
const setHeadBytes = 160;
/** x264 gives its sequence and its picture parameter set the same number, at most this. */
const maxSequenceNumber264 = 31;

/** The highest number that none of the sets has, which are given with start codes; null when all are taken. */
export function freeNumber264(sets: Buffer): number | null {
  const taken = new Set(unitsOf(sets, false).map(numberOf264));
  for (let number = maxSequenceNumber264; number > 0; number--) {
    if (!taken.has(number)) return number;
  }
  return null;
}

function numberOf264(set: Buffer): number {
  const bits = new Bits(set.subarray(1, setHeadBytes));
  const isSequence = ((set[0] ?? 0) & 31) === 7;
  // Profile, constraints and level come first.
  if (isSequence) bits.skip(24);
  return bits.unsigned();
}

/**
 * The number that sets and pictures of x265, which has no setting for it, get in place of 0. Its code has nine bits
 * instead of one: everything after it moves by exactly a byte, so that nothing else has to be understood.
 */
export const ownNumber265 = 15;
const ownCode = 0b0_0001_0000;

/** Whether none of the sets, which are given with start codes, has that number. */
export function isOwnNumberFree265(sets: Buffer): boolean {
  return unitsOf(sets, false).every((set) => numberOf265(set) !== ownNumber265);
}

function numberOf265(set: Buffer): number {
  const bits = new Bits(set.subarray(2, setHeadBytes));
  const type = typeOf265(set);
  if (type === vps265) return bits.take(4);
  if (type === sps265) skipLayers(bits);
  return bits.unsigned();
}

/** What comes before the number of a sequence parameter set (ITU-T H.265, 7.3.2.2.1 and 7.3.3). */
function skipLayers(bits: Bits): void {
  bits.skip(4);
  const layersLess1 = bits.take(3);
  bits.skip(1 + 88 + 8);
  if (layersLess1 === 0) return;
  const present: (readonly [profile: boolean, level: boolean])[] = [];
  for (let layer = 0; layer < layersLess1; layer++) present.push([bits.flag(), bits.flag()]);
  bits.skip(2 * (8 - layersLess1));
  for (const [profile, level] of present) bits.skip((profile ? 88 : 0) + (level ? 8 : 0));
}

/**
 * The NAL unit of x265 with the number of ours: a set, or a slice that begins a picture. Null for one that is not as
 * x265 writes it with one layer and one slice for each picture.
 */
export function renumbered265(unit: Buffer): Buffer | null {
  const type = typeOf265(unit);
  const bytes = Buffer.from(withoutEmulationPrevention(unit));
  if (type === vps265) {
    bytes[2] = (bytes[2]! & 0x0f) | (ownNumber265 << 4);
    return withEmulationPrevention(bytes);
  }
  if (type === sps265) {
    if ((bytes[2]! & 0x0e) !== 0) return null;
    bytes[2] = (bytes[2]! & 0x0f) | (ownNumber265 << 4);
    return escapedOrNull(withOwnCode(bytes, (3 + 12) * 8));
  }
  if (type === pps265) {
    // Its own number, and that of the sequence parameter set.
    const own = withOwnCode(bytes, 16);
    return escapedOrNull(own && withOwnCode(own, 16 + 9));
  }
  if (type >= vps265) return unit;
  const isFirst = (bytes[2]! & 0x80) !== 0;
  const isRandomAccess = type >= 16 && type <= 23;
  return isFirst ? escapedOrNull(withOwnCode(bytes, 16 + (isRandomAccess ? 2 : 1))) : null;
}

/** Null where the number is not 0. */
function withOwnCode(bytes: Buffer, bitAt: number): Buffer | null {
  const [at, bit] = [bitAt >> 3, bitAt & 7];
  const byte = bytes[at] ?? 0;
  if (!(byte & (0x80 >> bit))) return null;
  const before = byte >> (8 - bit);
  const after = byte & (0x7f >> bit);
  const both = (before << (16 - bit)) | (ownCode << (7 - bit)) | after;
  return Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from([both >> 8, both & 0xff]),
    bytes.subarray(at + 1),
  ]);
}

const escapedOrNull = (bytes: Buffer | null): Buffer | null =>
  bytes && withEmulationPrevention(bytes);
