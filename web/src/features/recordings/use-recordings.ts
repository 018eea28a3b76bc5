/** The list of a day: asked for each 2 s, and what stands in for it while the server cannot be asked. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, type RefObject } from 'react';
import { useSeeing } from '#api/see-as.ts';
import { useUser } from '#api/session.ts';
import type { ListName } from './last-recordings.ts';
import { recordingsQuery, type RecordingPage } from './queries.ts';
import { isFiltered, type RecordingsSearch } from './recordings-address.ts';
import { isNoAnswer, useLast } from './use-last.ts';

export interface Stale {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly page: RecordingPage;
}

export interface RecordingsOfDay {
  readonly query: UseQueryResult<RecordingPage>;
  /** What is shown though the last question failed; null: all is well, or nothing is known. */
  readonly stale: Stale | null;
}

/** A list that does not change is written down again after this: its age is known by half a minute. */
const keepEveryMs = 30_000;

function useIsHere(): RefObject<boolean> {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return isHere;
}

/** Keeps each answer about the day as a whole, for a time without the server. */
function useKept(
  name: ListName,
  cameraName: string,
  answer: { readonly page: RecordingPage; readonly at: number } | null,
): void {
  const { id: userId } = useUser();
  // What another user sees is not kept while the reader sees as them.
  const asAnother = useSeeing() !== null;
  const last = useRef<{ page: RecordingPage; at: number } | null>(null);
  const isHere = useIsHere();
  const { cameraId, day, timezone } = name;
  useEffect(() => {
    if (answer === null || asAnother) return;
    const { page, at } = answer;
    if (last.current?.page === page && at - last.current.at < keepEveryMs) return;
    last.current = { page, at };
    const keep = async (): Promise<void> => {
      const { keepRecordings } = await import('./last-recordings.ts');
      // Who signed out meanwhile leaves nothing.
      if (!isHere.current) return;
      keepRecordings(userId, { cameraId, day, timezone }, cameraName, page, at);
    };
    // A copy is a comfort.
    keep().catch(() => undefined);
  });
}

export function useRecordings(
  name: ListName,
  cameraName: string,
  search: RecordingsSearch,
): RecordingsOfDay {
  const query = useQuery(recordingsQuery(name, search));
  const { data, dataUpdatedAt, isSuccess, isPlaceholderData, isError, error } = query;
  const first = !isFiltered(search) && search.page === undefined;
  const fresh = isSuccess && !isPlaceholderData;
  useKept(name, cameraName, first && fresh ? { page: data, at: dataUpdatedAt } : null);
  const isAway = isError && isNoAnswer(error);
  const last = useLast(name.cameraId, isAway && data === undefined);
  if (!isAway) return { query, stale: null };
  if (data !== undefined) return { query, stale: { at: dataUpdatedAt, page: data } };
  const isThis = first && last?.day === name.day && last.timezone === name.timezone;
  return { query, stale: isThis ? last : null };
}
