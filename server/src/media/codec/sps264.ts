/**
 * Reads from a sequence parameter set of H.264 what the pictures after it are like (ITU-T H.264, 7.3.2.1.1 and
 * E.1.1).
 */
import { Bits } from './bits.ts';

/** What the pictures are like, in H.264 and H.265 alike. */
export interface PictureShape {
  readonly width: number;
  readonly height: number;
  /** 0 when the set does not say. */
  readonly fps: number;
  /** How many pictures may be decoded before one that is shown earlier; null when the set does not say. */
  readonly reorder: number | null;
}

/** What comes before the usage information, which few sets have whole. */
interface Base extends Pick<PictureShape, 'width' | 'height'> {
  /** Whether pictures may come as two fields. */
  readonly interlaced: boolean;
  /** 0 when pictures cannot but be shown in the order in which they are decoded; null when it is not known here. */
  readonly reorder: 0 | null;
  /** How many pictures others may refer to. */
  readonly references: number;
  /** Bits of a picture's number among those that others refer to. */
  readonly frameNumBits: number;
  /** Bits of the order in which it is shown; null where it follows from something else. */
  readonly orderBits: number | null;
  /** 0 where there is none, or where its planes are coded apart. */
  readonly chroma: number;
  readonly isSeparate: boolean;
}

/** The profiles whose sets hold the chroma format. */
const highProfiles = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];
const baseline = 66;

/** `sps`: the whole NAL unit. Null when it cannot be read. */
export function shapeOf264(sps: Uint8Array): PictureShape | null {
  const bits = new Bits(sps.subarray(1));
  const { width, height, reorder, references, interlaced } = baseOf(bits);
  const usage = bits.flag() ? usageOf(bits) : { fps: 0, reorder: null };
  if (width <= 0 || height <= 0 || bits.isOver) return null;
  // A picture that is shown earlier refers to one before it and to one after it.
  const unsaid = references < 2 && !interlaced ? 0 : null;
  return { width, height, fps: usage.fps, reorder: reorder ?? usage.reorder ?? unsaid };
}

/** Whether pictures may come as two fields; `sps` may be cut off after its size. */
export function isInterlaced264(sps: Uint8Array): boolean {
  const bits = new Bits(sps.subarray(1));
  const { interlaced } = baseOf(bits);
  return interlaced && !bits.isOver;
}

/** What the headers of slices follow from; null when the set cannot be read. */
export function sequenceOf264(
  sps: Uint8Array,
): (Omit<Base, 'width' | 'height'> & { readonly number: number }) | null {
  const bits = new Bits(sps.subarray(1));
  const set = baseOf(bits);
  return bits.isOver ? null : set;
}

function baseOf(bits: Bits): Base & { readonly number: number } {
  const profile = bits.take(8);
  bits.skip(16);
  const number = bits.unsigned();
  const { chroma, isSeparate } = highProfiles.includes(profile)
    ? chromaOf(bits)
    : { chroma: 1, isSeparate: false };
  const frameNumBits = bits.unsigned() + 4;
  const { type: order, bits: orderBits } = pictureOrderOf(bits);
  const references = bits.unsigned();
  bits.skip(1);
  const widthBlocks = bits.unsigned() + 1;
  const heightUnits = bits.unsigned() + 1;
  const interlaced = !bits.flag();
  const fields = interlaced ? 2 : 1;
  if (interlaced) bits.skip(1);
  bits.skip(1);
  const [left, right, top, bottom] = bits.flag()
    ? [bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.unsigned()]
    : [0, 0, 0, 0];
  const cropX = chroma === 1 || chroma === 2 ? 2 : 1;
  const cropY = (chroma === 1 ? 2 : 1) * fields;
  return {
    width: widthBlocks * 16 - (left + right) * cropX,
    height: heightUnits * 16 * fields - (top + bottom) * cropY,
    interlaced,
    references,
    number,
    frameNumBits,
    orderBits,
    chroma,
    isSeparate,
    reorder: profile === baseline || order === 2 ? 0 : null,
  };
}

function chromaOf(bits: Bits): Pick<Base, 'chroma' | 'isSeparate'> {
  const format = bits.unsigned();
  const isSeparate = format === 3 && bits.flag();
  bits.unsigned();
  bits.unsigned();
  bits.skip(1);
  if (bits.flag()) {
    for (let list = 0; list < (format === 3 ? 12 : 8); list++) {
      if (bits.flag()) skipScalingList(bits, list < 6 ? 16 : 64);
    }
  }
  return { chroma: isSeparate ? 0 : format, isSeparate };
}

function skipScalingList(bits: Bits, length: number): void {
  let [last, next] = [8, 8];
  for (let at = 0; at < length && !bits.isOver; at++) {
    if (next !== 0) next = (last + bits.signed() + 256) % 256;
    last = next === 0 ? last : next;
  }
}

/** Returns the type of picture order count; with type 2 pictures are shown in the order in which they are decoded. */
function pictureOrderOf(bits: Bits): { readonly type: number; readonly bits: number | null } {
  const type = bits.unsigned();
  if (type === 0) return { type, bits: bits.unsigned() + 4 };
  if (type !== 1) return { type, bits: null };
  bits.skip(1);
  bits.signed();
  bits.signed();
  for (let left = bits.unsigned(); left > 0 && !bits.isOver; left--) bits.signed();
  return { type, bits: null };
}

const extendedRatio = 255;

function usageOf(bits: Bits): Pick<PictureShape, 'fps' | 'reorder'> {
  if (bits.flag() && bits.take(8) === extendedRatio) bits.skip(32);
  if (bits.flag()) bits.skip(1);
  if (bits.flag()) {
    bits.skip(4);
    if (bits.flag()) bits.skip(24);
  }
  if (bits.flag()) {
    bits.unsigned();
    bits.unsigned();
  }
  const fps = bits.flag() ? fpsOf(bits) : 0;
  const hasNal = bits.flag();
  if (hasNal) skipBuffering(bits);
  const hasVcl = bits.flag();
  if (hasVcl) skipBuffering(bits);
  if (hasNal || hasVcl) bits.skip(1);
  bits.skip(1);
  if (!bits.flag()) return { fps, reorder: null };
  bits.skip(1);
  for (let left = 4; left > 0; left--) bits.unsigned();
  const reorder = bits.unsigned();
  return { fps, reorder: bits.isOver || reorder > 16 ? null : reorder };
}

/** Two fields make a picture. */
function fpsOf(bits: Bits): number {
  const [unit, scale] = [bits.take(32), bits.take(32)];
  bits.skip(1);
  const fps = unit > 0 ? scale / (2 * unit) : 0;
  return fps >= 1 && fps <= 240 ? fps : 0;
}

function skipBuffering(bits: Bits): void {
  const count = bits.unsigned() + 1;
  bits.skip(8);
  for (let left = count; left > 0 && !bits.isOver; left--) {
    bits.unsigned();
    bits.unsigned();
    bits.skip(1);
  }
  bits.skip(20);
}
