/** SHA-256 of a file, read piece by piece, so that memory never holds the whole file. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export interface FileHash {
  readonly bytes: number;
  readonly sha256: Buffer;
}

export interface HashedPart {
  /** Only what comes before that byte. */
  readonly until?: number;
  readonly signal?: AbortSignal;
}

export async function hashFile(
  path: string,
  { until = Infinity, signal }: HashedPart = {},
): Promise<FileHash> {
  const hash = createHash('sha256');
  let bytes = 0;
  // A stream cannot be asked for zero bytes.
  const pieces = until > 0 ? createReadStream(path, { end: until - 1, signal }) : [];
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    bytes += piece.length;
    hash.update(piece);
  }
  return { bytes, sha256: hash.digest() };
}
