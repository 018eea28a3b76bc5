/** Reads from a sequence parameter set of H.265 what the pictures after it are like (ITU-T H.265, 7.3.2.2). */
import { Bits } from './bits.ts';
import type { PictureShape } from './sps264.ts';

/** The shape of the pictures, and what a player must know before the first of them. */
export interface Sps265 extends PictureShape {
  /** Profile, tier, compatibility, constraints and level, as they are sent: 12 bytes. */
  readonly general: Uint8Array;
  readonly chromaFormat: number;
  /** Bits above 8 of a luma sample, and of a chroma sample. */
  readonly extraLumaBits: number;
  readonly extraChromaBits: number;
  readonly temporalLayers: number;
  readonly isNested: boolean;
}

const headBytes = 2;
/** Profile, tier, compatibility, constraints and level of the whole stream. */
const generalBytes = 12;

/** `sps`: the whole NAL unit. Null when it cannot be read. The frame rate stands behind much else and is not read. */
export function readSps265(sps: Uint8Array): Sps265 | null {
  const bits = new Bits(sps.subarray(headBytes));
  bits.skip(4);
  const maxSubLayer = bits.take(3);
  const isNested = bits.flag();
  const general = Uint8Array.from({ length: generalBytes }, () => bits.take(8));
  skipSubLayers(bits, maxSubLayer);
  bits.unsigned();
  const chromaFormat = bits.unsigned();
  const { width, height } = sizeIn(bits, chromaFormat);
  const extraLumaBits = bits.unsigned();
  const extraChromaBits = bits.unsigned();
  bits.unsigned();
  const reorder = reorderIn(bits, maxSubLayer);
  if (width <= 0 || height <= 0 || bits.isOver || reorder > 16) return null;
  if (chromaFormat > 3 || extraLumaBits > 7 || extraChromaBits > 7) return null;
  const temporalLayers = maxSubLayer + 1;
  const colours = { chromaFormat, extraLumaBits, extraChromaBits };
  return { width, height, fps: 0, reorder, general, ...colours, temporalLayers, isNested };
}

/** The size of the picture without its cropped edges. */
function sizeIn(bits: Bits, chromaFormat: number): { width: number; height: number } {
  const isSeparate = chromaFormat === 3 && bits.flag();
  const chroma = isSeparate ? 0 : chromaFormat;
  const width = bits.unsigned();
  const height = bits.unsigned();
  if (!bits.flag()) return { width, height };
  const aside = bits.unsigned() + bits.unsigned();
  const above = bits.unsigned() + bits.unsigned();
  return {
    width: width - aside * (chroma === 1 || chroma === 2 ? 2 : 1),
    height: height - above * (chroma === 1 ? 2 : 1),
  };
}

function reorderIn(bits: Bits, maxSubLayer: number): number {
  const isPerSubLayer = bits.flag();
  let reorder = 0;
  for (let layer = isPerSubLayer ? 0 : maxSubLayer; layer <= maxSubLayer; layer++) {
    bits.unsigned();
    reorder = bits.unsigned();
    bits.unsigned();
  }
  return reorder;
}

function skipSubLayers(bits: Bits, count: number): void {
  const layers = Array.from({ length: count }, () => [bits.flag(), bits.flag()] as const);
  if (count > 0) bits.skip(2 * (8 - count));
  for (const [hasProfile, hasLevel] of layers)
    bits.skip((hasProfile ? 88 : 0) + (hasLevel ? 8 : 0));
}
