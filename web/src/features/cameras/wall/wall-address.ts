/** What of the wall stands in the address, beside the search and the page it shares with the list. */
import { isId } from '#lib/is-id.ts';

/** As many tiles as one account may watch at once, and how long a page may stand (contract: wall-layouts.ts). */
const MOST_TILES = 36;
const tourBounds = { min: 5, max: 3600 };

export interface WallAddress {
  /** `wall`. No narrower type: the router wants that of every page's `view` to have values in common. */
  view?: string | undefined;
  /** All cameras are shown when it is absent. */
  layout?: string | undefined;
  /** A group of cameras that the wall is narrowed to. */
  group?: string | undefined;
  /** Tiles on a page and seconds for each page, where no layout says it. */
  tiles?: number | undefined;
  tour?: number | undefined;
  /** Without chrome: nothing but tiles. */
  kiosk?: 1 | undefined;
}

function whole(value: unknown, { min, max }: { min: number; max: number }): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number >= min && number <= max ? number : undefined;
}

/** What cannot be understood is left out, and so is what would be said without it. */
export function readWallAddress(search: Record<string, unknown>): WallAddress {
  if (search['view'] !== 'wall') return {};
  const { layout, group } = search;
  const tiles = whole(search['tiles'], { min: 1, max: MOST_TILES });
  const tour = whole(search['tour'], tourBounds);
  return {
    view: 'wall',
    ...(isId(layout) && { layout }),
    ...(isId(group) && { group }),
    ...(tiles !== undefined && { tiles }),
    ...(tour !== undefined && { tour }),
    ...(Number(search['kiosk']) === 1 && { kiosk: 1 }),
  };
}
