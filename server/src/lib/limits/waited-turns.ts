/**
 * A time limit as the process had it. Where a machine is overloaded, a process may get no turn for seconds; what came
 * for it meanwhile waits unread. A limit by the clock alone would blame the sender for that.
 */
import type { Clock } from '../clock.ts';

/** A turn counts for so much of the time at most. */
const turnMs = 500;

/** Resolves when that time is over and the process had a turn in each half second of it, in ms. */
export async function waitInTurns(
  clock: Pick<Clock, 'wait'>,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= turnMs) {
    await clock.wait(Math.min(turnMs, leftMs), signal);
  }
}
