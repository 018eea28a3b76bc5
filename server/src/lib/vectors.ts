/** Vectors as bytes: float32, little endian, as every machine this runs on has it. */

/** Not a copy. */
export function vectorBytes(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** A copy, because bytes out of a message need not be aligned to four. */
export function vectorOf(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}
