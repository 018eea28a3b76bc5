/** The list of the page: asked every 30 s, and what stands in for it while the server cannot be asked. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Problem } from '#api/problem.ts';
import { useUser } from '#api/session.ts';
import { isFiltered, type CameraFilters } from './camera-filters.ts';
import { keepCameras, lastCameras } from './last-cameras.ts';
import { REFRESH_MS, camerasQuery, useCameraNews, type CameraPage } from './queries.ts';

export interface Cameras {
  readonly query: UseQueryResult<CameraPage>;
  /** What is shown though the last question failed, and when it was true; null: all is well, or nothing is known. */
  readonly stale: { readonly page: CameraPage; readonly at: number } | null;
}

/** The server could not be asked, which is another thing than a refusal. */
const noAnswer = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 0 || error.status >= 500);

/** `still`: something is open above the list, which shall not move meanwhile (CAM-010). */
export function useCameras(filters: CameraFilters, still: boolean): Cameras {
  const user = useUser();
  const query = useQuery({
    ...camerasQuery(filters),
    refetchInterval: still ? false : REFRESH_MS,
  });
  useCameraNews();
  const first = !isFiltered(filters) && filters.page === undefined;
  const { data, dataUpdatedAt, isSuccess, isPlaceholderData, isError, error } = query;
  const fresh = isSuccess && !isPlaceholderData;
  useEffect(() => {
    if (first && fresh) keepCameras(user.id, data, dataUpdatedAt);
  }, [first, fresh, user.id, data, dataUpdatedAt]);
  if (!isError || !noAnswer(error)) return { query, stale: null };
  if (data !== undefined) return { query, stale: { page: data, at: dataUpdatedAt } };
  return { query, stale: first ? lastCameras(user.id) : null };
}
