/** The next moment of which something is recorded, however far away, and what is missing before it. */
import type { RecordedServer } from './recorded-server.ts';
import type { Gaps } from './gap-cause.ts';

export interface NextRecorded {
  /** Null: nothing up to now. */
  readonly startMs: number | null;
  readonly gaps: Gaps;
}

const dayMs = 24 * 60 * 60_000;

/** Most often it is near; the farther the search, the less its gaps need to be distinguished. Days, milliseconds. */
const reaches = [
  { days: 1, resolutionMs: 1000 },
  { days: 31, resolutionMs: 60_000 },
  { days: 365, resolutionMs: 600_000 },
] as const;

/** Throws a `Problem`. */
export async function nextRecorded(
  server: Pick<RecordedServer, 'timeline'>,
  fromMs: number,
  nowMs: number,
  signal: AbortSignal,
): Promise<NextRecorded> {
  let gaps: Gaps = [];
  for (const { days, resolutionMs } of reaches) {
    const untilMs = fromMs + days * dayMs;
    const timeline = await server.timeline({ fromMs, untilMs }, resolutionMs, signal);
    ({ gaps } = timeline);
    const starts = timeline.spans
      .filter((span) => Date.parse(span.ended_at) > fromMs)
      .map((span) => Math.max(fromMs, Date.parse(span.started_at)));
    if (starts.length > 0) return { startMs: Math.min(...starts), gaps };
    if (untilMs >= nowMs) break;
  }
  return { startMs: null, gaps };
}
