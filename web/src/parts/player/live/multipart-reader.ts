/**
 * Takes `multipart/x-mixed-replace` apart into its parts, as they come. Each part of this product's streams says how
 * long it is (Content-Length), so that no part is searched for its end.
 */

const mostHeadBytes = 1024;
/** A JPEG of 3840x2160 has 1 to 4 MiB. */
const mostPartBytes = 16 * 1024 * 1024;
const isMultipart = /^multipart\/x-mixed-replace\b/i;

/** LIVE-023: whether an answer is what was asked for. */
export const isPictureStream = (contentType: string | null): boolean =>
  contentType !== null && isMultipart.test(contentType);

const decoder = new TextDecoder('latin1');

export class MultipartReader {
  #bytes = new Uint8Array(64 * 1024);
  #length = 0;
  /** How long the part is whose head was read; null: a head comes next. */
  #partBytes: number | null = null;

  /** Returns the parts that are now whole, oldest first. Throws on anything that is not such a stream. */
  push(chunk: Uint8Array): Uint8Array<ArrayBuffer>[] {
    this.#add(chunk);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    while (this.#partBytes !== null || this.#readHead()) {
      if (this.#partBytes === null || this.#length < this.#partBytes) break;
      parts.push(this.#bytes.slice(0, this.#partBytes));
      this.#drop(this.#partBytes);
      this.#partBytes = null;
    }
    return parts;
  }

  #add(chunk: Uint8Array): void {
    const length = this.#length + chunk.byteLength;
    if (length > this.#bytes.byteLength) {
      const grown = new Uint8Array(Math.max(length, this.#bytes.byteLength * 2));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
  }

  /** False: the head is not whole yet. */
  #readHead(): boolean {
    const end = this.#headEnd();
    if (end === null) {
      if (this.#length > mostHeadBytes) throw new Error('a part has no head');
      return false;
    }
    const head = decoder.decode(this.#bytes.subarray(0, end));
    const [, digits] = /^content-length:\s*(\d{1,9})\s*$/im.exec(head) ?? [];
    const bytes = Number(digits);
    if (digits === undefined || bytes > mostPartBytes) throw new Error('a part has no length');
    this.#drop(end + 4);
    this.#partBytes = bytes;
    return true;
  }

  /** Where the empty line after a head begins; a boundary and the end of the part before belong to the head. */
  #headEnd(): number | null {
    const bytes = this.#bytes;
    const last = Math.min(this.#length, mostHeadBytes) - 4;
    for (let at = 0; at <= last; at += 1) {
      const isEmptyLine =
        bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10;
      if (isEmptyLine) return at;
    }
    return null;
  }

  #drop(bytes: number): void {
    this.#bytes.copyWithin(0, bytes, this.#length);
    this.#length -= bytes;
  }
}
