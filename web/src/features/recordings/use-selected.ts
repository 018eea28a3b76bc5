/** The recording and the moment that the address names, and the playback that shows them. */
import type { Recording } from '@nazar/contract/recordings.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { RecordedPlayback } from '#parts/player/recorded/recorded-playback.ts';
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
  return { recording: listed ?? data ?? null, error };
}

/** Seeks what the address names, once for each address: what happens to a recording later moves nobody. */
export function useAddressMoment(
  playback: RecordedPlayback,
  { recording: id, at }: RecordingsSearch,
  recording: Recording | null,
): void {
  const sought = useRef('');
  const name = `${id ?? ''} ${at ?? ''}`;
  const start = recording?.startTime;
  const moment = at ?? (id === undefined ? undefined : start);
  useEffect(() => {
    if (moment === undefined || sought.current === name) return;
    sought.current = name;
    playback.seek(Date.parse(moment));
  }, [playback, moment, name]);
}
