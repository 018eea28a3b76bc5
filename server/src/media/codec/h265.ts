/** Reads as much of H.265 (ITU-T H.265 annex B, ISO/IEC 14496-15) as an ingest needs, beside `h264.ts`. */
import { extradataOf, isLengthFramed, unitsOf } from './h264.ts';

const startCode = Buffer.from([0, 0, 0, 1]);
/** NAL unit types of parameter sets; the types below them are slices of pictures. */
export const vps265 = 32;
export const sps265 = 33;
export const pps265 = 34;

/** The type of the NAL unit (ITU-T H.265, table 7-1). */
export const typeOf265 = (unit: Buffer): number => ((unit[0] ?? 0) >> 1) & 63;

/** VPS, SPS and PPS as extradata with start codes; null when the packet does not carry all three. */
export function parameterSetsOf265(packet: Buffer, lengthFramed: boolean): Buffer | null {
  const sets: Buffer[] = [];
  const kinds = new Set<number>();
  for (const unit of unitsOf(packet, lengthFramed)) {
    const type = typeOf265(unit);
    if (type < vps265) break; // Parameter sets stand before the picture.
    if (type > pps265) continue;
    kinds.add(type);
    sets.push(unit);
  }
  return kinds.size === 3 ? extradataOf(sets) : null;
}

/** Where the arrays of NAL units begin in hvcC. */
const arraysAt = 22;

/** The parameter sets of a track's extradata in the same form, so that both can be compared. */
export function parameterSetsOfExtradata265(extradata: Buffer | null): Buffer | null {
  if (!extradata) return null;
  if (!isLengthFramed(extradata)) return parameterSetsOf265(extradata, false);
  const framed: Buffer[] = [];
  let at = arraysAt + 1;
  for (let arrays = extradata[arraysAt] ?? 0; arrays > 0 && at + 3 <= extradata.length; arrays--) {
    const units = extradata.readUInt16BE(at + 1);
    at += 3;
    for (let unit = 0; unit < units && at + 2 <= extradata.length; unit++) {
      const end = at + 2 + extradata.readUInt16BE(at);
      framed.push(startCode, extradata.subarray(at + 2, end));
      at = end;
    }
  }
  return parameterSetsOf265(Buffer.concat(framed), false);
}
