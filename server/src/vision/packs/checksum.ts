/** Checksums of model files, which tell a whole one from a damaged one and a new one from an old one. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

/** Piece by piece, so that the file never stands in memory as a whole. */
export function sha256OfFile(path: string): string {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(1024 * 1024);
  const file = openSync(path, 'r');
  try {
    for (let bytes = 1; bytes > 0;) {
      bytes = readSync(file, piece);
      hash.update(piece.subarray(0, bytes));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

export function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
