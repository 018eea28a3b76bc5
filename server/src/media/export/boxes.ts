/** Writing ISO base media boxes (ISO/IEC 14496-12). */

export function box(kind: string, ...content: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.reduce((sum, { length }) => sum + length, 8));
  head.write(kind, 4, 'latin1');
  return Buffer.concat([head, ...content]);
}

/** A box that begins with a version and flags. */
export const fullBox = (
  kind: string,
  version: number,
  flags: number,
  ...content: readonly Uint8Array[]
): Buffer => box(kind, u32((version << 24) | flags), ...content);

export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4);
  return bytes;
}

export function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

/** The children of a container's content: kind, and the whole box. */
export function* childrenOf(
  content: Buffer,
): Generator<{ readonly kind: string; readonly whole: Buffer }> {
  for (let at = 0; at + 8 <= content.length;) {
    const size = content.readUInt32BE(at);
    if (size < 8 || at + size > content.length) return;
    yield {
      kind: content.toString('latin1', at + 4, at + 8),
      whole: content.subarray(at, at + size),
    };
    at += size;
  }
}
