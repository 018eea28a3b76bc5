/** Checksums of model files, which tell whole files from damaged ones and new ones from old ones. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

/** Reads the file piece by piece, so that it is never in memory as a whole. */
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
