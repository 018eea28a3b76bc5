/**
 * Reads the parts of `multipart/x-mixed-replace`, as MJPEG cameras send them, in any chunks. They are bounded, because
 * cameras send wrong lengths and forget boundaries.
 */
const maxHeadBytes = 16 * 1024;
const maxPartBytes = 8 * 1024 * 1024;
const maxBoundaryChars = 70;
const headEnd = Buffer.from('\r\n\r\n');
const nothing = Buffer.alloc(0);

/** The boundary of that content type; null when it is another type or has none. */
export function boundaryOf(contentType: string): string | null {
  if (!/^multipart\/(x-mixed-replace|mixed)/i.test(contentType)) return null;
  const said = /boundary="?([^";]+)"?/i.exec(contentType)?.[1]?.trim() ?? '';
  // Some cameras write the two dashes into the parameter, others do not.
  const boundary = said.replace(/^--/, '');
  return boundary && boundary.length <= maxBoundaryChars ? boundary : null;
}

/** The stream is malformed: the connection must end. */
export class MultipartFault extends Error {
  override readonly name = 'MultipartFault';
}

export class MultipartReader {
  readonly #delimiter: Buffer;
  readonly #unread = new Unread();
  /** Length of the part, when its head said it; null otherwise. */
  #partBytes: number | null = null;
  #inPart = false;
  /** Bytes of this part that were searched and hold no boundary. */
  #searchedBytes = 0;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`--${boundary}`);
  }

  /** Returns the parts that are complete now. */
  push(chunk: Buffer): Buffer[] {
    this.#unread.append(chunk);
    const parts: Buffer[] = [];
    for (;;) {
      const part = this.#inPart ? this.#takePart() : this.#takeHead();
      if (part === null) break;
      if (part.length > 0) parts.push(part);
    }
    if (this.#unread.bytes.length > (this.#inPart ? maxPartBytes : maxHeadBytes)) {
      throw new MultipartFault('a part has no end');
    }
    return parts;
  }

  /** Null when more bytes are needed; an empty buffer when the head was read. */
  #takeHead(): Buffer | null {
    const { bytes } = this.#unread;
    const begin = bytes.indexOf(this.#delimiter);
    if (begin < 0) return null;
    const end = bytes.indexOf(headEnd, begin);
    if (end < 0) return null;
    const head = bytes.toString('latin1', begin, end);
    const said = /^content-length:\s*(\d{1,9})/im.exec(head)?.[1];
    this.#partBytes = said === undefined ? null : Number(said);
    if ((this.#partBytes ?? 0) > maxPartBytes) throw new MultipartFault('a part is too large');
    this.#unread.skip(end + headEnd.length);
    this.#inPart = true;
    this.#searchedBytes = 0;
    return nothing;
  }

  #takePart(): Buffer | null {
    const unread = this.#unread.bytes;
    const bytes = this.#partBytes ?? unread.indexOf(this.#delimiter, this.#searchedBytes);
    if (bytes < 0 || unread.length < bytes) {
      this.#searchedBytes = Math.max(0, unread.length - this.#delimiter.length);
      return null;
    }
    // The part is copied, because it outlives the chunks it came in.
    const part = Buffer.from(unread.subarray(0, bytes));
    this.#unread.skip(bytes);
    this.#inPart = false;
    return part;
  }
}

/**
 * Bytes that were not taken yet. It grows by doubling, so that a large part in small chunks is not copied each time.
 */
class Unread {
  #store: Buffer = Buffer.alloc(64 * 1024);
  #start = 0;
  #end = 0;

  /** Valid until something is appended. */
  get bytes(): Buffer {
    return this.#store.subarray(this.#start, this.#end);
  }

  append(chunk: Buffer): void {
    if (this.#end + chunk.length > this.#store.length) {
      const { bytes } = this;
      const isRoom = bytes.length + chunk.length <= this.#store.length / 2;
      const store = isRoom ? this.#store : Buffer.alloc(2 * (bytes.length + chunk.length));
      bytes.copy(store);
      [this.#store, this.#start, this.#end] = [store, 0, bytes.length];
    }
    chunk.copy(this.#store, this.#end);
    this.#end += chunk.length;
  }

  skip(bytes: number): void {
    this.#start += bytes;
  }
}

/** Width and height from the frame header of a JPEG; null when it is no JPEG. */
export function sizeOfJpeg(jpeg: Buffer): { width: number; height: number } | null {
  if (jpeg.length < 4 || jpeg.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 < jpeg.length && jpeg[at] === 0xff) {
    const marker = jpeg.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: jpeg.readUInt16BE(at + 5), width: jpeg.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + jpeg.readUInt16BE(at + 2);
  }
  return null;
}
