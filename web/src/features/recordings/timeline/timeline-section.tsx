/** The whole of a timeline: what leads through it, the track, and what its shapes mean. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { problemSentence } from '#api/problem.ts';
import { cx } from '#lib/class-names.ts';
import { useTranslation } from '#lib/i18n.ts';
import type { Transport } from '#parts/player/recorded/transport.ts';
import { Button } from '#ui/button.tsx';
import type { TimelineMark } from './draw-timeline.ts';
import { GoToMoment } from './go-to-moment.tsx';
import { Legend } from './legend.tsx';
import { useScrub, type Scrub } from './scrub.ts';
import { SelectionHandles, type TimeSelection } from './selection-handles.tsx';
import { useStills } from './stills-query.ts';
import { TimelineButtons } from './timeline-buttons.tsx';
import { rowsQuery } from './timeline-data.ts';
import { useRestingView, useTimelineState } from './timeline-state.ts';
import { TimelineTrack } from './timeline-track.tsx';
import { holds, showing, windowOf, zoomed } from './timeline-view.ts';
import { useBeside } from './use-beside.ts';

export interface RecordedTimelineProps {
  /** One to nine. */
  cameras: readonly { readonly id: string; readonly name: string }[];
  playback: Transport;
  timezone: string;
  /** What is in sight at first, and whenever these change: a day. */
  fromMs: number;
  untilMs: number;
  onSeek: (ms: number) => void;
  /** The moment that is dragged to; null: dragging has ended. */
  onScrub?: (ms: number | null) => void;
  /** From `useScrub`, where a `ScrubStill` shows stills over the player. */
  scrub?: Scrub;
  /** With it two handles are shown. */
  selection?: TimeSelection | null;
  onSelection?: (selection: TimeSelection) => void;
  /** Bookmarks. */
  marks?: readonly TimelineMark[];
  className?: string;
}

const noMarks: readonly TimelineMark[] = [];
/** Screens are asked for in steps of this, so that a window that is drawn wider asks for nothing new. */
const usualPx = 1024;

function useRows(props: RecordedTimelineProps, view: { fromMs: number; untilMs: number }) {
  const ids = props.cameras.map(({ id }) => id);
  const window = windowOf(view, usualPx);
  const query = useQuery(rowsQuery(ids, window, view.untilMs));
  const rows = ids.map((id) => query.data?.find(({ cameraId }) => cameraId === id) ?? null);
  return { ...query, ids, rows, window };
}

export function TimelineSection(props: RecordedTimelineProps) {
  const { cameras, playback, timezone, fromMs, untilMs, onSeek, onScrub } = props;
  const { selection = null, onSelection, marks = noMarks, className } = props;
  const { t } = useTranslation();
  const own = useScrub();
  const scrub = props.scrub ?? own;
  const state = useTimelineState(fromMs, untilMs);
  const view = useRestingView(state);
  const { rows, ids, window, data, isPlaceholderData, error, isError, refetch } = useRows(
    props,
    view,
  );
  useStills(ids, view, scrub);
  useEffect(() => {
    // Data of another window say nothing about this one: its stills stay until its own data are here.
    if (isPlaceholderData) return;
    for (const row of data ?? []) scrub.stillsOf(row.cameraId).keep(window, row.spans);
    // oxlint-disable-next-line react/exhaustive-deps -- the window is another object at each render, the data are its
  }, [scrub, data, isPlaceholderData]);
  const inSight = (): number => {
    const { fromMs: first, untilMs: last } = state.view.get();
    return (first + last) / 2;
  };
  /** The moment the reader watches: the playhead where it is in sight. */
  const aroundMs = (): number => {
    const head = state.cursor.get() ?? playback.momentMs.get();
    return head !== null && holds(state.view.get(), head) ? head : inSight();
  };
  const go = (ms: number): void => {
    state.cursor.set(null);
    scrub.end();
    state.view.set(showing(state.view.get(), ms, Date.now()));
    onSeek(ms);
  };
  const { said, beside } = useBeside({
    cameraIds: ids,
    rows,
    view: state.view.get,
    atMs: aroundMs,
    onFound: go,
  });
  const zoom = (factor: number): void =>
    state.view.set(zoomed(state.view.get(), factor, aroundMs(), Date.now()));
  const now = (): void => state.view.set(showing(state.view.get(), Date.now(), Date.now()));
  return (
    <section
      aria-label={t('timeline.title')}
      className={cx('grid grid-cols-1 gap-2 border-t border-line px-3 py-2', className)}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <TimelineButtons onZoom={zoom} onBeside={beside} onNow={now} />
        <GoToMoment timezone={timezone} nearMs={aroundMs} onGo={go} />
      </div>
      <TimelineTrack
        state={state}
        scrub={scrub}
        playback={playback}
        cameras={cameras}
        rows={rows}
        marks={marks}
        timezone={timezone}
        onSeek={onSeek}
        onScrub={(ms) => onScrub?.(ms)}
      >
        {(widthPx) =>
          selection !== null &&
          onSelection !== undefined && (
            <SelectionHandles
              state={state}
              selection={selection}
              onSelection={onSelection}
              timezone={timezone}
              widthPx={widthPx}
            />
          )
        }
      </TimelineTrack>
      {isError && (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-ui text-danger-text">
          {t('timeline.failed', { why: problemSentence(error) })}
          <Button size="small" look="secondary" onClick={() => void refetch()}>
            {t('ui.retry')}
          </Button>
        </p>
      )}
      <output className={cx('text-ui text-muted', said === null && 'sr-only')}>{said}</output>
      <Legend hasMarks={marks.length > 0} />
    </section>
  );
}
