/** Which cameras are shown; stands in the address. */
import { cameraStatuses, type Camera } from '@nazar/contract/cameras.ts';
import { isId } from '#lib/is-id.ts';
import { readWallAddress, type WallAddress } from './wall/wall-address.ts';

export type CameraStatus = Camera['status'];

export interface CameraFilters extends WallAddress {
  search?: string | undefined;
  status?: CameraStatus | undefined;
  /** Ids of a group of cameras, and of the user who added them. */
  group?: string | undefined;
  owner?: string | undefined;
  page?: number | undefined;
}

/** What a user typed into the address bar and can't be parsed is left out. */
export function readCameraFilters(search: Record<string, unknown>): CameraFilters {
  const filters: CameraFilters = {};
  const words = search['search'];
  // The router reads a search for digits as a number.
  if (typeof words === 'string' || typeof words === 'number') filters.search = String(words);
  const status = cameraStatuses.find((one) => one === search['status']);
  if (status !== undefined) filters.status = status;
  for (const key of ['group', 'owner'] as const) {
    const id = search[key];
    if (isId(id)) filters[key] = id;
  }
  Object.assign(filters, readWallAddress(search));
  const page = Number(search['page']);
  if (Number.isInteger(page) && page > 1) filters.page = page;
  return filters;
}

/** What stands in the address of one camera beside that, for its live view. */
export interface LiveSearch {
  low_latency?: true | undefined;
}

export const readLiveSearch = (search: Record<string, unknown>): LiveSearch =>
  search['low_latency'] === true ? { low_latency: true } : {};

/** The address of the list, without what belongs to the live view. */
export const listSearch = (search: CameraFilters & LiveSearch): CameraFilters & LiveSearch => ({
  ...search,
  low_latency: undefined,
});

export const isFiltered = ({ search = '', status, group, owner }: CameraFilters): boolean =>
  search !== '' || [status, group, owner].some((one) => one !== undefined);

export const noFilters = {
  search: undefined,
  status: undefined,
  group: undefined,
  owner: undefined,
} satisfies CameraFilters;
