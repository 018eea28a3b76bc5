/**
 * What is recorded when, for one camera or several at once: spans, gaps with their causes, motion, and who was seen.
 */
import { isTooLong, maxPeriodDays } from '@nazar/contract/fields.ts';
import type { CameraTimeline, TimelineQuery } from '@nazar/contract/recordings.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { allCells } from '#media/protocol/motion-grid.ts';
import { shownCells, type HiddenFrom } from './hidden-motion.ts';
import type { PlayableCameras } from './playable-cameras.ts';
import type { Period, TimelineStore } from './timeline-store.ts';

export interface TimelinesOptions {
  readonly store: TimelineStore;
  readonly playable: Pick<PlayableCameras, 'mustPlay'>;
  readonly cameras: HiddenFrom;
  readonly clock: Clock;
}

const dayMs = 24 * 60 * 60_000;

export class Timelines {
  readonly #options: TimelinesOptions;

  constructor(options: TimelinesOptions) {
    this.#options = options;
  }

  /** Returns timelines in the order asked for. Throws camera_not_found, forbidden, period_too_long. */
  async of(
    scope: Scope,
    asked: readonly string[],
    query: TimelineQuery,
  ): Promise<CameraTimeline[]> {
    const { store, playable, cameras, clock } = this.#options;
    const now = new Date(clock.now());
    const period = periodOf(query, now);
    const cameraIds = [...new Set(asked)];
    await playable.mustPlay(scope, cameraIds);
    const shown = await shownCells(cameras, scope, allCells, cameraIds);
    const [spans, gaps, motion, faces] = await Promise.all([
      store.spans(cameraIds, period, now),
      store.gaps(cameraIds, period),
      store.motion(cameraIds, period, shown),
      store.presences(scope, cameraIds, period),
    ]);
    const spansOf = byCamera(spans);
    const gapsOf = byCamera(gaps);
    const motionOf = byCamera(motion);
    const facesOf = byCamera(faces);
    return cameraIds.map((id) => ({
      camera_id: id,
      spans: spansOf(id).map((span) => ({ type: span.type, ...times(span) })),
      gaps: gapsOf(id).map(({ cause, started_at, ended_at }) => ({
        cause,
        started_at: started_at.toISOString(),
        ended_at: ended_at?.toISOString() ?? null,
      })),
      motion: motionOf(id).map(times),
      faces: facesOf(id).map((face) => ({
        is_known: face.is_known,
        person_id: face.person_id,
        person_name: face.person_name,
        visits: face.visits,
        ...times(face),
      })),
    }));
  }
}

export function periodOf({ from, until, resolution_ms }: TimelineQuery, now: Date): Period {
  const end = until === undefined ? now : new Date(until);
  const begin = new Date(from ?? end.getTime() - dayMs);
  if (isTooLong(begin.getTime(), end.getTime())) {
    throw new Problem('period_too_long', { field: 'from', max: maxPeriodDays });
  }
  return { from: begin, until: end, resolutionMs: resolution_ms };
}

const times = ({ started_at, ended_at }: { started_at: Date; ended_at: Date }) => ({
  started_at: started_at.toISOString(),
  ended_at: ended_at.toISOString(),
});

function byCamera<Row extends { readonly camera_id: string }>(rows: readonly Row[]) {
  const groups = Map.groupBy(rows, ({ camera_id }) => camera_id);
  return (cameraId: string): readonly Row[] => groups.get(cameraId) ?? [];
}
