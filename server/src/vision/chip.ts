/**
 * Chips: aligned crops of faces, squares of RGB. Their pack decides how large they are, so code that has only their
 * bytes counts: those of one picture lie one after another and have the same size.
 */
import type { FaceView } from './messages.ts';

/** Returns the side in pixels. */
export function chipSide(chip: Uint8Array): number {
  return Math.sqrt(chip.length / 3);
}

/** Returns the chip of one of the faces, not a copy; null when none was made. */
export function chipOf(
  { chip }: FaceView,
  faces: readonly FaceView[],
  chips: Buffer,
): Buffer | null {
  if (chip === null) return null;
  const bytes = chips.length / faces.filter((face) => face.chip !== null).length;
  return chips.subarray(chip * bytes, (chip + 1) * bytes);
}
