/** What a timeline has in sight and what is pointed at, watched without rendering anew: it moves with each frame. */
import { useEffect, useMemo, useState } from 'react';
import { signal, type Signal } from '#lib/signal.ts';
import type { Transport } from '#parts/player/recorded/transport.ts';
import type { Pointed } from './gestures.ts';
import { clamped, holds, showing, type TimelineView } from './timeline-view.ts';

export interface TimelineState {
  readonly view: Signal<TimelineView>;
  readonly pointed: Signal<Pointed | null>;
  /** Where keys have led, also into a gap that playing passes over; null: where the picture is. */
  readonly cursor: Signal<number | null>;
}

export const useTimelineState = (fromMs: number, untilMs: number): TimelineState => {
  const state = useMemo(
    (): TimelineState => ({
      view: signal(clamped({ fromMs, untilMs }, Date.now())),
      pointed: signal<Pointed | null>(null),
      cursor: signal<number | null>(null),
    }),
    // oxlint-disable-next-line react/exhaustive-deps -- only where it begins; the effect follows
    [],
  );
  useEffect(
    () => state.view.set(clamped({ fromMs, untilMs }, Date.now())),
    [state, fromMs, untilMs],
  );
  return state;
};

/** So long zooming and panning must rest before something is asked; who never rests is answered now and then. */
const restMs = 120;
const longestRestMs = 500;

export function useRestingView({ view }: TimelineState): TimelineView {
  const [rested, setRested] = useState(view.get);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let sinceMs: number | null = null;
    const tell = (): void => {
      sinceMs = null;
      setRested(view.get());
    };
    const wait = (): void => {
      sinceMs ??= Date.now();
      clearTimeout(timer);
      timer = setTimeout(tell, Math.min(restMs, sinceMs + longestRestMs - Date.now()));
    };
    tell();
    const stop = view.subscribe(wait);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [view]);
  return rested;
}

/** The moment at which the playhead stands; null: nothing was chosen yet. */
export const headOf = (playback: Transport): number | null => playback.momentMs.get();

/** A jump, and not just playing on. */
const jumpMs = 5000;

/** Keeps the playhead in sight when it leaves it or jumps; who looks elsewhere meanwhile is left there. */
export function useFollow(
  playback: Transport,
  { view }: TimelineState,
  isBusy: () => boolean,
): void {
  useEffect(() => {
    let beforeMs = playback.momentMs.get();
    return playback.momentMs.subscribe(() => {
      const [lastMs, ms] = [beforeMs, playback.momentMs.get()];
      beforeMs = ms;
      if (ms === null || isBusy() || holds(view.get(), ms)) return;
      const isJump = lastMs === null || Math.abs(ms - lastMs) > jumpMs;
      if (isJump || holds(view.get(), lastMs)) view.set(showing(view.get(), ms, Date.now()));
    });
    // oxlint-disable-next-line react/exhaustive-deps -- `isBusy` is another at each render, and says the same
  }, [playback, view]);
}
