/** Reads and writes as much of ISO base media boxes (ISO/IEC 14496-12) as fragments and exports need. */

/** The content of the first box at that path, e.g. `['moof', 'traf', 'tfdt']`; null when there is none. */
export function boxAt(data: Buffer, path: readonly string[]): Buffer | null {
  const [wanted, ...rest] = path;
  let at = 0;
  while (at + 8 <= data.length) {
    const size = data.readUInt32BE(at);
    if (size < 8 || at + size > data.length) return null;
    if (data.toString('latin1', at + 4, at + 8) === wanted) {
      const content = data.subarray(at + 8, at + size);
      return rest.length === 0 ? content : boxAt(content, rest);
    }
    at += size;
  }
  return null;
}

/** The bytes between the head of a visual sample entry and its child boxes. */
const visualEntryBytes = 78;

/** The codec string of an initialisation segment, e.g. `avc1.64001f`; null for an unknown codec. */
export function codecOf(init: Buffer): string | null {
  const avcC = h264ConfigurationOf(init);
  if (avcC) return `avc1.${avcC.toString('hex', 1, 4)}`;
  const hvcC = configurationOf(init, 'hvc1', 'hvcC');
  if (hvcC) return hevcName(hvcC);
  // JPEGs one after another, as MPEG-4 systems name them (ISO/IEC 14496-1, object type 0x6c).
  return configurationOf(init, 'mp4v', 'esds') ? 'mp4v.6c' : null;
}

/** Profile and parameter sets (avcC, ISO/IEC 14496-15); null for another codec. */
export const h264ConfigurationOf = (init: Buffer): Buffer | null =>
  configurationOf(init, 'avc1', 'avcC');

function configurationOf(init: Buffer, entry: string, box: string): Buffer | null {
  const descriptions = boxAt(init, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']);
  const content = descriptions && boxAt(descriptions.subarray(8), [entry]);
  return content && boxAt(content.subarray(visualEntryBytes), [box]);
}

/** ISO/IEC 14496-15, annex E: profile, compatibility in reverse bit order, tier and level, constraints. */
function hevcName(hvcC: Buffer): string {
  const [space = 0, level = 0] = [hvcC[1], hvcC[12]];
  let compatibility = 0;
  for (let bit = 0; bit < 32; bit++) {
    if ((hvcC.readUInt32BE(2) >>> bit) & 1) compatibility += 2 ** (31 - bit);
  }
  const profile = `${['', 'A', 'B', 'C'][space >> 6]}${space & 31}`;
  const tier = space & 32 ? 'H' : 'L';
  const constraints = [...hvcC.subarray(6, 12)].map((byte) => byte.toString(16));
  while (constraints.at(-1) === '0') constraints.pop();
  const parts = [profile, compatibility.toString(16), `${tier}${level}`, ...constraints];
  return `hvc1.${parts.join('.')}`;
}

export interface FragmentTime {
  /** Decode time in ticks of the track. */
  readonly decode: number;
  /** Presentation minus decode time of the first picture. */
  readonly offset: number;
  readonly pictures: number;
}

/** The time at which a fragment is shown, as a player computes it. */
export function timeOf(fragment: Buffer): FragmentTime | null {
  const tfdt = boxAt(fragment, ['moof', 'traf', 'tfdt']);
  const trun = boxAt(fragment, ['moof', 'traf', 'trun']);
  if (!tfdt || !trun) return null;
  const decode = tfdt[0] === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4);
  const flags = trun.readUIntBE(1, 3);
  // Optional fields in order: data offset, first sample's flags; per sample: duration, size, flags, offset.
  const head = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
  const before = [0x100, 0x200, 0x400].filter((bit) => flags & bit).length * 4;
  const offset = flags & 0x800 ? trun.readInt32BE(head + before) : 0;
  return { decode, offset, pictures: trun.readUInt32BE(4) };
}

/** Rotation matrices of `tkhd` (16.16 and 2.30 fixed point), clockwise. */
const one = 0x10000;
const turns = {
  90: [0, one, -one, 0],
  180: [-one, 0, 0, -one],
  270: [0, -one, one, 0],
} as const;
const matrixAt = 40;

/** The same segment with a rotation matrix, for cameras that hang on their side. Pictures stay as they are. */
export function turned(init: Buffer, degrees: 0 | 90 | 180 | 270): Buffer {
  if (degrees === 0) return init;
  const copy = Buffer.from(init);
  const tkhd = boxAt(copy, ['moov', 'trak', 'tkhd']);
  if (!tkhd) return copy;
  const longTimes = tkhd[0] === 1 ? 12 : 0;
  const [a, b, c, d] = turns[degrees];
  tkhd.writeInt32BE(a, matrixAt + longTimes);
  tkhd.writeInt32BE(b, matrixAt + longTimes + 4);
  tkhd.writeInt32BE(c, matrixAt + longTimes + 12);
  tkhd.writeInt32BE(d, matrixAt + longTimes + 16);
  return copy;
}

/** By how much a segment asks to be turned clockwise. */
export function rotationOf(init: Buffer): 0 | 90 | 180 | 270 {
  const tkhd = boxAt(init, ['moov', 'trak', 'tkhd']);
  if (!tkhd) return 0;
  const at = matrixAt + (tkhd[0] === 1 ? 12 : 0);
  const [a, b] = [tkhd.readInt32BE(at), tkhd.readInt32BE(at + 4)];
  if (b !== 0) return b > 0 ? 90 : 270;
  return a < 0 ? 180 : 0;
}

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

/** The child boxes in a container's content: the kind and the whole box of each. */
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
