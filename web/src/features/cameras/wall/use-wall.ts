/** What the address asks for, and the tiles that come of it. */
import type { CameraGroup } from '@nazar/contract/access.ts';
import type { WallLayout } from '@nazar/contract/wall-layouts.ts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { CameraFilters } from '../camera-filters.ts';
import { useCameraFilters } from '../use-camera-filters.ts';
import { REFRESH_MS, type CameraPage } from '../queries.ts';
import { pageAt, pagesOf } from './pages.ts';
import {
  groupsQuery,
  layoutsQuery,
  wallCamerasQuery,
  withCameras,
  type CameraTile,
} from './queries.ts';

/** Where neither a layout nor the address says it. */
export const USUAL_TILES = 9;

export interface Wall {
  readonly address: CameraFilters;
  /** A change of anything but the page begins again at the first one. */
  readonly change: (change: CameraFilters) => void;
  readonly cameras: UseQueryResult<CameraPage>;
  readonly layouts: readonly WallLayout[];
  readonly groups: readonly CameraGroup[];
  readonly layout: WallLayout | null;
  /** The layout in the address was deleted, or is not this reader's. */
  readonly layoutMissing: boolean;
  /** Pages of tiles; the search and the group have been applied. */
  readonly pages: readonly (readonly CameraTile[])[];
  /** From 1 on. */
  readonly page: number;
  readonly tourSeconds: number | null;
}

/** Covered: it is not in sight, and asked for again when it is. */
export function useWall(isCovered: boolean): Wall {
  const { filters: address, filter: change } = useCameraFilters();
  const every = { refetchInterval: REFRESH_MS, enabled: !isCovered };
  const cameras = useQuery({ ...wallCamerasQuery(address.search), ...every });
  const layouts = useQuery({ ...layoutsQuery, ...every });
  const groups = useQuery(groupsQuery);
  const layout = layouts.data?.results.find(({ id }) => id === address.layout) ?? null;
  const group = groups.data?.results.find(({ id }) => id === address.group);
  const found = cameras.data?.results ?? [];
  // Cameras that are switched off stand on a wall only where a layout names them.
  const all = found
    .filter(({ status }) => status !== 'inactive')
    .map(({ id }) => ({ camera_id: id, is_pinned: false }));
  const named = address.layout === undefined ? all : (layout?.tiles ?? []);
  const inGroup =
    group === undefined ? named : named.filter((tile) => group.cameras.includes(tile.camera_id));
  const perPage = layout?.tiles_per_page ?? address.tiles ?? USUAL_TILES;
  const tiles = withCameras(inGroup, found);
  const pages = tiles.length === 0 ? [] : pagesOf(tiles, perPage);
  return {
    address,
    change,
    cameras,
    layouts: layouts.data?.results ?? [],
    groups: groups.data?.results ?? [],
    layout,
    layoutMissing: address.layout !== undefined && layouts.isSuccess && layout === null,
    pages,
    page: pageAt(address.page ?? 1, pages.length),
    tourSeconds: layout === null ? (address.tour ?? null) : layout.tour_seconds,
  };
}
