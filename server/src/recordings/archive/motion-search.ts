/**
 * When something moved in a part of a camera's picture, found in the grids that were kept while recording: nothing is
 * decoded. Where pictures were not compared nothing is found; `compared` shows that. A caller who may not see behind
 * the camera's masks learns of no movement behind or right beside one of them, whenever it was recorded.
 */
import type { Polygon } from '@nazar/contract/polygon.ts';
import type { MotionFound, MotionQuery } from '@nazar/contract/recordings.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { decodeGrid, meet } from '#media/protocol/motion-grid.ts';
import { touchedCells } from '#media/mask/grid-cells.ts';
import { shownCells, type HiddenFrom } from './hidden-motion.ts';
import { MotionSpans } from './motion-spans.ts';
import {
  cellsAt,
  type SearchedCells,
  type MotionStore,
  type MovedSegment,
} from './motion-store.ts';
import type { PlayableCameras } from './playable-cameras.ts';
import { periodOf } from './timelines.ts';

export interface MotionSearchOptions {
  readonly store: MotionStore;
  readonly playable: Pick<PlayableCameras, 'mustPlay'>;
  readonly cameras: HiddenFrom;
  readonly clock: Clock;
}

/** Segments read at a time, and for one answer at most: where something always moves an answer ends by that. */
const batch = 1_000;
const maxSegments = 5_000;
const everywhere: Polygon = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];

export class MotionSearch {
  readonly #options: MotionSearchOptions;

  constructor(options: MotionSearchOptions) {
    this.#options = options;
  }

  /** Throws camera_not_found, forbidden, period_too_long. */
  async of(scope: Scope, cameraId: string, query: MotionQuery): Promise<MotionFound> {
    const { playable, store, clock } = this.#options;
    await playable.mustPlay(scope, [cameraId]);
    const period = periodOf(query, new Date(clock.now()));
    const { oldIsMain, ...searched } = await this.#shown(
      scope,
      cameraId,
      query.region ?? everywhere,
    );
    const spans = new MotionSpans(period, query.limit);
    let after: Date | null = null;
    for (let read = 0; !spans.isFull && read < maxSegments; read += batch) {
      const page = { after, limit: batch, oldIsMain };
      const segments = await store.moved(cameraId, period, searched, page);
      for (const segment of segments) addTo(spans, segment, searched);
      after = segments.at(-1)?.started_at ?? null;
      if (segments.length < batch) {
        spans.end();
        break;
      }
    }
    const { found, nextMs } = spans.take();
    return {
      results: found.map(({ fromMs, untilMs }) => ({
        started_at: new Date(fromMs).toISOString(),
        ended_at: new Date(untilMs).toISOString(),
      })),
      next: nextMs === null ? null : new Date(nextMs).toISOString(),
      compared: found.length > 0 || (await store.isCompared(cameraId, period)),
    };
  }

  /** `oldIsMain` null: no mask hides anything, whatever picture the cells are of. */
  async #shown(
    scope: Scope,
    cameraId: string,
    region: Polygon,
  ): Promise<SearchedCells & { readonly oldIsMain: boolean | null }> {
    const cells = touchedCells([region]);
    const shown = await shownCells(this.#options.cameras, scope, cells, [cameraId]);
    const all = { 0: cells, 90: cells, 180: cells, 270: cells };
    return shown.get(cameraId) ?? { cells: all, earlier: null, oldIsMain: null };
  }
}

function addTo(spans: MotionSpans, segment: MovedSegment, searched: SearchedCells): void {
  const cells = cellsAt(searched, segment.started_at);
  const startedAtMs = segment.started_at.getTime();
  for (const moved of decodeGrid(segment.grid)?.moved ?? []) {
    if (!meet(moved.cells, cells[segment.rotation])) continue;
    spans.add(startedAtMs + moved.fromMs, startedAtMs + moved.untilMs);
  }
}
