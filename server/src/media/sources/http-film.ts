/**
 * A film on an HTTP server, read in parts (RFC 9110, 14) wherever the demuxer wants to: its index may stand at its end,
 * and it begins again when it is over.
 */
import type { IncomingMessage } from 'node:http';
import { IngestFault } from '../protocol/fault.ts';
import { openSeekable, type SeekableBytes } from './byte-source.ts';
import type { Credentials } from './digest.ts';
import { inRealTime } from './file-source.ts';
import { getFrom, isStillFor, type Placed } from './http-get.ts';
import type { Source, SourceContext } from './source.ts';

/** A film of this size is kept in memory where its server sends no parts. */
const maxKeptBytes = 32 * 1024 * 1024;
/** What is so near is read and left out; another request takes longer. */
const nearBytes = 256 * 1024;

/** Whether an MP4 that begins with these bytes has its index (`moov`) behind its pictures (`mdat`). */
export function isIndexAtEnd(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return false;
  for (let at = 0; at + 8 <= bytes.length; at += Math.max(8, bytes.readUInt32BE(at))) {
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (kind === 'moov' || kind === 'moof') return false;
    if (kind === 'mdat') return true;
  }
  return false;
}

/** `placed`: the answer to a request for all of it, of which nothing was read. Throws an IngestFault. */
export async function openFilm(
  placed: Placed,
  credentials: Credentials | null,
  context: SourceContext,
): Promise<Source> {
  const film = new HttpFilm(placed, credentials, context);
  const source = await openSeekable(film, {
    withSound: context.withSound ?? false,
    stop: () => film.stop(),
    why: () => film.fault,
  });
  return inRealTime(source);
}

/** The same from memory, for a server that sends no parts. Throws an IngestFault for what is too large. */
export async function openKept(answer: IncomingMessage, withSound: boolean): Promise<Source> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > maxKeptBytes) break;
  }
  answer.destroy();
  if (bytes > maxKeptBytes) throw new IngestFault('not_streamable', 'its index comes last');
  const film = new KeptFilm(Buffer.concat(pieces));
  const source = await openSeekable(film, { withSound, stop: () => film.stop(), why: () => null });
  return inRealTime(source);
}

/** Whether a film of that size, null where it is not known, may be kept. */
export const mayBeKept = (bytes: number | null): boolean => bytes === null || bytes <= maxKeptBytes;

class KeptFilm implements SeekableBytes {
  readonly #bytes: Buffer;
  #position = 0;
  #isStopped = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get length(): number {
    return this.#bytes.length;
  }

  get position(): number {
    return this.#position;
  }

  seek(position: number): void {
    this.#position = Math.max(0, Math.min(position, this.length));
  }

  read(size: number): Promise<Buffer | null> {
    const piece = this.#bytes.subarray(this.#position, this.#position + size);
    this.#position += piece.length;
    return Promise.resolve(this.#isStopped || piece.length === 0 ? null : piece);
  }

  stop(): void {
    this.#isStopped = true;
  }
}

class HttpFilm implements SeekableBytes {
  readonly length: number;
  readonly #placed: Placed;
  readonly #credentials: Credentials | null;
  readonly #context: SourceContext;
  #answer: IncomingMessage;
  #chunks: AsyncIterator<Buffer>;
  /** What came and was not read yet. */
  #rest: Buffer = Buffer.alloc(0);
  /** Where in the film the rest begins. */
  #cameTo = 0;
  #position = 0;
  #fault: IngestFault | null = null;
  #isStopped = false;

  constructor(placed: Placed, credentials: Credentials | null, context: SourceContext) {
    this.#placed = placed;
    // Credentials are for the host they were given for.
    this.#credentials = isStillFor(placed.url, placed.asked) ? credentials : null;
    this.#context = context;
    this.length = Number(placed.answer.headers['content-length']);
    this.#answer = placed.answer;
    this.#chunks = chunksOf(placed.answer);
  }

  get position(): number {
    return this.#position;
  }

  get fault(): IngestFault | null {
    return this.#fault;
  }

  seek(position: number): void {
    this.#position = Math.max(0, Math.min(position, this.length));
  }

  async read(size: number): Promise<Buffer | null> {
    if (this.#isStopped || this.#position >= this.length) return null;
    const ahead = this.#position - this.#cameTo;
    if (ahead < 0 || ahead > nearBytes + this.#rest.length) await this.#ask(this.#position);
    while (this.#cameTo + this.#rest.length <= this.#position) {
      this.#cameTo += this.#rest.length;
      const next = await this.#chunks.next();
      if (next.done || this.#isStopped) return null;
      this.#rest = next.value;
    }
    this.#drop(this.#position - this.#cameTo);
    const piece = this.#rest.subarray(0, size);
    this.#drop(piece.length);
    this.#position += piece.length;
    return piece;
  }

  stop(): void {
    this.#isStopped = true;
    this.#answer.destroy();
  }

  #drop(bytes: number): void {
    this.#rest = this.#rest.subarray(bytes);
    this.#cameTo += bytes;
  }

  /** Throws an IngestFault when the server sends something else than what begins there. */
  async #ask(from: number): Promise<void> {
    this.#answer.destroy();
    const heads = { range: `bytes=${from}-` };
    const answer = await getFrom(this.#placed.url, this.#credentials, this.#context, heads);
    const begins = /^bytes (\d+)-/.exec(answer.headers['content-range'] ?? '')?.[1];
    if (answer.statusCode !== 206 || begins !== String(from) || this.#isStopped) {
      answer.destroy();
      this.#fault = new IngestFault('not_streamable', 'its server sends no parts');
      throw this.#fault;
    }
    this.#answer = answer;
    this.#chunks = chunksOf(answer);
    this.#rest = Buffer.alloc(0);
    this.#cameTo = from;
  }
}

const chunksOf = (answer: IncomingMessage): AsyncIterator<Buffer> =>
  answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
