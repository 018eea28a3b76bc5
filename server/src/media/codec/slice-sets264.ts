/** Keeps the parameter sets of H.264 by which headers of slices are read (ITU-T H.264, 7.3.2.1 and 7.3.2.2). */
import { Bits } from './bits.ts';
import { sequenceOf264 } from './sps264.ts';

export interface SliceSets {
  readonly frameNumBits: number;
  readonly orderBits: number;
  readonly interlaced: boolean;
  readonly chroma: number;
  /** How many pictures a decoder keeps for others to refer to. */
  readonly kept: number;
  readonly picture: PictureSet;
}

interface PictureSet {
  readonly sequence: number;
  /** CABAC: the data of a slice begins at a whole byte. */
  readonly isArithmetic: boolean;
  readonly hasFieldOrder: boolean;
  /** Pictures in each of the two lists, where a slice says nothing else. */
  readonly listed: readonly [number, number];
  readonly isWeighted: boolean;
  readonly isWeightedTwice: boolean;
  readonly hasDeblocking: boolean;
  readonly hasRedundant: boolean;
}

const sequenceType = 7;
const pictureType = 8;
/** A set is shorter, unless it isn't one. */
const maxSetBytes = 1_024;
/** ITU-T H.264, 7.4.2.1.1: bits of numbers, and pictures that are kept. */
const maxNumberBits = 16;
const maxKept = 16;

export class SliceParameters {
  readonly #sequences = new Map<number, Omit<SliceSets, 'picture'> | null>();
  readonly #pictures = new Map<number, PictureSet | null>();

  /** Takes any NAL unit; a parameter set replaces the one with its number, also where it can't be used here. */
  add(unit: Uint8Array): void {
    const type = (unit[0] ?? 0) & 31;
    const set = unit.subarray(0, maxSetBytes);
    if (type === sequenceType) this.#addSequence(set);
    if (type === pictureType) this.#addPicture(set);
  }

  /** Null where the sets are missing, or where headers of slices that name them aren't rewritten. */
  of(number: number): SliceSets | null {
    const picture = this.#pictures.get(number);
    const sequence = picture && this.#sequences.get(picture.sequence);
    return sequence ? { ...sequence, picture } : null;
  }

  #addSequence(set: Uint8Array): void {
    const sequence = sequenceOf264(set);
    if (!sequence) return;
    const { frameNumBits, orderBits, interlaced, chroma, references } = sequence;
    const isUsable =
      orderBits !== null &&
      Math.max(frameNumBits, orderBits) <= maxNumberBits &&
      references >= 1 &&
      references <= maxKept &&
      !sequence.isSeparate;
    const usable = isUsable
      ? { frameNumBits, orderBits, interlaced, chroma, kept: references }
      : null;
    this.#sequences.set(sequence.number, usable);
  }

  #addPicture(set: Uint8Array): void {
    const bits = new Bits(set.subarray(1));
    const number = bits.unsigned();
    const sequence = bits.unsigned();
    const isArithmetic = bits.flag();
    const hasFieldOrder = bits.flag();
    const sliceGroups = bits.unsigned() + 1;
    const listed = [bits.unsigned() + 1, bits.unsigned() + 1] as const;
    const isWeighted = bits.flag();
    const isWeightedTwice = bits.take(2) === 1;
    bits.signed();
    bits.signed();
    bits.signed();
    const hasDeblocking = bits.flag();
    bits.skip(1);
    const hasRedundant = bits.flag();
    if (bits.isOver) return;
    const usable =
      sliceGroups === 1
        ? { sequence, isArithmetic, hasFieldOrder, listed, isWeighted, isWeightedTwice, hasDeblocking, hasRedundant } // prettier-ignore
        : null;
    this.#pictures.set(number, usable);
  }
}
