/** Checksums of model files, which tell whole files from damaged ones and new ones from old ones. */
import { createHash } from 'node:crypto';
import { hashFile } from '#lib/hash-file.ts';

/** Reads the file piece by piece, so that it is never in memory as a whole. */
export async function sha256OfFile(path: string): Promise<string> {
  const { sha256: hash } = await hashFile(path);
  return hash.toString('hex');
}

export function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
