import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { CameraFilters } from './camera-filters.ts';

const route = getRouteApi('/shell/cameras');

export interface AddressFilters {
  readonly filters: CameraFilters;
  /** A change of anything but the page begins again at the first one. */
  readonly filter: (change: CameraFilters) => void;
}

/** The filters in the address, of the list and of the wall. */
export function useCameraFilters(): AddressFilters {
  const navigate = useNavigate({ from: '/cameras' });
  const filters = route.useSearch();
  const filter = (change: CameraFilters): void =>
    void navigate({
      to: '.',
      replace: true,
      resetScroll: false,
      search: (before: CameraFilters) => {
        const next = { ...before, page: undefined, ...change };
        return Object.fromEntries(
          Object.entries(next).filter(([, value]) => value !== undefined && value !== ''),
        );
      },
    });
  return { filters, filter };
}
