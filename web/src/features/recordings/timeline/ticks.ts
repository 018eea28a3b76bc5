/** The lines of a timeline's ruler and what stands at them, by the clocks of a time zone. Pure. */
import { formatTime } from '#lib/format.ts';
import { lengthOf, type TimelineView } from './timeline-view.ts';
import { dayBeginning, momentsAt, wallMs } from './zone-time.ts';

export interface Tick {
  readonly ms: number;
  readonly label: string;
  /** A day begins here. */
  readonly isDay: boolean;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const steps = [
  ...[5, 10, 30].map((count) => count * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minuteMs),
  ...[1, 2, 3, 6, 12].map((count) => count * hourMs),
  ...[1, 2, 7].map((count) => count * dayMs),
] as const;
const largestMs = 7 * dayMs;

/** The 1st of January 1970 was a Thursday: weeks begin on Monday. */
const mondayMs = 4 * dayMs;

/** At least so much lies between two lines. */
export function stepOf(view: TimelineView, mostTicks: number): number {
  const leastMs = lengthOf(view) / Math.max(1, mostTicks);
  return steps.find((step) => step >= leastMs) ?? largestMs;
}

function labelOf(ms: number, step: number, isDay: boolean, timeZone: string): string {
  if (isDay) return formatTime(ms, { timeZone, day: 'numeric', month: 'short' });
  const second = step < minuteMs && { second: '2-digit' as const };
  return formatTime(ms, { timeZone, hour: '2-digit', minute: '2-digit', ...second });
}

/**
 * At round times of the zone: an hour that clocks skip has no line, one that they
 * repeat has two. Each day has one.
 */
export function ticksOf(view: TimelineView, mostTicks: number, timezone: string): Tick[] {
  const step = stepOf(view, mostTicks);
  const shift = step === largestMs ? mondayMs : 0;
  const ticks: Tick[] = [];
  // The widest that clocks are ever changed by, on both sides.
  const first = Math.ceil((wallMs(view.fromMs, timezone) - hourMs - shift) / step) * step + shift;
  const last = wallMs(view.untilMs, timezone) + hourMs;
  for (let wall = first; wall <= last; wall += step) {
    const isDay = wall % dayMs === 0;
    const moments = isDay ? [dayBeginning(wall, timezone)] : momentsAt(wall, timezone);
    // If a time comes twice, longer steps take the first.
    for (const ms of step > hourMs ? moments.slice(0, 1) : moments) {
      if (ms < view.fromMs || ms >= view.untilMs) continue;
      // Where clocks skip midnight, the day begins at one o'clock.
      if (ticks.at(-1)?.ms === ms) continue;
      ticks.push({ ms, label: labelOf(ms, step, isDay, timezone), isDay });
    }
  }
  return ticks.sort((one, other) => one.ms - other.ms);
}
