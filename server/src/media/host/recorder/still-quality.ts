/**
 * How small a still is. Scenes differ by a factor of three at the same quality, so the quality follows the bytes:
 * 2,600 for each of 8,640 segments are 22 MB a day. Measured at 320x180: photos of faces before plain walls take 2,600
 * bytes at 60, groups of people outdoors 3,200 at the lowest. Pure.
 */

/** Pixels of the longer side. */
export const stillSide = 320;
const wantedBytes = 2_600;
/** Below, blocks hide what happens; above, nothing more is seen at this size. */
const lowest = 10;
const highest = 75;
export const usualQuality = 50;
const step = 5;
/** Within a tenth of what is wanted nothing changes. */
const tolerance = 0.1;

/** The quality of the next still, after one of so many bytes. 1 to 100. */
export function nextQuality(quality: number, bytes: number): number {
  if (bytes > wantedBytes * (1 + tolerance)) return Math.max(lowest, quality - step);
  if (bytes < wantedBytes * (1 - tolerance)) return Math.min(highest, quality + step);
  return quality;
}
