/** The recording and the moment that the address names, and the playback that shows them. */
import type { Recording } from '@nazar/contract/recordings.ts';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { Problem } from '#api/problem.ts';
import type { Transport } from '#parts/player/recorded/transport.ts';
import { recordingQuery, type RecordingPage } from './queries.ts';
import type { RecordingsSearch } from './recordings-address.ts';

/** The recording of the address, as the list knows it and as it is known by itself. */
export function useSelected(
  { recording: id }: RecordingsSearch,
  timezone: string,
  page: RecordingPage | undefined,
): { readonly recording: Recording | null; readonly error: Error | null } {
  const { data, error } = useQuery({
    ...recordingQuery(id ?? '', timezone),
    enabled: id !== undefined,
  });
  if (id === undefined) return { recording: null, error: null };
  const listed = page?.results.find((one) => one.id === id);
  // It was removed, by age or by another user.
  const isGone = error instanceof Problem && error.status === 404;
  const known = isGone ? null : (data ?? null);
  return { recording: listed ?? known, error };
}

const nameOf = ({ recording, at }: RecordingsSearch): string => `${recording ?? ''} ${at ?? ''}`;

/**
 * Seeks what the address names, once for each address: what happens to a recording later seeks nothing. Returns what is
 * to be called before an address is written of what is shown already.
 */
export function useAddressMoment(
  playback: Pick<Transport, 'seek'>,
  search: RecordingsSearch,
  recording: Recording | null,
): (shown: RecordingsSearch) => void {
  const sought = useRef('');
  const name = nameOf(search);
  const start = search.recording === undefined ? undefined : recording?.startTime;
  const moment = search.at ?? start;
  useEffect(() => {
    if (moment === undefined || sought.current === name) return;
    sought.current = name;
    playback.seek(Date.parse(moment));
  }, [playback, moment, name]);
  return useCallback((shown) => {
    sought.current = nameOf(shown);
  }, []);
}
