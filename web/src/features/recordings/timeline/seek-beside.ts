/** The next movement or person, or the one before: first in what is drawn, then asked of the server further and further. */
import { readRows, type TimelineRow } from './timeline-data.ts';
import { beginningBeside, lastEndBefore, type Direction, type Sought } from './what-is-there.ts';

export interface Beside {
  readonly cameraIds: readonly string[];
  readonly sought: Sought;
  readonly atMs: number;
  readonly direction: Direction;
  readonly nowMs: number;
}

const dayMs = 24 * 60 * 60_000;
const reachDays = [1, 31, 365] as const;
/** A day is asked for as finely as a reader steps through it. */
const fineMs = 1000;
/** A longer time is asked for in at most so many pieces: motion never stops, but no person may come for months. */
const mostPieces = 2000;

/** Null: there is none within a year. Throws a `Problem`. */
export async function seekBeside(beside: Beside, signal: AbortSignal): Promise<number | null> {
  const { sought, atMs, direction, nowMs } = beside;
  let nearMs = atMs;
  for (const days of reachDays) {
    const farMs = atMs + direction * days * dayMs;
    const resolutionMs = days === 1 ? fineMs : Math.ceil((days * dayMs) / mostPieces);
    const rows = await readBetween(beside, nearMs, farMs, resolutionMs, signal);
    const found = beginningBeside(rows, sought, atMs, direction);
    // What lies close together is one and begins with the first of it; going back, the last is the next.
    if (found !== null && direction === -1 && resolutionMs > fineMs) {
      return (await lastBefore(beside, rows, signal)) ?? found;
    }
    if (found !== null) return found;
    if (direction === 1 && farMs >= nowMs) break;
    nearMs = farMs;
  }
  return null;
}

const readBetween = (
  { cameraIds }: Beside,
  oneMs: number,
  otherMs: number,
  resolutionMs: number,
  signal: AbortSignal,
): Promise<TimelineRow[]> => {
  const [fromMs, untilMs] = [Math.min(oneMs, otherMs), Math.max(oneMs, otherMs)];
  return readRows(cameraIds, { fromMs, untilMs, resolutionMs }, signal);
};

/** A visit lasts a day at most, so that the last one begins within the day before all of them end. */
async function lastBefore(
  beside: Beside,
  rows: readonly TimelineRow[],
  signal: AbortSignal,
): Promise<number | null> {
  const { sought, atMs } = beside;
  const endMs = Math.min(atMs, lastEndBefore(rows, sought, atMs));
  const fine = await readBetween(beside, endMs - dayMs, endMs, fineMs, signal);
  return beginningBeside(fine, sought, atMs, -1);
}
