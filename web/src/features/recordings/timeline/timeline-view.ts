/** The time that a timeline has in sight, and how it is moved and zoomed. Pure; all in milliseconds since 1970. */
export interface TimelineView {
  readonly fromMs: number;
  readonly untilMs: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export const shortestMs = 2 * minuteMs;
export const longestMs = 30 * dayMs;

/** Nothing was recorded before; a camera's clock is never trusted. */
const earliestMs = Date.UTC(2000, 0, 1);
/** What may be seen of the time to come, of what is in sight: a day that goes on is shown whole. */
const comingMs = dayMs;

export const lengthOf = ({ fromMs, untilMs }: TimelineView): number => untilMs - fromMs;

const between = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

/** Neither longer nor shorter than may be, and not beyond what can be recorded by now. */
export function clamped(view: TimelineView, nowMs: number): TimelineView {
  const length = between(lengthOf(view), shortestMs, longestMs);
  const latestMs = nowMs + Math.min(comingMs, length);
  const fromMs = between(view.fromMs, earliestMs, latestMs - length);
  return { fromMs, untilMs: fromMs + length };
}

/** A factor above 1 shows less time, larger; what lies at `aroundMs` stays where it is. */
export function zoomed(
  view: TimelineView,
  factor: number,
  aroundMs: number,
  nowMs: number,
): TimelineView {
  const length = between(lengthOf(view) / factor, shortestMs, longestMs);
  const share = (aroundMs - view.fromMs) / lengthOf(view);
  const fromMs = aroundMs - share * length;
  return clamped({ fromMs, untilMs: fromMs + length }, nowMs);
}

export const panned = (view: TimelineView, byMs: number, nowMs: number): TimelineView =>
  clamped({ fromMs: view.fromMs + byMs, untilMs: view.untilMs + byMs }, nowMs);

export const holds = ({ fromMs, untilMs }: TimelineView, ms: number): boolean =>
  ms >= fromMs && ms < untilMs;

/** As long as before, with that moment in sight: in the middle, where it was not. */
export function showing(view: TimelineView, ms: number, nowMs: number): TimelineView {
  if (holds(view, ms)) return view;
  return panned(view, ms - (view.fromMs + view.untilMs) / 2, nowMs);
}

/** In fractions of the width: 0 is the left edge. */
export const shareOf = (view: TimelineView, ms: number): number =>
  (ms - view.fromMs) / lengthOf(view);
export const momentAt = (view: TimelineView, share: number): number =>
  view.fromMs + share * lengthOf(view);

/** The coarsest that the server takes. */
const coarsestMs = dayMs;

/**
 * What a screen of so many pixels can't distinguish. Always a power of two, so that zooming a little asks for nothing
 * new.
 */
export function resolutionOf(view: TimelineView, widthPx: number): number {
  const pixelMs = lengthOf(view) / Math.max(1, widthPx);
  return Math.min(coarsestMs, 2 ** Math.max(0, Math.floor(Math.log2(pixelMs))));
}

/** What is asked of the server. */
export interface TimelineWindow extends TimelineView {
  readonly resolutionMs: number;
}

/** Its steps are so many pixels long: moving by less asks for nothing new. */
const stepPx = 512;

/** What is in sight and something on both sides, so that a short way finds it drawn already. */
export function windowOf(view: TimelineView, widthPx: number): TimelineWindow {
  const resolutionMs = resolutionOf(view, widthPx);
  const stepMs = resolutionMs * stepPx;
  return {
    fromMs: (Math.floor(view.fromMs / stepMs) - 1) * stepMs,
    untilMs: (Math.ceil(view.untilMs / stepMs) + 1) * stepMs,
    resolutionMs,
  };
}
