/** Vectors as bytes: float32, little endian, the byte order of every machine this runs on. */

/** Not a copy. */
export function vectorBytes(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** A copy, because bytes taken from a message need not be aligned to four. */
export function vectorOf(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}
