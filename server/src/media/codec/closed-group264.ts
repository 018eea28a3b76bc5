/**
 * Closes an open group of pictures of H.264: its key picture becomes one that resets a decoder (IDR), and those after
 * the leading pictures, which are left out, no longer name any that came before. Encoders with B-pyramids (x264: by
 * default) name them to let them be forgotten, and Chromium gives up at a picture that it does not have. Headers of
 * slices alone are written anew: what is shown stays bit for bit.
 */
import { isRecoveryPoint, unitsOf } from './h264.ts';
import { modulo, References } from './references264.ts';
import { sliceOf, type Slice } from './slice264.ts';
import { SliceParameters } from './slice-sets264.ts';
import { rewritten } from './slice-writer264.ts';

const sliceType = 1;
/** Slices in parts, and pictures that reset a decoder. */
const otherSlices = [2, 3, 4, 5];
const informationType = 6;

interface Unit {
  readonly bytes: Buffer;
  /** Null for what is no part of a picture. */
  readonly slice: Slice | null;
}

interface Picture {
  readonly units: readonly Unit[];
  readonly first: Slice;
}

/** The key picture of the group that has begun. */
interface Group {
  readonly picture: Picture;
  readonly references: References;
  readonly keepsNumbers: boolean;
}

export class ClosedGroup264 {
  readonly #parameters = new SliceParameters();
  #group: Group | null = null;
  /** Pictures left out of the group that others referred to: those after them have numbers that are so much lower. */
  #leftOut = 0;

  /** `sets`: the parameter sets in the description of the stream. */
  constructor(sets: readonly Uint8Array[]) {
    for (const set of sets) this.#parameters.add(set);
  }

  /**
   * Begins a group with a picture whose NAL units have lengths before them. Returns that picture as it is now; null
   * where the group is not one that can be closed so. `keepsNumbers`: the pictures after the leading ones keep the
   * numbers that they have, so that those of later groups can follow unchanged. The key picture then resets no decoder,
   * and is as it will be (`key`) once all leading pictures have been left out.
   */
  begin(picture: Buffer, { keepsNumbers = false } = {}): Buffer | null {
    this.#group = null;
    this.#leftOut = 0;
    const read = this.#read(picture);
    if (!read || !isRecovery(read) || read.first.importance === 0) return null;
    this.#group = { picture: read, references: new References(read.first), keepsNumbers };
    return this.key;
  }

  /** The key picture of the group that has begun. */
  get key(): Buffer | null {
    if (!this.#group) return null;
    const { picture, keepsNumbers: keeps } = this.#group;
    const { first: key, units } = picture;
    const numbers = 2 ** key.sets.frameNumBits;
    // It comes right before the first picture after the leading ones.
    const frameNum = keeps ? modulo(key.frameNum + this.#leftOut, numbers) : 0;
    const order = keeps ? key.order : orderIn(key, key);
    const header = { frameNum, order, lists: [], forgets: null, resets: !keeps };
    return framed(
      units.filter(({ bytes }) => keeps || !isMark(bytes)),
      (slice) => rewritten(slice, header),
    );
  }

  /**
   * Whether a picture that keeps its number can follow unchanged: of those before, it can name only such as have the
   * number that the camera gave them. `isKey`: it begins a group itself.
   */
  isOver(isKey: boolean): boolean {
    const { references, picture } = this.#group!;
    const shift = picture.first.frameNum + this.#leftOut;
    return references.areAsSent(shift, isKey);
  }

  /** Leaves a picture out. False: it can't be read, and what follows it can't be closed. */
  leaveOut(picture: Buffer): boolean {
    const read = this.#group && this.#read(picture);
    if (!this.#group || !read) return false;
    if (read.first.importance === 0) return true;
    this.#group.references.add(read.first, null);
    this.#leftOut += 1;
    return true;
  }

  /** Returns a later picture as it is in the closed group; null: it can't be read, and what follows it can't be closed. */
  next(picture: Buffer): Buffer | null {
    const read = this.#group && this.#read(picture);
    if (!this.#group || !read) return null;
    const { references, keepsNumbers, picture: begin } = this.#group;
    const { first: key } = begin;
    const { first, units } = read;
    const numbers = 2 ** first.sets.frameNumBits;
    // Numbers and orders in the group: distances are the same whatever the key picture counts from.
    const number = modulo(first.frameNum - key.frameNum - this.#leftOut, numbers);
    const order = keepsNumbers ? first.order : orderIn(first, key);
    const forgets = references.forgotten(first, number);
    const frameNum = keepsNumbers ? first.frameNum : number;
    const header = { frameNum, order, forgets, resets: false };
    const written = framed(units, (slice) =>
      rewritten(slice, { ...header, lists: references.lists(slice, number) }),
    );
    if (first.importance > 0) references.add(first, number);
    return written;
  }

  #read(picture: Buffer): Picture | null {
    const units: Unit[] = [];
    let [first, length]: [Slice | null, number] = [null, 0];
    for (const bytes of unitsOf(picture, true)) {
      const type = typeOf(bytes);
      if (otherSlices.includes(type)) return null;
      this.#parameters.add(bytes);
      const slice = type === sliceType ? sliceOf(bytes, this.#parameters) : null;
      if (type === sliceType && !slice) return null;
      first ??= slice;
      length += lengthBytes + bytes.length;
      units.push({ bytes, slice });
    }
    return first && length === picture.length ? { units, first } : null;
  }
}

const lengthBytes = 4;
const typeOf = (unit: Buffer): number => (unit[0] ?? 0) & 31;
const isMark = (unit: Buffer): boolean => typeOf(unit) === informationType && isRecoveryPoint(unit);

/** Whether pictures after it need none before it: only then may those be forgotten. */
const isRecovery = ({ units }: Picture): boolean =>
  units.some(({ bytes }) => isMark(bytes)) &&
  units.every(({ slice }) => slice === null || slice.kind === 'I');

/** When the picture is shown, if the earlier field of the key picture is shown at 0. */
const orderIn = ({ order, sets }: Slice, key: Slice): number =>
  modulo(order - key.order - Math.min(0, key.orderBottom), 2 ** sets.orderBits);

function framed(units: readonly Unit[], written: (slice: Slice) => Buffer): Buffer {
  const pieces = units.flatMap(({ bytes, slice }) => {
    const unit = slice ? written(slice) : bytes;
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE(unit.length);
    return [length, unit];
  });
  return Buffer.concat(pieces);
}
