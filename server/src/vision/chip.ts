/**
 * Chips: faces cut out and turned, squares of RGB. How large they are is their pack's to say, so whoever only
 * has their bytes counts: those of one picture lie one after another and are all as large.
 */
import type { FaceView } from './messages.ts';

/** Side in pixels. */
export function chipSide(chip: Uint8Array): number {
  return Math.sqrt(chip.length / 3);
}

/** The chip of one of the faces, not a copy; null when none was cut. */
export function chipOf(
  { chip }: FaceView,
  faces: readonly FaceView[],
  chips: Buffer,
): Buffer | null {
  if (chip === null) return null;
  const bytes = chips.length / faces.filter((face) => face.chip !== null).length;
  return chips.subarray(chip * bytes, (chip + 1) * bytes);
}
