/** What a sequence parameter set of H.265 says of the pictures that follow it (ITU-T H.265, 7.3.2.2). */
import { Bits } from './bits.ts';
import type { PictureShape } from './sps264.ts';

const headBytes = 2;
/** Profile, tier, compatibility, constraints and level of the whole. */
const generalBits = 96;

/** `sps` with its head; null when it cannot be read. Its rate stands behind much else and is not looked for. */
export function shapeOf265(sps: Uint8Array): PictureShape | null {
  const bits = new Bits(sps.subarray(headBytes));
  bits.skip(4);
  const maxSubLayer = bits.take(3);
  bits.skip(1 + generalBits);
  skipSubLayers(bits, maxSubLayer);
  bits.unsigned();
  const format = bits.unsigned();
  const isSeparate = format === 3 && bits.flag();
  const chroma = isSeparate ? 0 : format;
  let width = bits.unsigned();
  let height = bits.unsigned();
  if (bits.flag()) {
    const [left, right, top, bottom] = [
      bits.unsigned(),
      bits.unsigned(),
      bits.unsigned(),
      bits.unsigned(),
    ];
    width -= (left + right) * (chroma === 1 || chroma === 2 ? 2 : 1);
    height -= (top + bottom) * (chroma === 1 ? 2 : 1);
  }
  bits.unsigned();
  bits.unsigned();
  bits.unsigned();
  const tellsAll = bits.flag();
  let reorder = 0;
  for (let layer = tellsAll ? 0 : maxSubLayer; layer <= maxSubLayer; layer++) {
    bits.unsigned();
    reorder = bits.unsigned();
    bits.unsigned();
  }
  if (width <= 0 || height <= 0 || bits.isOver || reorder > 16) return null;
  return { width, height, fps: 0, reorder };
}

function skipSubLayers(bits: Bits, count: number): void {
  const layers = Array.from({ length: count }, () => [bits.flag(), bits.flag()] as const);
  if (count > 0) bits.skip(2 * (8 - count));
  for (const [hasProfile, hasLevel] of layers)
    bits.skip((hasProfile ? 88 : 0) + (hasLevel ? 8 : 0));
}
