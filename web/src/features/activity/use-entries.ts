/** The page of the log that is shown, refreshed by itself, and the copy of the last one for when it fails. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { isPageTooLate, Problem } from '#api/problem.ts';
import { useUser } from '#api/session.ts';
import { keepEntries, lastEntries, type LastEntries } from './last-entries.ts';
import { entriesQuery, listQueryOf } from './queries.ts';
import { isFiltered, type ActivitySearch } from './search.ts';
import type { AutoRefresh } from './use-auto-refresh.ts';

/** For the debug panel. */
export interface AskedOnce {
  readonly at: number;
  readonly params: string;
  /** HTTP status; 0: no answer. */
  readonly status: number;
  readonly tookMs: number;
}

const ASKED_KEPT = 10;

const paramsOf = (search: ActivitySearch): string => {
  const given = Object.entries(listQueryOf(search)).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
};

export function useEntries(
  search: ActivitySearch,
  refresh: AutoRefresh,
  onRefreshFailed: () => void,
) {
  const { id: userId } = useUser();
  const query = useQuery({
    ...entriesQuery(search),
    refetchInterval: refresh.isOn ? refresh.seconds * 1000 : false,
  });
  const { data, dataUpdatedAt, errorUpdatedAt, isFetching, isPlaceholderData, error } = query;
  const isUnfiltered = !isFiltered(search) && search.page === undefined;
  useEffect(() => {
    // A copy is of the whole log: one that is filtered would look like all there is.
    if (data === undefined || isPlaceholderData || !isUnfiltered) return;
    keepEntries(userId, data, dataUpdatedAt);
  }, [data, dataUpdatedAt, isPlaceholderData, isUnfiltered, userId]);
  const failed = useRef(onRefreshFailed);
  useEffect(() => {
    failed.current = onRefreshFailed;
  });
  // Each failure is another time, so that the second is said like the first.
  const failedAt = query.isRefetchError && !isPageTooLate(error) ? errorUpdatedAt : 0;
  useEffect(() => {
    if (failedAt > 0) failed.current();
  }, [failedAt]);
  const asked = useAsked(isFetching, paramsOf(search), error);
  const copy = useCopy(userId, data !== undefined, error, errorUpdatedAt);
  return { query, asked, copy };
}

/** Stays while it is tried again, until the server answers. */
function useCopy(
  userId: string,
  isAnswered: boolean,
  error: unknown,
  failedAt: number,
): LastEntries | null {
  const [isAway, setAway] = useState(false);
  const isNoAnswer = error instanceof Problem && (error.status === 0 || error.status >= 500);
  const isAwayNow = !isAnswered && (isNoAnswer || isAway);
  if (isAwayNow !== isAway) setAway(isAwayNow);
  return useMemo(
    () => (isAwayNow ? lastEntries(userId, failedAt) : null),
    [isAwayNow, userId, failedAt],
  );
}

function useAsked(isFetching: boolean, params: string, error: unknown): readonly AskedOnce[] {
  const [asked, setAsked] = useState<readonly AskedOnce[]>([]);
  const begun = useRef<number | null>(null);
  useEffect(() => {
    if (isFetching) {
      begun.current = performance.now();
      return;
    }
    if (begun.current === null) return;
    const tookMs = Math.round(performance.now() - begun.current);
    begun.current = null;
    const status = error === null ? 200 : error instanceof Problem ? error.status : 0;
    const one = { at: Date.now(), params, status, tookMs };
    setAsked((before) => [one, ...before].slice(0, ASKED_KEPT));
  }, [isFetching, params, error]);
  return asked;
}
