/**
 * The time of day and the passing of time, injected into all code that reads a clock or waits, so that a test
 * controls both. `now` is wall time; `monotonicMs` never jumps and is what watchdogs and durations use.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Milliseconds since some fixed moment; unaffected when the machine's clock is set. */
  monotonicMs(): number;
  /** Resolves after that time; rejects with the signal's reason when aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Waits for the promise, for this time at most, or until `signal` ends it; never throws. */
export async function awaitAtMost(
  clock: Pick<Clock, 'wait'>,
  comes: Promise<unknown>,
  ms: number,
  signal?: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const waiting = AbortSignal.any(signal ? [over.signal, signal] : [over.signal]);
  await Promise.race([comes, clock.wait(ms, waiting).catch(() => undefined)]);
  over.abort();
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  wait: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
};
