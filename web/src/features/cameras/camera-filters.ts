/** Which cameras are shown; stands in the address (CAM-004, CAM-005). */
import { cameraStatuses, type Camera } from '@nazar/contract/cameras.ts';
import { readWallAddress, type WallAddress } from './wall/wall-address.ts';

export type CameraStatus = Camera['status'];

export interface CameraFilters extends WallAddress {
  search?: string | undefined;
  status?: CameraStatus | undefined;
  page?: number | undefined;
}

/** What somebody typed into the address bar and cannot be understood is left out. */
export function readCameraFilters(search: Record<string, unknown>): CameraFilters {
  const filters: CameraFilters = {};
  const words = search['search'];
  // The router reads a search for digits as a number.
  if (typeof words === 'string' || typeof words === 'number') filters.search = String(words);
  const status = cameraStatuses.find((one) => one === search['status']);
  if (status !== undefined) filters.status = status;
  Object.assign(filters, readWallAddress(search));
  const page = Number(search['page']);
  if (Number.isInteger(page) && page > 1) filters.page = page;
  return filters;
}

export const isFiltered = ({ search = '', status }: CameraFilters): boolean =>
  search !== '' || status !== undefined;
