/**
 * The units of one picture while it arrives, whole or in pieces. They are copied: what a camera sends comes into memory
 * that is used again.
 */

const startCode = Buffer.from([0, 0, 0, 1]);
/** Larger than a picture of 8K; a camera that sends more lies (C-515). */
const maxBytes = 16 * 1024 * 1024;
const firstBytes = 64 * 1024;

export class NalBuffer {
  /** Grows to the largest picture there was. */
  #memory = Buffer.allocUnsafe(firstBytes);
  #bytes = 0;
  /** Where the unit that is not yet whole begins; null when there is none. */
  #open: number | null = null;
  #isTooMuch = false;

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Whether a unit is not yet whole. */
  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** False when there is more than any picture has. */
  get isBelievable(): boolean {
    return !this.#isTooMuch;
  }

  add(unit: Buffer): void {
    this.abandon();
    this.#push(startCode);
    this.#push(unit);
  }

  /** A unit comes in pieces; `head` are its first bytes. */
  begin(head: Buffer): void {
    this.abandon();
    this.#open = this.#bytes;
    this.#push(startCode);
    this.#push(head);
  }

  /** A further piece; of no use when the unit's beginning was lost. */
  go(piece: Buffer): void {
    if (this.#open !== null) this.#push(piece);
  }

  end(): void {
    this.#open = null;
  }

  /** The unit that is not whole never will be. */
  abandon(): void {
    if (this.#open === null) return;
    this.#bytes = this.#open;
    this.#open = null;
  }

  /** All that is whole, with start codes; nothing is left. */
  take(): Buffer {
    this.abandon();
    const data = Buffer.from(this.#memory.subarray(0, this.#bytes));
    this.#bytes = 0;
    return data;
  }

  #push(piece: Buffer): void {
    const end = this.#bytes + piece.length;
    if (end > maxBytes) {
      this.#isTooMuch = true;
      return;
    }
    if (end > this.#memory.length) this.#grow(end);
    this.#memory.set(piece, this.#bytes);
    this.#bytes = end;
  }

  #grow(bytes: number): void {
    const before = this.#memory;
    this.#memory = Buffer.allocUnsafe(Math.max(bytes, 2 * before.length));
    this.#memory.set(before.subarray(0, this.#bytes));
  }
}
