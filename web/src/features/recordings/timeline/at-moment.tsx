/** Something that stands at a moment of the timeline and moves with it, without rendering anew. */
import { useEffect, useRef, type ReactNode } from 'react';
import type { Signal } from '#lib/signal.ts';
import type { TimelineState } from './timeline-state.ts';
import { shareOf } from './timeline-view.ts';
import { useFrame } from './use-frame.ts';

export interface AtMomentProps {
  state: TimelineState;
  /** Null: it is nowhere. */
  ms: () => number | null;
  /** Tell that the moment is another. */
  watched: readonly Pick<Signal<unknown>, 'subscribe'>[];
  widthPx: number;
  className: string;
  children?: ReactNode;
}

export function AtMoment({ state, ms, watched, widthPx, className, children }: AtMomentProps) {
  const box = useRef<HTMLSpanElement>(null);
  const place = useFrame(() => {
    const element = box.current;
    if (element === null) return;
    const at = ms();
    const share = at === null ? -1 : shareOf(state.view.get(), at);
    element.hidden = share < 0 || share > 1;
    if (!element.hidden) element.style.transform = `translateX(${share * widthPx}px)`;
  });
  useEffect(place);
  useEffect(() => {
    const stops = [state.view, ...watched].map((one) => one.subscribe(place));
    return () => stops.forEach((stop) => stop());
    // oxlint-disable-next-line react/exhaustive-deps -- the list is another at each render, what is in it is not
  }, [state, place, ...watched]);
  return (
    <span ref={box} hidden aria-hidden className={className}>
      {children}
    </span>
  );
}
