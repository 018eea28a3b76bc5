/**
 * Reads and writes bits of a NAL unit of H.264 or H.265 (ITU-T H.264 7.2, 7.4.1 and 9.1); behind its end there are
 * zeros.
 */
export class Bits {
  readonly #bytes: Uint8Array;
  #at = 0;

  /** `unit`: a NAL unit as it is sent, with its emulation prevention bytes; `isPayload`: they were taken out. */
  constructor(unit: Uint8Array, isPayload = false) {
    this.#bytes = isPayload ? unit : withoutEmulationPrevention(unit);
  }

  /** The number of bits that were read. */
  get at(): number {
    return this.#at;
  }

  /** Whether more was read than there is. */
  get isOver(): boolean {
    return this.#at > this.#bytes.length * 8;
  }

  skip(bits: number): void {
    this.#at += bits;
  }

  /** Up to 32 bits, the highest first. */
  take(bits: number): number {
    let value = 0;
    for (let left = bits; left > 0; left--) {
      const byte = this.#bytes[this.#at >> 3] ?? 0;
      value = value * 2 + ((byte >> (7 - (this.#at & 7))) & 1);
      this.#at += 1;
    }
    return value;
  }

  flag(): boolean {
    return this.take(1) === 1;
  }

  /** ue(v). */
  unsigned(): number {
    let zeros = 0;
    while (zeros < 32 && this.take(1) === 0) zeros += 1;
    return 2 ** zeros - 1 + this.take(zeros);
  }

  /** se(v). */
  signed(): number {
    const coded = this.unsigned();
    return coded % 2 === 1 ? (coded + 1) / 2 : -coded / 2;
  }
}

/** What a NAL unit says, without the bytes that keep start codes out of it. */
export function withoutEmulationPrevention(unit: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(unit.length);
  let length = 0;
  let zeros = 0;
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    bytes[length++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return bytes.subarray(0, length);
}

/** Keeps start codes out of what a NAL unit says. */
export function withEmulationPrevention(payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(payload.length + (payload.length >> 1) + 1);
  let length = 0;
  let zeros = 0;
  for (const byte of payload) {
    if (zeros >= 2 && byte <= 3) {
      bytes[length++] = 3;
      zeros = 0;
    }
    bytes[length++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return bytes.subarray(0, length);
}

export class BitWriter {
  readonly #bytes: number[] = [];
  /** Bits that were written. */
  #at = 0;

  get at(): number {
    return this.#at;
  }

  /** Up to 32 bits, the highest first. */
  put(value: number, bits: number): void {
    for (let left = bits - 1; left >= 0; left--) {
      if ((this.#at & 7) === 0) this.#bytes.push(0);
      if (Math.floor(value / 2 ** left) % 2 === 1)
        this.#bytes[this.#bytes.length - 1]! |= 0x80 >> (this.#at & 7);
      this.#at += 1;
    }
  }

  flag(value: boolean): void {
    this.put(value ? 1 : 0, 1);
  }

  /** ue(v). */
  unsigned(value: number): void {
    const zeros = 31 - Math.clz32(value + 1);
    this.put(0, zeros);
    this.put(value + 1, zeros + 1);
  }

  /** se(v). */
  signed(value: number): void {
    this.unsigned(value > 0 ? 2 * value - 1 : -2 * value);
  }

  copy(bits: Bits, count: number): void {
    for (let left = count; left > 0; left -= 32) {
      const some = Math.min(32, left);
      this.put(bits.take(some), some);
    }
  }

  bytes(): Buffer {
    return Buffer.from(this.#bytes);
  }
}
