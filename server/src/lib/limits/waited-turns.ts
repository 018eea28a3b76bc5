/**
 * A time limit that counts only time in which this process ran. On an overloaded machine a process may get no
 * processor time for seconds, and its input waits unread. A limit by the clock alone would blame the sender for that.
 */
import type { Clock } from '../clock.ts';

/** A turn counts for at most this much of the time. */
const turnMs = 500;

/** Resolves when that time, in ms, is over and the process had a turn in each half second of it. */
export async function waitInTurns(
  clock: Pick<Clock, 'wait'>,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= turnMs) {
    await clock.wait(Math.min(turnMs, leftMs), signal);
  }
}
