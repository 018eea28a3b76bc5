/** Cuts a file that is read piece by piece where its boxes (ISO/IEC 14496-12) and its fragments end. */

/** A key picture of 8K is smaller. */
const maxUnitBytes = 256 * 1024 * 1024;

/** The kind of a fragment's first box, as a number: it is compared for each picture. */
const moof = Buffer.from('moof').readUInt32BE(0);

export const kindOf = (box: Buffer): string => box.toString('latin1', 4, 8);

/** Puts pieces together to whole boxes, and the boxes of a fragment to one. */
export class Units {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #wanted = 8;
  isBroken = false;

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  /** Null: the next one is not there as a whole. */
  next(): Buffer | null {
    while (!this.isBroken && this.#bytes >= this.#wanted) {
      const data = this.#joined();
      const length = lengthOf(data);
      if (length === null || length > maxUnitBytes) this.isBroken = true;
      else if (length > this.#bytes || length > this.#wanted) this.#wanted = length;
      else return this.#cut(data, length);
    }
    return null;
  }

  #joined(): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0]!;
  }

  #cut(data: Buffer, length: number): Buffer {
    this.#pieces = [data.subarray(length)];
    this.#bytes -= length;
    this.#wanted = 8;
    return data.subarray(0, length);
  }
}

/** How long the next unit is, or how much of it has to be there to tell; null: no box begins here. */
function lengthOf(data: Buffer): number | null {
  const box = data.readUInt32BE(0);
  if (box < 8) return null;
  if (data.readUInt32BE(4) !== moof) return box;
  return data.length < box + 8 ? box + 8 : box + data.readUInt32BE(box);
}
