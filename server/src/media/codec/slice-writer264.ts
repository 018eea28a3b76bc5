/** Writes a slice of H.264 with another header (ITU-T H.264, 7.3.3); what was coded after it stays bit for bit. */
import { Bits, BitWriter, withEmulationPrevention, withoutEmulationPrevention } from './bits.ts';
import { maxHeaderBytes, type Modification, type Slice } from './slice264.ts';

/** What may be another than it was; `resets`: a picture after which a decoder needs none before it (IDR). */
export type NewHeader = Pick<Slice, 'frameNum' | 'order' | 'lists' | 'forgets'> & {
  readonly resets: boolean;
};

const idr = 5;
const notIdr = 1;

export function rewritten(slice: Slice, header: NewHeader): Buffer {
  const { unit, sets, importance, dataAt } = slice;
  const first = Buffer.from([(importance << 5) | (header.resets ? idr : notIdr)]);
  const out = headerOf(slice, header);
  if (sets.picture.isArithmetic) while (out.at % 8 !== 0) out.put(1, 1);
  if (out.at % 8 === dataAt % 8) return Buffer.concat([first, ...withAlignedData(out, slice)]);
  const payload = withoutEmulationPrevention(unit.subarray(1));
  return Buffer.concat([first, withEmulationPrevention(withShiftedData(out, payload, dataAt))]);
}

function headerOf(slice: Slice, { frameNum, order, lists, forgets, resets }: NewHeader): BitWriter {
  const { sets, first, orderBottom, direct, hasLengths, importance } = slice;
  const payload = withoutEmulationPrevention(slice.unit.subarray(1, maxHeaderBytes));
  const out = new BitWriter();
  for (const number of first) out.unsigned(number);
  out.put(frameNum, sets.frameNumBits);
  if (sets.interlaced) out.flag(false);
  if (resets) out.unsigned(0);
  out.put(order, sets.orderBits);
  if (sets.picture.hasFieldOrder) out.signed(orderBottom);
  if (sets.picture.hasRedundant) out.unsigned(0);
  if (direct !== null) out.flag(direct);
  if (lists.length > 0) out.flag(hasLengths);
  if (hasLengths) for (const { length } of lists) out.unsigned(length - 1);
  for (const { modifications } of lists) writeModifications(out, modifications);
  copy(out, payload, slice.weights);
  if (resets) out.put(0, 2);
  else if (importance > 0) writeForgotten(out, forgets);
  copy(out, payload, slice.coding);
  return out;
}

function writeModifications(out: BitWriter, modifications: readonly Modification[] | null): void {
  out.flag(modifications !== null);
  if (!modifications) return;
  for (const { isForward, distance } of modifications) {
    out.unsigned(isForward ? 1 : 0);
    out.unsigned(distance - 1);
  }
  out.unsigned(3);
}

function writeForgotten(out: BitWriter, forgets: readonly number[] | null): void {
  out.flag(forgets !== null);
  if (!forgets) return;
  for (const distance of forgets) {
    out.unsigned(1);
    out.unsigned(distance - 1);
  }
  out.unsigned(0);
}

function copy(out: BitWriter, payload: Uint8Array, [from, until]: readonly [number, number]): void {
  const bits = new Bits(payload, true);
  bits.skip(from);
  out.copy(bits, until - from);
}

/** The data keeps its place within bytes: all but its first bytes are copied as they were sent. */
function withAlignedData(out: BitWriter, { unit, dataAt }: Slice): readonly Uint8Array[] {
  const sent = unit.subarray(1);
  // A header, and then as many zeros as no encoder writes one after another.
  const payload = withoutEmulationPrevention(sent.subarray(0, 2 * maxHeaderBytes));
  const bits = new Bits(payload, true);
  bits.skip(dataAt);
  while (bits.at % 8 !== 0) out.flag(bits.flag());
  // What follows a byte that isn't zero needs the same emulation prevention as before.
  let end = bits.at / 8;
  while (end < payload.length) {
    const byte = payload[end++]!;
    out.put(byte, 8);
    if (byte !== 0) break;
  }
  return [withEmulationPrevention(out.bytes()), sent.subarray(sentBytes(sent, end))];
}

/** How many bytes are sent for the first bytes of a payload. */
function sentBytes(sent: Uint8Array, payloadBytes: number): number {
  let zeros = 0;
  let left = payloadBytes;
  for (let at = 0; at < sent.length; at++) {
    const byte = sent[at]!;
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    if (left === 0) return at;
    left -= 1;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return sent.length;
}

/** Up to the last bit that is set, which ends the data. */
function withShiftedData(out: BitWriter, payload: Uint8Array, dataAt: number): Buffer {
  let end = payload.length;
  while (end > 0 && payload[end - 1] === 0) end -= 1;
  const bits = new Bits(payload.subarray(0, end), true);
  bits.skip(dataAt);
  while (out.at % 8 !== 0) out.flag(bits.flag());
  const head = out.bytes();
  const rest = Buffer.alloc(Math.max(0, end - (bits.at >> 3)));
  const right = 8 - (bits.at % 8);
  for (let at = 0, from = bits.at >> 3; at < rest.length; at++, from++)
    rest[at] = (((payload[from]! << 8) | (payload[from + 1] ?? 0)) >> right) & 255;
  const all = Buffer.concat([head, rest]);
  return rest.at(-1) === 0 ? all.subarray(0, -1) : all;
}
