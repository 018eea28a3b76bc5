/**
 * Vectors of one pack in one memory, searched exactly. Rows are written, replaced and removed in place; the last row
 * takes the place of a removed one. A vector of 128 numbers takes 656 bytes (512 for the vector, 144 for its short
 * form), and about 20 for its owner.
 */
import {
  createScan,
  maxDimensions,
  shortenProbe,
  shortenRow,
  shortFormBytes,
  stepDimensions,
  type Scan,
} from './scan.ts';

/** An identity whose vectors are here. */
interface Owner {
  readonly identityId: string;
  /** The numbers of its rows, in no order. */
  readonly rows: number[];
}

/** The nearest vector of one identity; Euclidean distance, 0 is the same picture. */
export interface Nearest {
  readonly identityId: string;
  readonly distance: number;
}

/** Whether a vector of this identity at this squared distance counts. */
export type Counts = (identityId: string, squared: number) => boolean;

/** Memory grows by this many rows: first their short forms side by side, then their vectors. */
const blockRows = 1024;
const pageBytes = 65_536;
/** The most that 32-bit addresses reach: 6.5 million vectors of 128 numbers, 1.6 million of 512. */
const maxPages = 65_536;

export class Rows {
  readonly dimensions: number;
  readonly #width: number;
  readonly #shortBytes: number;
  readonly #blockBytes: number;
  /** Where the first block begins: after the probe's codes. */
  readonly #start: number;
  /** Public for a test to read only. */
  readonly memory = new WebAssembly.Memory({ initial: 1, maximum: maxPages });
  readonly #scan: Scan;
  readonly #owners = new Map<string, Owner>();
  readonly #ownerOf: Owner[] = [];
  #bytes = new Int8Array(this.memory.buffer);
  #numbers = new Float32Array(this.memory.buffer);
  #integers = new Int32Array(this.memory.buffer);

  constructor(dimensions: number) {
    if (dimensions > maxDimensions) throw new RangeError(`vectors of ${dimensions} numbers`);
    this.dimensions = dimensions;
    this.#width = Math.ceil(dimensions / stepDimensions) * stepDimensions;
    this.#shortBytes = shortFormBytes(this.#width);
    this.#blockBytes = blockRows * (this.#shortBytes + 4 * this.#width);
    this.#start = 2 * this.#width;
    this.#scan = createScan(this.#width, this.memory);
  }

  /** How many vectors. */
  get size(): number {
    return this.#ownerOf.length;
  }

  /** The size of the memory they lie in. */
  get bytes(): number {
    return this.memory.buffer.byteLength;
  }

