/** The two ends of a selected time, each a slider of its own, and the band between them. */
import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { momentTime } from './moment-words.ts';
import { keyMoment } from './timeline-keys.ts';
import type { TimelineState } from './timeline-state.ts';
import { momentAt, shareOf, showing } from './timeline-view.ts';
import { useFrame } from './use-frame.ts';

export interface TimeSelection {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface SelectionHandlesProps {
  state: TimelineState;
  selection: TimeSelection;
  onSelection: (selection: TimeSelection) => void;
  timezone: string;
  widthPx: number;
}

type End = 'fromMs' | 'untilMs';
/** What is selected is never shorter. */
const shortestMs = 1000;
/** Nor longer: what is exported at once (contract/src/exports.ts). */
const longestMs = 24 * 60 * 60_000;

/** Where an end may lie while the other one stays. */
const limitsOf = ({ fromMs, untilMs }: TimeSelection, end: End): readonly [number, number] =>
  end === 'fromMs'
    ? [untilMs - longestMs, untilMs - shortestMs]
    : [fromMs + shortestMs, fromMs + longestMs];

/** One end elsewhere: it does not pass the other one. Pure. */
export function withEnd(selection: TimeSelection, end: End, ms: number): TimeSelection {
  const [first, last] = limitsOf(selection, end);
  return { ...selection, [end]: Math.min(last, Math.max(first, ms)) };
}

const seconds = (ms: number): number => Math.floor(ms / 1000);

function Handle({ end, ...props }: SelectionHandlesProps & { end: End }) {
  const { state, selection, onSelection, timezone, widthPx } = props;
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const atMs = selection[end];
  const [first, last] = limitsOf(selection, end);
  const place = useFrame(() => {
    if (box.current === null) return;
    // An end out of sight waits at the edge, where it can be taken hold of.
    const share = Math.min(1, Math.max(0, shareOf(state.view.get(), atMs)));
    box.current.style.transform = `translateX(${share * widthPx}px)`;
    // Where both lie at one place, the one that has the longer way to go lies above.
    const isAbove = share > 0.5 === (end === 'fromMs');
    box.current.style.zIndex = isAbove ? '11' : '10';
  });
  useEffect(place);
  useEffect(() => state.view.subscribe(place), [state, place]);
  const press = (event: KeyboardEvent): void => {
    const view = state.view.get();
    const ms = keyMoment(event.key, atMs, view);
    if (ms === null || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = withEnd(selection, end, ms);
    onSelection(next);
    state.view.set(showing(view, next[end], Date.now()));
  };
  const drag = (event: PointerEvent<HTMLElement>): void => {
    const left = box.current?.parentElement?.getBoundingClientRect().left ?? 0;
    if (!event.currentTarget.hasPointerCapture?.(event.pointerId)) return;
    const share = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, widthPx)));
    onSelection(withEnd(selection, end, Math.round(momentAt(state.view.get(), share))));
  };
  return (
    <div
      ref={box}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- two of them share one scale, which zooms
      role="slider"
      tabIndex={0}
      aria-label={t(end === 'fromMs' ? 'timeline.selectionStart' : 'timeline.selectionEnd')}
      aria-valuemin={seconds(Math.min(first, atMs))}
      aria-valuemax={seconds(Math.max(last, atMs))}
      aria-valuenow={seconds(atMs)}
      aria-valuetext={momentTime(atMs, timezone)}
      onKeyDown={press}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture?.(pointerId)}
      onPointerMove={drag}
      className="absolute inset-y-0 left-0 -ml-3 w-6 cursor-ew-resize touch-none touch:-ml-[22px] touch:w-11"
    >
      <span className="mx-auto block h-full w-1 rounded-full bg-primary" />
      <span className="absolute top-1/2 left-1/2 h-6 w-3 -translate-1/2 rounded-full border-2 border-surface bg-primary" />
    </div>
  );
}

function Band({ state, selection, widthPx }: SelectionHandlesProps) {
  const box = useRef<HTMLDivElement>(null);
  const place = useFrame(() => {
    if (box.current === null) return;
    const inside = (ms: number): number =>
      Math.min(1, Math.max(0, shareOf(state.view.get(), ms))) * widthPx;
    const [left, right] = [inside(selection.fromMs), inside(selection.untilMs)];
    box.current.style.transform = `translateX(${left}px)`;
    box.current.style.width = `${right - left}px`;
  });
  useEffect(place);
  useEffect(() => state.view.subscribe(place), [state, place]);
  return (
    <div
      ref={box}
      aria-hidden
      className="pointer-events-none absolute inset-y-0 left-0 border-y-2 border-primary bg-primary/15"
    />
  );
}

export function SelectionHandles(props: SelectionHandlesProps) {
  return (
    <>
      <Band {...props} />
      <Handle {...props} end="fromMs" />
      <Handle {...props} end="untilMs" />
    </>
  );
}
