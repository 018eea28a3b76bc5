/**
 * What the server knows of the time in sight, for drawing. It is asked for more than is in sight and only when zooming
 * and panning rest; what was drawn stays until the new is here. The end that grows is asked again, and more seldom all
 * the rest, so that what another user deletes goes away by itself.
 */
import { recordingRoutes, type CameraTimeline, type GapCause } from '@nazar/contract/recordings.ts';
import type { RecordingType } from '@nazar/contract/recording-states.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import type { Area } from '#api/query.ts';
import type { TimelineWindow } from './timeline-view.ts';

interface Lasting {
  readonly fromMs: number;
  readonly untilMs: number;
}
export interface Span extends Lasting {
  readonly type: RecordingType;
}
export interface Gap extends Lasting {
  readonly cause: GapCause;
}
export interface VisitSpan extends Lasting {
  /** Null: unknown, or the reader may not know who it is. */
  readonly name: string | null;
  readonly isKnown: boolean;
}

/** All sorted by their beginning. */
export interface TimelineRow {
  readonly cameraId: string;
  readonly spans: readonly Span[];
  readonly gaps: readonly Gap[];
  readonly motion: readonly Lasting[];
  readonly visits: readonly VisitSpan[];
}

/** A file lasts ten seconds. */
const growingMs = 5000;
const restMs = 30_000;
/** The last few of many places that the reader passes are kept. */
const keptMs = 60_000;

const area: Area = 'recordings';
const iso = (ms: number): string => new Date(ms).toISOString();

const lasting = (one: { started_at: string; ended_at: string | null }): Lasting => ({
  fromMs: Date.parse(one.started_at),
  untilMs: one.ended_at === null ? Infinity : Date.parse(one.ended_at),
});
const byBeginning = (one: Lasting, other: Lasting): number => one.fromMs - other.fromMs;

export function rowOf({ camera_id, spans, gaps, motion, faces }: CameraTimeline): TimelineRow {
  return {
    cameraId: camera_id,
    spans: spans.map((span) => ({ type: span.type, ...lasting(span) })).sort(byBeginning),
    gaps: gaps.map((gap) => ({ cause: gap.cause, ...lasting(gap) })).sort(byBeginning),
    motion: motion.map(lasting).sort(byBeginning),
    visits: faces
      .map((one) => ({ name: one.person_name, isKnown: one.is_known, ...lasting(one) }))
      .sort(byBeginning),
  };
}

/** Throws a `Problem`. In the order of the cameras. */
export async function readRows(
  cameraIds: readonly string[],
  { fromMs, untilMs, resolutionMs }: TimelineWindow,
  signal: AbortSignal,
): Promise<TimelineRow[]> {
  const query = { from: iso(fromMs), until: iso(untilMs), resolution_ms: resolutionMs };
  const [only, ...others] = cameraIds;
  if (only === undefined) return [];
  if (others.length === 0) {
    const one = await call(recordingRoutes.timeline, { params: { id: only }, query, signal });
    return [rowOf(one)];
  }
  const cameras = cameraIds.join(',');
  const { results } = await call(recordingRoutes.timelines, {
    query: { ...query, cameras },
    signal,
  });
  return cameraIds.flatMap((id) => results.filter(({ camera_id }) => camera_id === id).map(rowOf));
}

/** `seenUntilMs`: where what is in sight ends. */
export function rowsQuery(
  cameraIds: readonly string[],
  window: TimelineWindow,
  seenUntilMs: number,
) {
  return queryOptions({
    queryKey: [area, 'timeline', cameraIds.join(','), window] as const,
    queryFn: ({ signal }) => readRows(cameraIds, window, signal),
    placeholderData: keepPreviousData,
    staleTime: growingMs,
    refetchInterval: () => (seenUntilMs >= Date.now() ? growingMs : restMs),
    gcTime: keptMs,
  });
}
