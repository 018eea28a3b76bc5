/**
 * Collects the NAL units of one picture while it arrives, whole or in fragments. They are copied, because the memory
 * that the socket reads into is used again.
 */

const startCode = Buffer.from([0, 0, 0, 1]);
/** Larger than any picture of 8K: more is refused. */
const maxBytes = 16 * 1024 * 1024;
const firstBytes = 64 * 1024;

export class NalBuffer {
  /** Grows to the size of the largest picture so far. */
  #memory = Buffer.allocUnsafe(firstBytes);
  #bytes = 0;
  /** Where the incomplete unit begins; null when there is none. */
  #open: number | null = null;
  #isTooMuch = false;

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Whether a unit is incomplete. */
  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** False when the picture is larger than any can be. */
  get isBelievable(): boolean {
    return !this.#isTooMuch;
  }

  add(unit: Buffer): void {
    this.abandon();
    this.#push(startCode);
    this.#push(unit);
  }

  /** Begins a fragmented unit; `head` are its first bytes. */
  begin(head: Buffer): void {
    this.abandon();
    this.#open = this.#bytes;
    this.#push(startCode);
    this.#push(head);
  }

  /** Adds a fragment; it is dropped when the unit's beginning was lost. */
  go(piece: Buffer): void {
    if (this.#open !== null) this.#push(piece);
  }

  end(): void {
    this.#open = null;
  }

  /** Drops the incomplete unit. */
  abandon(): void {
    if (this.#open === null) return;
    this.#bytes = this.#open;
    this.#open = null;
  }

  /** Returns all complete units with start codes, and empties the buffer. */
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
