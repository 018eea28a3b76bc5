/** Layouts of the wall: which cameras stand where, how many at once, and which stay while pages change. */
import { z } from 'zod/mini';
import { Id, Timestamp, requiredName, results } from './fields.ts';
import { everyone, route } from './route.ts';

/** As many as one account may watch at once (live/viewers.ts). */
export const maxTiles = 36;
/** The limit for one account, and for the layouts that are shared with everyone. */
export const maxLayouts = 50;
/** How long a page of a tour may stand, in seconds. */
export const tourSeconds = { min: 5, max: 3600 } as const;

export const WallTile = z.object({
  camera_id: Id,
  /** It stands on every page. */
  is_pinned: z.boolean(),
});
export type WallTile = z.infer<typeof WallTile>;

const name = requiredName(60);
const tilesPerPage = z.int().check(z.gte(1), z.lte(maxTiles));
/** Null: pages change by hand alone. */
const tourInterval = z.nullable(z.int().check(z.gte(tourSeconds.min), z.lte(tourSeconds.max)));

export const WallLayout = z.object({
  id: Id,
  name: z.string(),
  tiles_per_page: z.int(),
  tour_seconds: z.nullable(z.int()),
  is_shared: z.boolean(),
  /** The reader's own, or shared and the reader is an administrator of cameras. */
  may_change: z.boolean(),
  /** In their order; of the cameras that the reader may see. */
  tiles: z.array(WallTile),
  /** Counts the changes: a change names the one it began with. */
  revision: z.int(),
  updated_at: Timestamp,
});
export type WallLayout = z.infer<typeof WallLayout>;

export const WallLayoutFields = z.object({
  name,
  tiles_per_page: z._default(tilesPerPage, 9),
  tour_seconds: z._default(tourInterval, null),
  /** Everyone may show it. Only administrators of cameras share a layout, and change a shared one. */
  is_shared: z._default(z.boolean(), false),
  tiles: z.array(WallTile).check(
    z.minLength(1),
    z.maxLength(maxTiles),
    z.refine((tiles) => new Set(tiles.map((tile) => tile.camera_id)).size === tiles.length),
  ),
});
export type WallLayoutFields = z.infer<typeof WallLayoutFields>;

export const WallLayoutChange = z.extend(WallLayoutFields, {
  /** The revision that the change was made of. */
  revision: z.int().check(z.gte(1), z.lte(2_147_483_647)),
});
export type WallLayoutChange = z.infer<typeof WallLayoutChange>;

const params = z.object({ id: Id });

export const wallLayoutRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/cameras/layouts/',
    summary: 'The layouts of the wall: one’s own and those shared with everyone.',
    callers: everyone,
    shownAs: true,
    reply: results(WallLayout),
  }),
  read: route({
    method: 'GET',
    path: '/secure-api/cameras/layouts/:id/',
    summary: 'One layout of the wall, with the cameras in it that one may see.',
    callers: everyone,
    shownAs: true,
    params,
    reply: WallLayout,
    problems: ['layout_not_found'],
  }),
  add: route({
    method: 'POST',
    path: '/secure-api/cameras/layouts/',
    summary: 'Adds a layout of the wall; administrators of cameras may share it with everyone.',
    callers: everyone,
    body: WallLayoutFields,
    reply: WallLayout,
    status: 201,
    problems: ['camera_not_found', 'layouts_too_many', 'layout_sharing_forbidden'],
  }),
  replace: route({
    method: 'PUT',
    path: '/secure-api/cameras/layouts/:id/',
    summary: 'Replaces a layout of the wall, unless it changed since the revision that is named.',
    callers: everyone,
    params,
    body: WallLayoutChange,
    reply: WallLayout,
    problems: [
      'camera_not_found',
      'layout_not_found',
      'layout_changed',
      'layouts_too_many',
      'layout_sharing_forbidden',
    ],
  }),
  remove: route({
    method: 'DELETE',
    path: '/secure-api/cameras/layouts/:id/',
    summary: 'Deletes a layout of the wall.',
    callers: everyone,
    params,
    status: 204,
    problems: ['layout_not_found', 'layout_sharing_forbidden'],
  }),
};
