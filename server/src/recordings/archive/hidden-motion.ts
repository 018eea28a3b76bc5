/**
 * Which motion a caller may not learn of: what moved behind a mask of now, or right beside one, at a camera whose masks
 * hide something from them. So is all motion in pictures of which it was not known what they show of the main one, on
 * which masks are drawn. Everything that tells of motion asks here, so that it agrees.
 */
import type { Cameras } from '#cameras/cameras.ts';
import type { Scope } from '#http/scope.ts';
import { unmaskedCells, type Cells } from '#media/media.ts';
import type { ShownMotion } from './motion-store.ts';

/** By camera: where motion shows. Of other cameras all motion does. */
export type ShownCells = ReadonlyMap<string, ShownMotion>;

export type HiddenFrom = { readonly zones: Pick<Cameras['zones'], 'hiddenFrom'> };

/** Of all cameras, or of these. */
export async function shownCells(
  { zones }: HiddenFrom,
  scope: Scope,
  cells: Cells,
  cameraIds?: readonly string[],
): Promise<ShownCells> {
  const hidden = await zones.hiddenFrom(scope, cameraIds);
  const entries = [...hidden].map(([cameraId, masks]) => {
    const of = (rotation: 0 | 90 | 180 | 270) => unmaskedCells(cells, masks, rotation);
    const byRotation = { 0: of(0), 90: of(90), 180: of(180), 270: of(270) };
    return [cameraId, { cells: byRotation, oldIsMain: !masks.hadSubStream }] as const;
  });
  return new Map(entries);
}
