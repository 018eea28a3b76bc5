/** The list of the page: asked every 30 s, and what stands in for it while the server cannot be asked. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Problem } from '#api/problem.ts';
import { useSeeing } from '#api/see-as.ts';
import { useUser } from '#api/session.ts';
import { isFiltered, type CameraFilters } from './camera-filters.ts';
import { keepCameras, lastCameras, type LastCameras } from './last-cameras.ts';
import { REFRESH_MS, camerasQuery, type CameraPage } from './queries.ts';

export interface Stale extends LastCameras {
  /** It comes from this browser's storage, which holds no whole cameras: nothing can be changed from here. */
  readonly isCopy: boolean;
}

export interface Cameras {
  readonly query: UseQueryResult<CameraPage>;
  /** What is shown though the last question failed, and when it was true; null: all is well, or nothing is known. */
  readonly stale: Stale | null;
}

/** The server could not be asked, which is another thing than a refusal. */
const noAnswer = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 0 || error.status >= 500);

export interface Above {
  /** Something is open above the list, which shall not move meanwhile. */
  readonly isStill: boolean;
  /** It is not in sight: it is asked for again when it is. */
  readonly isCovered: boolean;
}

export function useCameras(filters: CameraFilters, { isStill, isCovered }: Above): Cameras {
  const user = useUser();
  // What another user sees is not kept while the reader sees as them.
  const asAnother = useSeeing() !== null;
  // Whatever comes later is in memory.
  const [last] = useState(() => lastCameras(user.id, Date.now()));
  const query = useQuery({
    ...camerasQuery(filters),
    refetchInterval: isStill ? false : REFRESH_MS,
    enabled: !isCovered,
  });
  const first = !isFiltered(filters) && filters.page === undefined;
  const { data, dataUpdatedAt, isSuccess, isPlaceholderData, isError, error } = query;
  const fresh = isSuccess && !isPlaceholderData;
  useEffect(() => {
    if (first && fresh && !asAnother) keepCameras(user.id, data, dataUpdatedAt);
  }, [first, fresh, asAnother, user.id, data, dataUpdatedAt]);
  if (!isError || !noAnswer(error)) return { query, stale: null };
  if (data !== undefined) {
    return { query, stale: { page: data, at: dataUpdatedAt, isCopy: false } };
  }
  return { query, stale: first && last !== null ? { ...last, isCopy: true } : null };
}
