/** The next movement or person, or the one before: first in what is drawn, then asked of the server further and further. */
import { readRows, type TimelineRow } from './timeline-data.ts';
import { beginningBeside, type Direction, type Sought } from './what-is-there.ts';

export interface Beside {
  readonly cameraIds: readonly string[];
  readonly sought: Sought;
  readonly atMs: number;
  readonly direction: Direction;
  readonly nowMs: number;
}

const dayMs = 24 * 60 * 60_000;
/** How far to look for it, and how closely: what lies nearer together than the resolution is one. */
const reaches = [
  { days: 1, resolutionMs: 1000 },
  { days: 31, resolutionMs: 10_000 },
  { days: 365, resolutionMs: 60_000 },
] as const;

/** Null: there is none within a year. Throws a `Problem`. */
export async function seekBeside(beside: Beside, signal: AbortSignal): Promise<number | null> {
  const { cameraIds, sought, atMs, direction, nowMs } = beside;
  for (const { days, resolutionMs } of reaches) {
    const fromMs = direction === 1 ? atMs : atMs - days * dayMs;
    const untilMs = direction === 1 ? atMs + days * dayMs : atMs;
    const window = { fromMs, untilMs, resolutionMs };
    const rows: TimelineRow[] = await readRows(cameraIds, window, signal);
    const found = beginningBeside(rows, sought, atMs, direction);
    if (found !== null) return found;
    if (direction === 1 && untilMs >= nowMs) break;
  }
  return null;
}
