/**
 * Makes the description of H.265 in MP4 (hvcC, ISO/IEC 14496-15, 8.3.3.1.2) from parameter sets. FFmpeg's muxer can
 * make it, too, but reads sets to their end to do so: one with a wrong byte kept a thread busy for 50 s and more, which
 * only the end of its process could stop. The muxer writes a description that it is given as it is.
 */
import { isLengthFramed, unitsOf } from './h264.ts';
import { pps265, sps265, typeOf265, vps265 } from './h265.ts';
import { readSps265, type Sps265 } from './sps265.ts';

/** No camera has more sets of one type. */
const maxSets = 16;
/** The length of each set is written in 16 bits. */
const maxSetBytes = 0xffff;

/** `extradata`: sets with start codes, or such a description already. Null when no description can be made of it. */
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

/** Spatial segmentation, parallelism and the average frame rate are written as "unspecified". */
function headOf(said: Sps265, arrays: number): Buffer {
  const { general, chromaFormat, extraLumaBits, extraChromaBits, temporalLayers, isNested } = said;
  const layers = (temporalLayers << 3) | (isNested ? 4 : 0);
  const lengthBytesLess1 = 3;
  const colours = [0xfc | chromaFormat, 0xf8 | extraLumaBits, 0xf8 | extraChromaBits];
  const rate = [0, 0];
  const last = [layers | lengthBytesLess1, arrays];
  return Buffer.from([1, ...general, 0xf0, 0, 0xfc, ...colours, ...rate, ...last]);
}

/** The array is marked complete: no set of this type comes with the pictures. */
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
