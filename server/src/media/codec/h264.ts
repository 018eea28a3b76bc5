/**
 * Reads as much of H.264 (ITU-T H.264 annex B, ISO/IEC 14496-15) as an ingest needs: the parameter sets a stream
 * carries. The extradata alone decides whether NAL units are framed by start codes or by lengths: lengths of 256 to
 * 511 bytes look like a start code, so sniffing the data corrupts such streams.
 */
import { Bits } from './bits.ts';

const startCode = Buffer.from([0, 0, 0, 1]);
const shortStartCode = Buffer.from([0, 0, 1]);
const sps = 7;
const pps = 8;
/** The number of a set is within its first bytes. */
const setHeadBytes = 16;

/** Whether NAL units are framed by 4-byte lengths (avcC extradata) instead of start codes. */
export function isLengthFramed(extradata: Buffer | null): boolean {
  return extradata?.[0] === 1;
}

const idr = 5;

/**
 * Whether the picture refreshes the decoder (IDR), so that nothing after it refers to what was before it. A key picture
 * that does not may be followed by pictures that do.
 */
export function isIdr(picture: Buffer, lengthFramed: boolean): boolean {
  for (const [first = 0] of unitsOf(picture, lengthFramed)) {
    const type = first & 31;
    if (type >= 1 && type <= idr) return type === idr;
  }
  return false;
}

/**
 * Whether supplemental information (SEI) says that the picture after it is a recovery point at once, as cameras with
 * intra refresh and open groups of pictures send (ITU-T H.264, D.1.8).
 */
export function isRecoveryPoint(unit: Buffer): boolean {
  const recoveryPoint = 6;
  for (let at = 1; at + 2 < unit.length;) {
    let [type, bytes] = [0, 0];
    while (unit[at] === 255) [type, at] = [type + 255, at + 1];
    type += unit[at++] ?? 0;
    while (unit[at] === 255) [bytes, at] = [bytes + 255, at + 1];
    bytes += unit[at++] ?? 0;
    if (type === recoveryPoint) return ((unit[at] ?? 0) & 0x80) !== 0;
    at += bytes;
  }
  return false;
}

export function unitsOf(data: Buffer, lengthFramed: boolean): Buffer[] {
  return lengthFramed ? unitsByLength(data) : unitsByStartCode(data);
}

function unitsByLength(data: Buffer): Buffer[] {
  const units: Buffer[] = [];
  let at = 0;
  while (at + 4 <= data.length) {
    const end = at + 4 + data.readUInt32BE(at);
    if (end > data.length) break;
    if (end > at + 4) units.push(data.subarray(at + 4, end));
    at = end;
  }
  return units;
}

function unitsByStartCode(data: Buffer): Buffer[] {
  const units: Buffer[] = [];
  let at = data.indexOf(shortStartCode);
  while (at >= 0) {
    const begin = at + 3;
    const next = data.indexOf(shortStartCode, begin);
    let end = next < 0 ? data.length : next;
    // Zeros before a start code belong to it.
    while (end > begin && data[end - 1] === 0) end -= 1;
    if (end > begin) units.push(data.subarray(begin, end));
    at = next;
  }
  return units;
}

/** The same NAL units with a length before each instead of a start code, as in MP4. */
export function lengthFramed(data: Buffer): Buffer {
  const units = unitsByStartCode(data);
  const out = Buffer.allocUnsafe(units.reduce((sum, unit) => sum + 4 + unit.length, 0));
  let at = 0;
  for (const unit of units) {
    at = out.writeUInt32BE(unit.length, at);
    at += unit.copy(out, at);
  }
  return out;
}

/**
 * Parameter sets as extradata. A set that is repeated counts once: cameras, and servers between, repeat theirs now and
 * then without beginning another stream.
 */
export function extradataOf(sets: readonly Buffer[]): Buffer {
  const distinct = new Map(sets.map((set) => [set.toString('latin1'), set]));
  return Buffer.concat([...distinct.values()].flatMap((set) => [startCode, set]));
}

/**
 * Several sets of parameters as one: where two have the same number, the later one. Cameras that use some in turn stay
 * one stream.
 */
export function unitedSets(sets: readonly Buffer[]): Buffer {
  const numbered = new Map<string, Buffer>();
  for (const unit of sets.flatMap((one) => unitsOf(one, false))) {
    const type = (unit[0] ?? 0) & 31;
    const bits = new Bits(unit.subarray(1, setHeadBytes));
    if (type === sps) bits.skip(24);
    numbered.set(`${type} ${bits.unsigned()}`, unit);
  }
  return extradataOf([...numbered.values()].toSorted((a, b) => (a[0]! & 31) - (b[0]! & 31)));
}

/** SPS and PPS as extradata with start codes; null when the packet does not carry both. */
export function parameterSetsOf(packet: Buffer, lengthFramed: boolean): Buffer | null {
  const sets: Buffer[] = [];
  let kinds = 0;
  for (const unit of unitsOf(packet, lengthFramed)) {
    const type = (unit[0] ?? 0) & 31;
    if (type !== sps && type !== pps) {
      if (type >= 1 && type <= 5) break; // Parameter sets stand before the picture.
      continue;
    }
    kinds |= type === sps ? 1 : 2;
    sets.push(unit);
  }
  return kinds === 3 ? extradataOf(sets) : null;
}

/** The parameter sets of a track's extradata in the same form, so that both can be compared. */
export function parameterSetsOfExtradata(extradata: Buffer | null): Buffer | null {
  if (!extradata) return null;
  if (!isLengthFramed(extradata)) return parameterSetsOf(extradata, false);
  const sets: Buffer[] = [];
  let at = 6;
  for (const mask of [31, 255]) {
    const count = (mask === 31 ? extradata[5] : extradata[at++]) ?? 0;
    for (let index = 0; index < (count & mask); index++) {
      if (at + 2 > extradata.length) return null;
      const end = at + 2 + extradata.readUInt16BE(at);
      sets.push(extradata.subarray(at + 2, end));
      at = end;
    }
  }
  return sets.length >= 2 ? extradataOf(sets) : null;
}