  /** Replaces the vectors of an identity; without any it is forgotten. */
  replace(identityId: string, vectors: readonly Float32Array[]): void {
    if (vectors.some(({ length }) => length !== this.dimensions)) {
      throw new RangeError('vectors of different packs do not compare');
    }
    const owner = this.#owners.get(identityId) ?? { identityId, rows: [] };
    while (owner.rows.length > vectors.length) this.#remove(owner.rows.pop()!);
    while (owner.rows.length < vectors.length) owner.rows.push(this.#add(owner));
    vectors.forEach((vector, i) => this.#write(owner.rows[i]!, vector));
    if (vectors.length === 0) this.#owners.delete(identityId);
    else this.#owners.set(identityId, owner);
  }

  /**
   * Returns an identity's vectors in the order in which `replace` was given them; they change with the next
   * `replace`.
   */
  vectorsOf(identityId: string): Float32Array[] {
    const owner = this.#owners.get(identityId);
    return (owner?.rows ?? []).map((row) => {
      const at = this.#vectorAt(row);
      return this.#numbers.subarray(at, at + this.dimensions);
    });
  }

  /**
   * Returns the `k` nearest identities, nearest first, each by its own nearest vector that counts; of two at the same
   * distance the one whose id comes first. Exact. A probe that contains NaN has no nearest identity.
   */
  nearest(probe: Float32Array, k: number, counts?: Counts): Nearest[] {
    if (probe.length !== this.dimensions) {
      throw new RangeError('vectors of different packs do not compare');
    }
    const shortForm = shortenProbe(probe, new Int16Array(this.memory.buffer, 0, this.dimensions));
    const twiceScale = 2 * shortForm.scale;
    const square = shortForm.scale ** 2 * shortForm.square;
    const best = new Best(k);
    for (let first = 0; first < this.size && k > 0; first += blockRows) {
      const end = this.#shortAt(Math.min(first + blockRows, this.size) - 1) + this.#shortBytes;
      let at = this.#shortAt(first);
      for (;;) {
        const reach = Math.sqrt(best.limit) + shortForm.error;
        at = this.#scan(at, end, reach, twiceScale, square);
        if (at >= end) break;
        const row = first + (at - this.#shortAt(first)) / this.#shortBytes;
        const squared = squaredDistance(probe, this.#numbers, this.#vectorAt(row));
        const { identityId } = this.#ownerOf[row]!;
        if (squared <= best.limit && (counts?.(identityId, squared) ?? true)) {
          best.offer(identityId, squared);
        }
        at += this.#shortBytes;
      }
    }
    return best.all();
  }

  #add(owner: Owner): number {
    const row = this.size;
    const bytes = this.#start + Math.ceil((row + 1) / blockRows) * this.#blockBytes;
    if (bytes > this.bytes) this.#grow(bytes);
    this.#ownerOf.push(owner);
    return row;
  }

  #grow(bytes: number): void {
    this.memory.grow(Math.ceil((bytes - this.bytes) / pageBytes));
    this.#bytes = new Int8Array(this.memory.buffer);
    this.#numbers = new Float32Array(this.memory.buffer);
    this.#integers = new Int32Array(this.memory.buffer);
  }

  #write(row: number, vector: Float32Array): void {
    const at = this.#shortAt(row);
    const codes = this.#bytes.subarray(at, at + this.dimensions);
    const { scale, square, error } = shortenRow(vector, codes);
    const tail = (at + this.#width) / 4;
    this.#numbers[tail] = scale;
    this.#integers[tail + 1] = square;
    this.#numbers[tail + 2] = error;
    this.#numbers.set(vector, this.#vectorAt(row));
  }

  /** Clears the row: erasing a person reaches this memory too. */
  #remove(row: number): void {
    const last = this.size - 1;
    const [at, lastAt] = [this.#shortAt(row), this.#shortAt(last)];
    const [vectorAt, lastVectorAt] = [this.#vectorAt(row), this.#vectorAt(last)];
    this.#bytes
      .copyWithin(at, lastAt, lastAt + this.#shortBytes)
      .fill(0, lastAt, lastAt + this.#shortBytes);
    this.#numbers.copyWithin(vectorAt, lastVectorAt, lastVectorAt + this.#width);
    this.#numbers.fill(0, lastVectorAt, lastVectorAt + this.#width);
    const moved = this.#ownerOf.pop()!;
    if (row === last) return;
    this.#ownerOf[row] = moved;
    moved.rows[moved.rows.indexOf(last)] = row;
  }

  /** The address in bytes. */
  #shortAt(row: number): number {
    const block = Math.floor(row / blockRows);
    return this.#start + block * this.#blockBytes + (row % blockRows) * this.#shortBytes;
  }

  /** The index in numbers of four bytes. */
  #vectorAt(row: number): number {
    const block = Math.floor(row / blockRows);
    const vectors = this.#start + block * this.#blockBytes + blockRows * this.#shortBytes;
    return vectors / 4 + (row % blockRows) * this.#width;
  }
}

/** The `k` nearest so far, in order. */
class Best {
  readonly #k: number;
  readonly #sorted: { readonly identityId: string; readonly squared: number }[] = [];

  constructor(k: number) {
    this.#k = k;
  }

  /** Anything further away cannot be among them any more. */
  get limit(): number {
    return this.#sorted.length < this.#k ? Infinity : this.#sorted.at(-1)!.squared;
  }

  /** Called for few of many rows, so that walking through the list costs little. */
  offer(identityId: string, squared: number): void {
    const known = this.#sorted.findIndex((one) => one.identityId === identityId);
    if (known >= 0 && this.#sorted[known]!.squared <= squared) return;
    if (known >= 0) this.#sorted.splice(known, 1);
    const place = this.#sorted.findIndex(
      (one) => squared < one.squared || (squared === one.squared && identityId < one.identityId),
    );
    this.#sorted.splice(place < 0 ? this.#sorted.length : place, 0, { identityId, squared });
    if (this.#sorted.length > this.#k) this.#sorted.pop();
  }

  all(): Nearest[] {
    return this.#sorted.map(({ identityId, squared }) => ({
      identityId,
      distance: Math.sqrt(squared),
    }));
  }
}

/**
 * Returns the squared distance between the probe and the vector that begins at `start`. Four sums: the additions of
 * one do not wait for the others.
 */
export function squaredDistance(probe: Float32Array, numbers: Float32Array, start: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  const last = probe.length - (probe.length % 4);
  for (let i = 0; i < last; i += 4) {
    a += (probe[i]! - numbers[start + i]!) ** 2;
    b += (probe[i + 1]! - numbers[start + i + 1]!) ** 2;
    c += (probe[i + 2]! - numbers[start + i + 2]!) ** 2;
    d += (probe[i + 3]! - numbers[start + i + 3]!) ** 2;
  }
  for (let i = last; i < probe.length; i += 1) a += (probe[i]! - numbers[start + i]!) ** 2;
  return a + b + c + d;
}
