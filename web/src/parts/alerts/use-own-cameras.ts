/** Users who are no administrators ask for the alerts of their cameras by name (ALR-011). */
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#api/query.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';

/** As many as the API answers at once. */
const all = { page_size: 1000 };
/** As many as the API takes of them; who has more leaves them out, and gets the alerts of all their cameras. */
const mostAsked = 500;

export interface OwnCameras {
  readonly cameras: readonly Camera[];
  /** For `camera__in`; undefined: of all cameras that the server lets the reader see. */
  readonly ids: string | undefined;
  /** What to ask for is known. Where the cameras cannot be had, the server alone decides. */
  readonly isKnown: boolean;
  /** `cameras` are all there are. */
  readonly isComplete: boolean;
}

/** Administrators need them only where they are shown. */
export function useOwnCameras({ areShown = true } = {}): OwnCameras {
  const asksAll = isAdministrator(useUser());
  const query = useQuery({
    ...ask('cameras', cameraRoutes.list, { query: all }),
    enabled: areShown || !asksAll,
  });
  const cameras = query.data?.results ?? [];
  const isNamed = !asksAll && cameras.length > 0 && cameras.length <= mostAsked;
  return {
    cameras,
    ids: isNamed ? cameras.map(({ id }) => id).join(',') : undefined,
    isKnown: asksAll || !query.isPending,
    isComplete: query.data !== undefined && query.data.results.length === query.data.count,
  };
}
