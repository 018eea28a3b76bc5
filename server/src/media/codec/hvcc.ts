/**
 * The description of H.265 in MP4 (hvcC, ISO/IEC 14496-15, 8.3.3.1.2) from parameter sets. FFmpeg's muxer makes it too,
 * but reads sets to their end to do so: one with a wrong byte kept a thread busy for 50 s and more, which nothing but
 * the end of its process could stop. What it is given in this form it writes as it is.
 */
import { isLengthFramed, unitsOf } from './h264.ts';
import { pps265, sps265, typeOf265, vps265 } from './h265.ts';
import { readSps265, type Sps265 } from './sps265.ts';

/** More than any camera has of one kind. */
const maxSets = 16;
/** Its length stands before each, in 16 bits. */
const maxSetBytes = 0xffff;

/** `extradata` as sets with start codes, or as such a description already; null when it cannot be one. */
export function hvccOf(extradata: Buffer | null): Buffer | null {
  if (!extradata) return null;
  if (isLengthFramed(extradata)) return extradata;
  const units = unitsOf(extradata, false);
  const kinds = [vps265, sps265, pps265].map((type) => ({
    type,
    sets: units.filter((unit) => typeOf265(unit) === type),
  }));
  if (!kinds.every(({ sets }) => sets.length > 0 && sets.length <= maxSets)) return null;
  if (units.some(({ length }) => length > maxSetBytes)) return null;
  const said = readSps265(kinds[1]!.sets[0]!);
  if (!said) return null;
  const arrays = kinds.map(({ type, sets }) => arrayOf(type, sets));
  return Buffer.concat([headOf(said, arrays.length), ...arrays]);
}

/** Spatial segments, parallel decoding and the rate of pictures are "not said". */
function headOf(said: Sps265, arrays: number): Buffer {
  const { general, chromaFormat, moreLight, moreColour, temporalLayers, isNested } = said;
  const layers = (temporalLayers << 3) | (isNested ? 4 : 0);
  const lengthBytesLess1 = 3;
  const colours = [0xfc | chromaFormat, 0xf8 | moreLight, 0xf8 | moreColour];
  const rate = [0, 0];
  const last = [layers | lengthBytesLess1, arrays];
  return Buffer.from([1, ...general, 0xf0, 0, 0xfc, ...colours, ...rate, ...last]);
}

/** All sets of this kind that there are: none comes with the pictures. */
function arrayOf(type: number, sets: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(3);
  head[0] = 0x80 | type;
  head.writeUInt16BE(sets.length, 1);
  const framed = sets.flatMap((set) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(set.length);
    return [length, set];
  });
  return Buffer.concat([head, ...framed]);
}
