/**
 * Which motion a caller may not learn of: what moved behind a current mask, or right beside one, at a camera whose
 * masks hide something from them. The same holds for all motion in pictures whose place on the main picture, on which
 * masks are drawn, was not known. All code that reports motion asks here, so that answers agree.
 */
import type { QuarterTurn } from '@nazar/contract/polygon.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Scope } from '#http/scope.ts';
import { unmaskedCells } from '#media/mask/grid-cells.ts';
import type { Cells } from '#media/protocol/motion-grid.ts';
import type { CellsByRotation, ShownMotion } from './motion-store.ts';

/** By camera: where motion shows. Of other cameras all motion does. */
export type ShownCells = ReadonlyMap<string, ShownMotion>;

export type HiddenFrom = { readonly zones: Pick<Cameras['zones'], 'hiddenFrom'> };

/** For all cameras, or for these. */
export async function shownCells(
  { zones }: HiddenFrom,
  scope: Scope,
  cells: Cells,
  cameraIds?: readonly string[],
): Promise<ShownCells> {
  const hidden = await zones.hiddenFrom(scope, cameraIds);
  const entries = [...hidden].map(([cameraId, masks]) => {
    const unmasked = (turns: readonly QuarterTurn[]): CellsByRotation => {
      const of = (rotation: QuarterTurn) => unmaskedCells(cells, { ...masks, turns }, rotation);
      return { 0: of(0), 90: of(90), 180: of(180), 270: of(270) };
    };
    const { by, untilMs } = masks.turned;
    const isTurned = by.length > 1;
    const earlier =
      isTurned && untilMs !== null ? { cells: unmasked(by), until: new Date(untilMs) } : null;
    const now = unmasked(isTurned && untilMs === null ? by : [0]);
    return [cameraId, { cells: now, earlier, oldIsMain: !masks.hadSubStream }] as const;
  });
  return new Map(entries);
}
