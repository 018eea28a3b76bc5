/** What a sequence parameter set of H.265 says of the pictures that follow it (ITU-T H.265, 7.3.2.2). */
import { Bits } from './bits.ts';
import type { PictureShape } from './sps264.ts';

/** With what a player must be told before it has seen a picture. */
export interface Sps265 extends PictureShape {
  /** Profile, tier, compatibility, constraints and level, as they are sent: 12 bytes. */
  readonly general: Uint8Array;
  readonly chromaFormat: number;
  /** Bits above 8 of a sample of light, and of colour. */
  readonly moreLight: number;
  readonly moreColour: number;
  readonly temporalLayers: number;
  readonly isNested: boolean;
}

const headBytes = 2;
/** Profile, tier, compatibility, constraints and level of the whole. */
const generalBytes = 12;

/** `sps` with its head; null when it cannot be read. Its rate stands behind much else and is not looked for. */
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
  const moreLight = bits.unsigned();
  const moreColour = bits.unsigned();
  bits.unsigned();
  const reorder = reorderIn(bits, maxSubLayer);
  if (width <= 0 || height <= 0 || bits.isOver || reorder > 16) return null;
  if (chromaFormat > 3 || moreLight > 7 || moreColour > 7) return null;
  const temporalLayers = maxSubLayer + 1;
  const colours = { chromaFormat, moreLight, moreColour };
  return { width, height, fps: 0, reorder, general, ...colours, temporalLayers, isNested };
}

/** The size of what is shown, without what is cropped. */
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
  const tellsAll = bits.flag();
  let reorder = 0;
  for (let layer = tellsAll ? 0 : maxSubLayer; layer <= maxSubLayer; layer++) {
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
