/**
 * Which segments make one recording: those of one camera and one reason that follow one another. A recording without
 * end is split at each full hour (UTC), so that a list of recordings stays readable. Pure.
 */
import type { RecordingType } from '@nazar/contract/recording-states.ts';

/** A camera that is back sooner continues the same recording, with a gap in it. */
const pauseMs = 60_000;
const hourMs = 60 * 60_000;

export interface Run {
  readonly type: RecordingType;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** Whether a segment of that type and start continues this recording. */
export function goesOn(run: Run, type: RecordingType, startedAtMs: number): boolean {
  if (run.type !== type || startedAtMs - run.endedAtMs > pauseMs) return false;
  const isEndless = type === 'continuous';
  return !isEndless || hourOf(run.startedAtMs) === hourOf(startedAtMs);
}

const hourOf = (ms: number): number => Math.floor(ms / hourMs);
