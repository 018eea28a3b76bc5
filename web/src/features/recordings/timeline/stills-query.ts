/** Asks for the stills of the time in sight, so that they are there before the reader drags. */
import { playbackRoutes } from '@nazar/contract/playback.ts';
import { useQueries } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '#api/call.ts';
import type { Area } from '#api/query.ts';
import type { Scrub } from './scrub.ts';
import type { KeptStill } from './still-set.ts';
import { lengthOf, type TimelineView } from './timeline-view.ts';

/** For all cameras together: as many as the server gives at once. */
const mostStills = 200;
const againMs = 30_000;
const area: Area = 'recordings';
const iso = (ms: number): string => new Date(ms).toISOString();

/** Steps of at most half of what is in sight: a short way asks for nothing new. Pure. */
export function stillsWindow(view: TimelineView): TimelineView {
  const stepMs = 2 ** Math.floor(Math.log2(lengthOf(view) / 2));
  return {
    fromMs: Math.floor(view.fromMs / stepMs) * stepMs,
    untilMs: Math.ceil(view.untilMs / stepMs) * stepMs,
  };
}

interface Answer extends TimelineView {
  readonly stills: readonly KeptStill[];
}

async function readStills(
  cameraId: string,
  { fromMs, untilMs }: TimelineView,
  count: number,
  signal: AbortSignal,
): Promise<Answer> {
  const query = { from: iso(fromMs), until: iso(untilMs), count };
  const options = { params: { id: cameraId }, query, signal };
  const { results } = await call(playbackRoutes.stills, options);
  const stills = results.map(({ at, jpeg }) => ({
    ms: Date.parse(at),
    source: `data:image/jpeg;base64,${jpeg}`,
  }));
  return { fromMs, untilMs, stills };
}

const answersOf = (queries: readonly { readonly data: Answer | undefined }[]) =>
  queries.map(({ data }) => data);

/** Without them the timeline does all it does otherwise: a failure is not reported. */
export function useStills(cameraIds: readonly string[], view: TimelineView, scrub: Scrub): void {
  const window = stillsWindow(view);
  const count = Math.floor(mostStills / Math.max(1, cameraIds.length));
  const answers = useQueries({
    queries: cameraIds.map((cameraId) => ({
      queryKey: [area, 'stills', cameraId, window] as const,
      queryFn: ({ signal }: { signal: AbortSignal }) => readStills(cameraId, window, count, signal),
      staleTime: againMs,
      refetchInterval: () => (view.untilMs >= Date.now() ? againMs : false),
      gcTime: againMs,
    })),
    combine: answersOf,
  });
  useEffect(() => {
    answers.forEach((answer, index) => {
      const cameraId = cameraIds[index];
      if (answer !== undefined && cameraId !== undefined)
        scrub.stillsOf(cameraId).put(answer, answer.stills);
    });
    // oxlint-disable-next-line react/exhaustive-deps -- the ids are another list at each render, the answers are theirs
  }, [scrub, answers]);
}
