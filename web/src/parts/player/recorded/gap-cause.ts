/** Since when nothing was recorded, and why: the cause that holds for most of a time. Pure. */
import type { CameraTimeline, GapCause } from '@nazar/contract/recordings.ts';
import type { Hole } from './media-map.ts';

export type Gaps = CameraTimeline['gaps'];

export function gapCause(gaps: Gaps, { fromMs, untilMs }: Hole): GapCause | null {
  let [cause, longestMs]: [GapCause | null, number] = [null, 0];
  for (const gap of gaps) {
    const endMs = gap.ended_at === null ? Infinity : Date.parse(gap.ended_at);
    const sharedMs = Math.min(untilMs, endMs) - Math.max(fromMs, Date.parse(gap.started_at));
    if (sharedMs > longestMs) [cause, longestMs] = [gap.cause, sharedMs];
  }
  return cause;
}

/** Gaps that follow one another are one time without a recording. */
const seamMs = 1000;

/** Since when nothing was recorded at the beginning of that time, as far as the gaps are known. */
export function gapBegan(gaps: Gaps, { fromMs }: Hole): number {
  let beganMs = fromMs;
  const ends = ({ ended_at: endedAt }: Gaps[number]): number =>
    endedAt === null ? Infinity : Date.parse(endedAt);
  for (const gap of gaps.toSorted((one, other) => ends(other) - ends(one))) {
    const startMs = Date.parse(gap.started_at);
    if (startMs < beganMs && ends(gap) >= beganMs - seamMs) beganMs = startMs;
  }
  return beganMs;
}
