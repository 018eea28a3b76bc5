import { cameraGroupRoutes } from '@nazar/contract/access.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import {
  wallLayoutRoutes,
  type WallLayout,
  type WallLayoutFields,
  type WallTile,
} from '@nazar/contract/wall-layouts.ts';
import { call } from '#api/call.ts';
import { ask, useChange, useRemoval } from '#api/query.ts';

/** As many as the API answers at once: a layout may name any of them. */
const ALL = 1000;

export const wallCamerasQuery = (search: string | undefined) =>
  ask('cameras', cameraRoutes.list, { query: { search, page_size: ALL } });
export const layoutsQuery = ask('cameras', wallLayoutRoutes.list, {});
export const groupsQuery = ask('cameras', cameraGroupRoutes.list, {});

/** A layout that is being arranged. */
export interface Draft extends WallLayoutFields {
  /** Null: it is a new one. */
  readonly id: string | null;
  /** What it was made of. */
  readonly revision: number;
}

export const draftOf = (layout: WallLayout): Draft => ({
  id: layout.id,
  revision: layout.revision,
  name: layout.name,
  tiles_per_page: layout.tiles_per_page,
  tour_seconds: layout.tour_seconds,
  is_shared: layout.is_shared,
  tiles: layout.tiles,
});

export const useSaveLayout = () =>
  useChange('cameras', ({ id, revision, ...fields }: Draft) =>
    id === null
      ? call(wallLayoutRoutes.add, { body: fields })
      : call(wallLayoutRoutes.replace, { params: { id }, body: { ...fields, revision } }),
  );

export const useRemoveLayout = () =>
  useRemoval(
    'cameras',
    (id: string) => id,
    (id) => call(wallLayoutRoutes.remove, { params: { id } }),
  );

/** A tile with the camera in it. */
export interface CameraTile {
  readonly camera: Camera;
  readonly is_pinned: boolean;
}

/** The tiles whose cameras are among those that were answered. */
export function withCameras(tiles: readonly WallTile[], cameras: readonly Camera[]): CameraTile[] {
  const byId = new Map(cameras.map((camera) => [camera.id, camera]));
  return tiles.flatMap(({ camera_id: id, is_pinned }) => {
    const camera = byId.get(id);
    return camera === undefined ? [] : [{ camera, is_pinned }];
  });
}
