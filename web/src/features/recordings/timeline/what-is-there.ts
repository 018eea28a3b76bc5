/** What a timeline has at a moment, and where the next movement or person is. Pure. */
import type { Gap, Span, TimelineRow, VisitSpan } from './timeline-data.ts';

interface Lasting {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface There {
  readonly span: Span | null;
  /** What says most closely why nothing is recorded. */
  readonly gap: Gap | null;
  readonly moves: boolean;
  readonly visits: readonly VisitSpan[];
}

/** What lasts shorter than a pixel is hit as well: `nearMs` is as long as one or two. */
const isAt =
  (ms: number, nearMs: number) =>
  ({ fromMs, untilMs }: Lasting): boolean =>
    ms >= fromMs - nearMs && ms < untilMs + nearMs;

export function whatIsAt(row: TimelineRow, ms: number, nearMs = 0): There {
  const span = row.spans.findLast(isAt(ms, 0)) ?? null;
  return {
    span,
    gap: span === null ? (row.gaps.findLast(isAt(ms, 0)) ?? null) : null,
    moves: row.motion.some(isAt(ms, nearMs)),
    visits: row.visits.filter(isAt(ms, nearMs)),
  };
}

export type Sought = 'motion' | 'people';
export type Direction = -1 | 1;

/** Unlike a moment that plays on: what began just now is the one that is shown. */
const sameMs = 500;
/** Pressed again soon after, the way leads further back and not to the same beginning. */
const backMs = 2500;

const soughtIn = (rows: readonly TimelineRow[], sought: Sought): readonly Lasting[] =>
  rows.flatMap((row): readonly Lasting[] => (sought === 'motion' ? row.motion : row.visits));

/** The beginning that comes after that moment, or before it; null: none in these rows. */
export function beginningBeside(
  rows: readonly TimelineRow[],
  sought: Sought,
  ms: number,
  direction: Direction,
): number | null {
  const starts = soughtIn(rows, sought).map(({ fromMs }) => fromMs);
  if (direction === 1) {
    const later = starts.filter((start) => start > ms + sameMs);
    return later.length === 0 ? null : Math.min(...later);
  }
  const earlier = starts.filter((start) => start < ms - backMs);
  return earlier.length === 0 ? null : Math.max(...earlier);
}

/** When the last of what begins before that moment ends; -Infinity: nothing does. */
export const lastEndBefore = (rows: readonly TimelineRow[], sought: Sought, ms: number): number =>
  soughtIn(rows, sought)
    .filter(({ fromMs }) => fromMs < ms - backMs)
    .reduce((latest, { untilMs }) => Math.max(latest, untilMs), -Infinity);
