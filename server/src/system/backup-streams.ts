/** What a backup's files pass on their way. */
import { createHash, type Hash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

/** SHA-256 and length of what passes. */
export class Hashing extends Transform {
  bytes = 0;
  readonly #hash: Hash = createHash('sha256');

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    this.#hash.update(chunk);
    done(null, chunk);
  }

  /** Hexadecimal; once. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');
