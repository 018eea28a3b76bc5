/**
 * The parts of a `multipart/x-mixed-replace` stream (RFC 2046, 5.1), which arrive in pieces of any size. Each part
 * says how long it is, as the server's do: nothing is searched in the bytes of a picture.
 */
export interface Part {
  /** As its head says: `image/jpeg`. */
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What arrives is no such stream. */
export class MultipartFault extends Error {}

/** A picture of 1280x720 has 0.1 to 0.4 MB; the bound keeps a broken length from taking the tab's memory. */
const mostPartBytes = 8 * 1024 * 1024;
const mostLineBytes = 1024;
const mostHeadLines = 16;

/** The boundary that a content type names; null where it is no such stream. */
export function boundaryOf(contentType: string | null): string | null {
  const [type = '', ...parameters] = (contentType ?? '').split(';');
  if (type.trim().toLowerCase() !== 'multipart/x-mixed-replace') return null;
  const named = parameters.map((text) => /^\s*boundary="?([^"]+)"?\s*$/i.exec(text)?.[1]?.trim());
  return named.find((text) => text !== undefined && text !== '') ?? null;
}

const newline = 10;

export class MultipartParser {
  readonly #delimiter: string;
  /** What has come so far of the line that is being read. */
  #line = '';
  /** The fields of the head at hand; null between a part and the next delimiter. */
  #head: Map<string, string> | null = null;
  #body: Uint8Array<ArrayBuffer> | null = null;
  #filled = 0;
  #isClosed = false;

  constructor(boundary: string) {
    this.#delimiter = `--${boundary}`;
  }

  /** The sender said that no more parts follow; a stream that breaks off says nothing. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The parts that these bytes complete. Throws MultipartFault. */
  push(bytes: Uint8Array): Part[] {
    const parts: Part[] = [];
    for (let at = 0; at < bytes.length && !this.#isClosed;) {
      at =
        this.#body === null ? this.#readLine(bytes, at) : this.#fill(this.#body, bytes, at, parts);
    }
    return parts;
  }

  #fill(body: Uint8Array<ArrayBuffer>, bytes: Uint8Array, from: number, parts: Part[]): number {
    const piece = bytes.subarray(from, from + body.length - this.#filled);
    body.set(piece, this.#filled);
    this.#filled += piece.length;
    if (this.#filled === body.length) {
      parts.push({ type: this.#head?.get('content-type') ?? '', bytes: body });
      this.#body = null;
      this.#head = null;
    }
    return from + piece.length;
  }

  #readLine(bytes: Uint8Array, from: number): number {
    const end = bytes.indexOf(newline, from);
    const piece = bytes.subarray(from, end === -1 ? bytes.length : end);
    this.#line += String.fromCharCode(...piece.subarray(0, mostLineBytes + 1));
    if (this.#line.length > mostLineBytes) throw new MultipartFault('a line without an end');
    if (end === -1) return bytes.length;
    const line = this.#line.trimEnd();
    this.#line = '';
    this.#take(line);
    return end + 1;
  }

  #take(line: string): void {
    if (line === `${this.#delimiter}--`) this.#isClosed = true;
    else if (this.#head !== null) this.#takeHeadLine(this.#head, line);
    else if (line === this.#delimiter) this.#head = new Map();
    else if (line !== '') throw new MultipartFault('something else in place of a delimiter');
  }

  #takeHeadLine(head: Map<string, string>, line: string): void {
    if (line === '') {
      this.#beginBody(head);
      return;
    }
    const [name = '', ...value] = line.split(':');
    head.set(name.toLowerCase(), value.join(':').trim());
    if (head.size > mostHeadLines) throw new MultipartFault('a head without an end');
  }

  #beginBody(head: ReadonlyMap<string, string>): void {
    const length = Number(head.get('content-length') ?? Number.NaN);
    if (!Number.isInteger(length) || length < 1 || length > mostPartBytes) {
      throw new MultipartFault('a part without a usable length');
    }
    this.#body = new Uint8Array(length);
    this.#filled = 0;
  }
}
