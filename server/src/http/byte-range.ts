/** One file, whole or a range of its bytes (RFC 9110, section 14). The answer to several ranges is the whole file. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#lib/problem.ts';
import { attachment } from './attachment.ts';

export interface ByteRange {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}

/** Null: the whole file is requested. Throws range_invalid for a range that holds no byte of the file. */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | null {
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (!asked) return null;
  const [, from = '', to = ''] = asked;
  if (from === '' && to === '') return null;
  const first = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (first > last || first >= bytes) throw new Problem('range_invalid');
  return { first, last };
}

export interface SentFile {
  /** Its bytes from `from` up to `until`; they may end early where the file does. */
  readonly pieces: (from: number, until: number) => AsyncIterable<Buffer>;
  /** The number of bytes that belong to the answer; later ones of the file do not. */
  readonly bytes: number;
  /** The file's name for a client that saves it. */
  readonly name: string;
  /** Changes the bytes while they are sent; `at` is where they begin in the file. */
  readonly through?: (bytes: Readable, at: number) => Readable;
}

/** The requested part of the file; sets the headers that describe it. */
export function readFile(request: FastifyRequest, reply: FastifyReply, file: SentFile): Readable {
  const { pieces, bytes, name, through = (whole) => whole } = file;
  let range: ByteRange | null;
  try {
    range = rangeOf(request.headers.range, bytes);
  } catch (error) {
    void reply.header('content-range', `bytes */${bytes}`);
    throw error;
  }
  const { first, last } = range ?? { first: 0, last: bytes - 1 };
  if (range) void reply.code(206).header('content-range', `bytes ${first}-${last}/${bytes}`);
  void reply
    .header('accept-ranges', 'bytes')
    .header('content-disposition', attachment(name))
    .header('content-length', last - first + 1);
  const wanted = Readable.from(pieces(first, last + 1), { objectMode: false });
  return through(wanted, first);
}
