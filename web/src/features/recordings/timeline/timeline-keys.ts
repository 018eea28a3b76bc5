/** What keys do on the timeline and its handles. Pure. */
import { lengthOf, zoomed, type TimelineView } from './timeline-view.ts';

const secondMs = 1000;
/** How far keys move, as shares of the time in sight. */
const smallShare = 1 / 120;
const largeShare = 1 / 10;
const zoomFactor = 1.5;

/** Where a key leads from that moment; null: it leads nowhere. */
export function keyMoment(key: string, atMs: number, view: TimelineView): number | null {
  const small = Math.max(secondMs, Math.round((lengthOf(view) * smallShare) / secondMs) * secondMs);
  const large = lengthOf(view) * largeShare;
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return atMs - small;
    case 'ArrowRight':
    case 'ArrowUp':
      return atMs + small;
    case 'PageDown':
      return atMs - large;
    case 'PageUp':
      return atMs + large;
    case 'Home':
      return view.fromMs;
    case 'End':
      return view.untilMs - secondMs;
    default:
      return null;
  }
}

/** Null: this key does not zoom. */
export function keyView(
  key: string,
  view: TimelineView,
  atMs: number,
  nowMs: number,
): TimelineView | null {
  if (key === '+' || key === '=') return zoomed(view, zoomFactor, atMs, nowMs);
  if (key === '-' || key === '_') return zoomed(view, 1 / zoomFactor, atMs, nowMs);
  return null;
}
