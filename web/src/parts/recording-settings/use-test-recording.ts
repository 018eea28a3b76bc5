/** A minute is recorded to try a camera: asked for, watched while it runs, and searched for afterwards. */
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { recordingRoutes, type Recording } from '@nazar/contract/recordings.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { ask, refresh } from '#api/query.ts';
import { useNow } from '#lib/use-now.ts';

const askedEachMs = 2000;
/** The last file is closed and listed a little after the minute is over. */
const listedWithinMs = 15_000;
const testMs = 60_000;

interface Running {
  /** The end, by the server's clock. */
  readonly endsAt: string;
  /** The same by the clock of this machine, which may be another. */
  readonly endsMs: number;
}

export type TestOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly camera: Camera; readonly leftMs: number }
  | { readonly kind: 'listing' }
  | { readonly kind: 'recorded'; readonly recording: Recording }
  | { readonly kind: 'nothing'; readonly camera: Camera };

/** The newest recording is the test's when it reaches into its minute. */
const isOfTest = (recording: Recording | null | undefined, endsAt: string): boolean =>
  recording?.type === 'test' &&
  recording.endTime !== null &&
  Date.parse(recording.endTime) > Date.parse(endsAt) - testMs;

export function useTestRecording(camera: Camera) {
  const client = useQueryClient();
  const [running, setRunning] = useState<Running | null>(null);
  const start = useMutation({
    mutationFn: () => call(recordingRoutes.test, { params: { id: camera.id } }),
    onSuccess: ({ ends_at: endsAt }) => setRunning({ endsAt, endsMs: Date.now() + testMs }),
    onSettled: () => refresh(client, 'cameras'),
  });
  const now = useNow(running !== null);
  const leftMs = running === null ? 0 : running.endsMs - now;
  const watched = useQuery({
    ...ask('cameras', cameraRoutes.read, { params: { id: camera.id } }),
    enabled: running !== null,
    refetchInterval: leftMs > 0 ? askedEachMs : false,
  });
  const isAsked = running !== null && leftMs <= 0;
  const newest = useQuery({
    ...ask('recordings', recordingRoutes.newest, { query: { camera: camera.id } }),
    enabled: isAsked,
    refetchInterval: ({ state }) =>
      isAsked && leftMs > -listedWithinMs && !isOfTest(state.data?.newest, running.endsAt)
        ? askedEachMs
        : false,
  });
  return { start, outcome: outcomeOf() };

  function outcomeOf(): TestOutcome {
    if (running === null) return { kind: 'none' };
    const seen = watched.data ?? camera;
    if (leftMs > 0) return { kind: 'running', camera: seen, leftMs };
    const found = newest.data?.newest;
    if (found && isOfTest(found, running.endsAt)) return { kind: 'recorded', recording: found };
    return leftMs > -listedWithinMs ? { kind: 'listing' } : { kind: 'nothing', camera: seen };
  }
}
