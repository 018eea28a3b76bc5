/**
 * Reads the header of a slice of H.264 (ITU-T H.264, 7.3.3), as far as a picture says by which number and
 * in which place it is shown, and which pictures it refers to or lets a decoder forget. What was coded stays bit for bit.
 */
import { Bits, withoutEmulationPrevention } from './bits.ts';
import type { SliceParameters, SliceSets } from './slice-sets264.ts';

/** A command that puts a picture into a list: its distance from the one before, backwards or forwards. */
export interface Modification {
  readonly isForward: boolean;
  readonly distance: number;
}

/** One of the lists of pictures that a slice refers to. */
export interface ReferenceList {
  readonly length: number;
  /** Null: as they come by themselves. */
  readonly modifications: readonly Modification[] | null;
}

export interface Slice {
  /** The NAL unit that it is in. */
  readonly unit: Uint8Array;
  readonly sets: SliceSets;
  /** The number of its first block, its kind, and the number of its picture parameter set. */
  readonly first: readonly [number, number, number];
  /** 0: no other picture refers to this one. */
  readonly importance: number;
  readonly kind: 'P' | 'B' | 'I';
  readonly frameNum: number;
  readonly order: number;
  /** By how much the lower field is shown later than the upper one. */
  readonly orderBottom: number;
  readonly lists: readonly ReferenceList[];
  /** Distances of pictures that are forgotten; null: the oldest one is, when there are too many. */
  readonly forgets: readonly number[] | null;
  /** How a B-picture takes motion from others; null in other pictures. */
  readonly direct: boolean | null;
  /** Whether the slice itself says how long its lists are. */
  readonly hasLengths: boolean;
  /** Bits of the payload, from and until: weights of references, and how it is coded. */
  readonly weights: readonly [number, number];
  readonly coding: readonly [number, number];
  /** The bit at which its data begins. */
  readonly dataAt: number;
}

const kinds = ['P', 'B', 'I'] as const;
/** Headers are shorter: two lists of 32 pictures with weights take 600 bytes. */
export const maxHeaderBytes = 1_024;
const maxListed = 32;

/** `unit`: a NAL unit of type 1. Null for what can't be read, or isn't rewritten: fields, redundant and long-term pictures. */
export function sliceOf(unit: Uint8Array, parameters: SliceParameters): Slice | null {
  const payload = withoutEmulationPrevention(unit.subarray(1, maxHeaderBytes));
  const bits = new Bits(payload, true);
  const importance = ((unit[0] ?? 0) >> 5) & 3;
  const first = [bits.unsigned(), bits.unsigned(), bits.unsigned()] as const;
  const kind = kinds[first[1] % 5];
  const sets = parameters.of(first[2]);
  if (!sets || !kind || first[1] > 9) return null;
  const { picture } = sets;
  const frameNum = bits.take(sets.frameNumBits);
  if (sets.interlaced && bits.flag()) return null;
  const order = bits.take(sets.orderBits);
  const orderBottom = picture.hasFieldOrder ? bits.signed() : 0;
  if (picture.hasRedundant && bits.unsigned() > 0) return null;
  const direct = kind === 'B' ? bits.flag() : null;
  const hasLengths = kind !== 'I' && bits.flag();
  const lists = listsOf(bits, kind, hasLengths, picture.listed);
  if (!lists) return null;
  const weightsAt = bits.at;
  const isWeighted = kind === 'P' ? picture.isWeighted : kind === 'B' && picture.isWeightedTwice;
  if (isWeighted) skipWeights(bits, lists, sets.chroma);
  const weights = [weightsAt, bits.at] as const;
  const forgets = importance > 0 && bits.flag() ? forgottenBy(bits) : null;
  if (forgets === 'unknown') return null;
  const codingAt = bits.at;
  skipCoding(bits, kind, sets);
  const coding = [codingAt, bits.at] as const;
  const dataAt = picture.isArithmetic ? Math.ceil(bits.at / 8) * 8 : bits.at;
  if (bits.isOver || dataAt >= payload.length * 8) return null;
  const header = { sets, first, importance, kind, frameNum, order, orderBottom, lists, forgets };
  return { unit, ...header, direct, hasLengths, weights, coding, dataAt };
}

/** Null when a list names a picture that is kept for long. */
function listsOf(
  bits: Bits,
  kind: Slice['kind'],
  hasLengths: boolean,
  usual: readonly [number, number],
): ReferenceList[] | null {
  const count = { I: 0, P: 1, B: 2 }[kind];
  const lengths = Array.from({ length: count }, (_, list) =>
    hasLengths ? bits.unsigned() + 1 : usual[list]!,
  );
  const lists: ReferenceList[] = [];
  for (const length of lengths) {
    const modifications = bits.flag() ? modificationsOf(bits) : null;
    if (modifications === 'unknown' || length > maxListed) return null;
    lists.push({ length, modifications });
  }
  return lists;
}

function modificationsOf(bits: Bits): Modification[] | 'unknown' {
  const modifications: Modification[] = [];
  for (let left = maxListed + 1; left > 0; left--) {
    const command = bits.unsigned();
    if (command === 3) return modifications;
    if (command > 1) return 'unknown';
    modifications.push({ isForward: command === 1, distance: bits.unsigned() + 1 });
  }
  return 'unknown';
}

function skipWeights(bits: Bits, lists: readonly ReferenceList[], chroma: number): void {
  bits.unsigned();
  if (chroma !== 0) bits.unsigned();
  for (const { length } of lists) {
    for (let left = length; left > 0; left--) {
      for (const numbers of chroma === 0 ? [2] : [2, 4]) {
        if (bits.flag()) for (let number = numbers; number > 0; number--) bits.signed();
      }
    }
  }
}

function forgottenBy(bits: Bits): number[] | 'unknown' {
  const forgets: number[] = [];
  for (let left = maxListed + 1; left > 0; left--) {
    const command = bits.unsigned();
    if (command === 0) return forgets;
    if (command !== 1) return 'unknown';
    forgets.push(bits.unsigned() + 1);
  }
  return 'unknown';
}

function skipCoding(bits: Bits, kind: Slice['kind'], { picture }: SliceSets): void {
  if (picture.isArithmetic && kind !== 'I') bits.unsigned();
  bits.signed();
  if (!picture.hasDeblocking || bits.unsigned() === 1) return;
  bits.signed();
  bits.signed();
}
