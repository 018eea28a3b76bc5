/** Why nothing was recorded in some time: the cause that holds for most of it. Pure. */
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
