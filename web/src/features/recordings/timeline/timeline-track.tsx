/**
 * The timeline itself: a slider for keys and screen readers, a drawing and gestures for everyone else. What
 * moves with each frame is moved without rendering anew.
 */
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import type { Transport } from '#parts/player/recorded/transport.ts';
import { AtMoment } from './at-moment.tsx';
import { Gestures } from './gestures.ts';
import { heightPx } from './layout.ts';
import { nearOf, useMomentWords } from './moment-words.ts';
import { PreviewBubble } from './preview-bubble.tsx';
import type { Scrub } from './scrub.ts';
import { TimelineCanvas } from './timeline-canvas.tsx';
import type { TimelineMark } from './draw-timeline.ts';
import { keyMoment, keyView } from './timeline-keys.ts';
import type { TimelineRow } from './timeline-data.ts';
import { useFollow, type TimelineState } from './timeline-state.ts';
import { showing } from './timeline-view.ts';
import { useFrame } from './use-frame.ts';
import { useWidth } from './use-width.ts';

export interface TimelineTrackProps {
  state: TimelineState;
  scrub: Scrub;
  playback: Transport;
  cameras: readonly { readonly id: string; readonly name: string }[];
  rows: readonly (TimelineRow | null)[];
  marks: readonly TimelineMark[];
  timezone: string;
  onSeek: (ms: number) => void;
  onScrub: (ms: number | null) => void;
  /** Lies above the drawing and takes its own gestures: the handles of a selection. */
  children: (widthPx: number) => ReactNode;
}

/** Keys that are held are followed by one seek. */
const seekRestMs = 300;
const followMs = 1500;

/** Where the playhead stands: dragged, led by keys, or with the picture, also one that is on its way. */
const headOf = ({ scrub, state, playback }: TimelineTrackProps): number | null =>
  scrub.moment.get() ?? state.cursor.get() ?? playback.momentMs.get();

const middleOf = ({ state }: TimelineTrackProps): number =>
  (state.view.get().fromMs + state.view.get().untilMs) / 2;

function useGestures(props: TimelineTrackProps, track: React.RefObject<HTMLElement | null>) {
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const gestures = useRef<Gestures>(null);
  useEffect(() => {
    if (track.current === null) return undefined;
    const { state, scrub, playback } = latest.current;
    const seek = (ms: number): void => {
      state.cursor.set(null);
      // Keys may have led elsewhere, and their still may not have given way yet.
      if (scrub.moment.get() !== null) scrub.to(ms);
      latest.current.onSeek(ms);
      scrub.settle(playback);
    };
    const made = new Gestures(track.current, {
      view: state.view,
      headMs: () => headOf(latest.current),
      now: () => Date.now(),
      onSeek: seek,
      onScrub: (ms) => {
        scrub.to(ms);
        latest.current.onScrub(ms);
      },
      onScrubbed: (ms) => {
        latest.current.onScrub(null);
        if (ms === null) scrub.end();
        else seek(ms);
      },
      onPoint: (pointed) => state.pointed.set(pointed),
    });
    gestures.current = made;
    return () => {
      gestures.current = null;
      made[Symbol.dispose]();
    };
  }, [track]);
  return () => gestures.current?.isBusy === true;
}

/** Keys lead a cursor, which shows what is there also in a gap; when they rest, it is sought. */
function useKeys(props: TimelineTrackProps) {
  const { state, scrub, playback, onSeek } = props;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(
    () =>
      playback.shownMs.subscribe(() => {
        const [cursor, shown] = [state.cursor.get(), playback.shownMs.get()];
        const isThere = cursor !== null && shown !== null && Math.abs(shown - cursor) < followMs;
        if (isThere) state.cursor.set(null);
      }),
    [playback, state],
  );
  return (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const atMs = headOf(props) ?? middleOf(props);
    const now = Date.now();
    const view = keyView(event.key, state.view.get(), atMs, now);
    const wanted = keyMoment(event.key, atMs, state.view.get());
    if (view === null && wanted === null) return;
    event.preventDefault();
    if (view !== null) state.view.set(view);
    if (wanted === null) return;
    const ms = Math.min(wanted, now);
    state.cursor.set(ms);
    state.view.set(showing(state.view.get(), ms, now));
    scrub.to(ms);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // Another moment was chosen meanwhile.
      if (scrub.moment.get() !== ms) return;
      onSeek(ms);
      scrub.settle(playback);
    }, seekRestMs);
  };
}

/** Sets what the slider says to screen readers, once a second at most while it plays. */
function useSpoken(props: TimelineTrackProps, track: React.RefObject<HTMLElement | null>): void {
  const { state, scrub, playback, cameras, rows, marks, timezone } = props;
  const words = useMomentWords({ cameras, rows, marks, timezone });
  const { t } = useTranslation();
  const tell = useFrame(() => {
    const element = track.current;
    if (element === null) return;
    const { fromMs, untilMs } = state.view.get();
    const ms = headOf(props);
    const second = Math.floor((ms ?? fromMs) / 1000);
    const text = ms === null ? t('timeline.nowhere') : words(ms, nearOf(state.view.get()));
    const attributes: Record<string, string> = {
      'aria-valuemin': String(Math.min(second, Math.floor(fromMs / 1000))),
      'aria-valuemax': String(Math.max(second, Math.floor(untilMs / 1000))),
      'aria-valuenow': String(second),
      'aria-valuetext': text,
    };
    for (const [name, value] of Object.entries(attributes)) {
      if (element.getAttribute(name) !== value) element.setAttribute(name, value);
    }
  });
  useEffect(tell);
  useEffect(() => {
    const watched = [state.view, state.cursor, scrub.moment, playback.momentMs];
    const stops = watched.map((one) => one.subscribe(tell));
    return () => stops.forEach((stop) => stop());
  }, [state, scrub, playback, tell]);
}

export function TimelineTrack(props: TimelineTrackProps) {
  const { state, scrub, playback, cameras, rows, marks, timezone, children } = props;
  const { t } = useTranslation();
  const track = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(track);
  const isBusy = useGestures(props, track);
  useFollow(playback, state, isBusy);
  useSpoken(props, track);
  const press = useKeys(props);
  const names = cameras.map(({ name }) => name);
  return (
    <div className="relative" style={{ height: heightPx(cameras.length) }}>
      <PreviewBubble
        state={state}
        scrub={scrub}
        cameras={cameras}
        rows={rows}
        marks={marks}
        timezone={timezone}
        widthPx={widthPx}
      />
      <div
        ref={track}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a range input neither zooms nor draws
        role="slider"
        tabIndex={0}
        aria-label={t('timeline.label', { names: joined(names, ', ') })}
        aria-valuenow={0}
        onKeyDown={press}
        className="absolute inset-0 cursor-pointer touch-pan-y overflow-hidden select-none"
      >
        <TimelineCanvas
          state={state}
          rows={rows}
          names={names}
          marks={marks}
          timezone={timezone}
          widthPx={widthPx}
        />
        <AtMoment
          state={state}
          ms={() => headOf(props)}
          watched={[state.cursor, scrub.moment, playback.momentMs]}
          widthPx={widthPx}
          className="pointer-events-none absolute inset-y-0 left-0 -ml-px w-0.5 bg-danger before:absolute before:-left-[5px] before:size-3 before:rounded-full before:border-2 before:border-surface before:bg-danger"
        />
      </div>
      {children(widthPx)}
    </div>
  );
}
