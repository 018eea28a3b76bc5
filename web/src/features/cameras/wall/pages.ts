/** Which tiles stand on which page of the wall. Pure. */
import type { WallTile } from '@nazar/contract/wall-layouts.ts';

/**
 * Pages of at most `perPage` tiles. Pinned tiles stand on each of them, at their places in the order; the others share
 * what is left. One place is left at least, so that pages that only repeat what is pinned do not hide the rest.
 */
export function pagesOf<T extends Pick<WallTile, 'is_pinned'>>(
  tiles: readonly T[],
  perPage: number,
): T[][] {
  const others = tiles.filter((tile) => !tile.is_pinned);
  if (others.length === 0) return [[...tiles]];
  const places = Math.max(1, perPage - (tiles.length - others.length));
  const count = Math.ceil(others.length / places);
  return Array.from({ length: count }, (_, page) => {
    const shown = new Set(others.slice(page * places, (page + 1) * places));
    return tiles.filter((tile) => tile.is_pinned || shown.has(tile));
  });
}

/** The page to show for the one that the address asks for: the last one where there are fewer. */
export const pageAt = (asked: number, count: number): number =>
  Math.min(Math.max(1, asked), Math.max(1, count));
