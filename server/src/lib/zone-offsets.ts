/**
 * How far the clocks of a place are ahead of UTC, over a stretch of time: one piece for each offset. Reading a clock by
 * `Intl` takes microseconds, so code that needs the local time of thousands of moments requests the pieces once.
 */
import { dateAt } from './local-days.ts';

export interface OffsetPiece {
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  readonly offsetMs: number;
}

const dayMs = 24 * 60 * 60_000;
const secondMs = 1_000;

/** Pieces in order, without gaps. Clocks are changed at most once a day. Throws time_zone_unknown. */
export function zoneOffsets(timeZone: string, fromMs: number, untilMs: number): OffsetPiece[] {
  const clock = clockOf(timeZone, fromMs);
  const pieces: OffsetPiece[] = [];
  let begunMs = fromMs;
  let offsetMs = clock(fromMs);
  for (let ms = fromMs; ms < untilMs; ms += dayMs) {
    const nextMs = Math.min(ms + dayMs, untilMs);
    const next = clock(nextMs);
    if (next === offsetMs) continue;
    const changedMs = changeOf(clock, ms, nextMs);
    pieces.push({ fromMs: begunMs, untilMs: changedMs, offsetMs });
    [begunMs, offsetMs] = [changedMs, next];
  }
  if (begunMs < untilMs) pieces.push({ fromMs: begunMs, untilMs, offsetMs });
  return pieces;
}

/** The first second with the later offset. */
function changeOf(clock: (ms: number) => number, fromMs: number, untilMs: number): number {
  const earlier = clock(fromMs);
  let [before, after] = [Math.floor(fromMs / secondMs), Math.floor(untilMs / secondMs)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (clock(middle * secondMs) === earlier) before = middle;
    else after = middle;
  }
  return after * secondMs;
}

function clockOf(timeZone: string, anyMs: number): (ms: number) => number {
  // Rejects text that does not name a place.
  dateAt(anyMs, timeZone);
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const shown = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return shown - Math.floor(ms / secondMs) * secondMs;
  };
}
