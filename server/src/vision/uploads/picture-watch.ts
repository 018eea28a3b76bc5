/**
 * Decides when an image host is ended over a picture: by the memory and the processor time that it takes, never by
 * how long the picture waits for a processor. On a machine whose cores are busy, a small photo may take a minute.
 */
import type { Clock } from '#lib/clock.ts';
import type { ProcessUse } from './process-use.ts';

export interface PictureLimits {
  readonly rssBytes: number;
  /** Processor time of one picture. */
  readonly cpuMs: number;
  /** Longest time without any progress, seen by the processor time; where that is not reported, of all the work. */
  readonly stallMs: number;
}

/** Why a host was ended; `stalled` says nothing about the picture. */
export type EndReason = 'memory' | 'processor' | 'stalled';

const watchEveryMs = 50;

export interface PictureWatch {
  readonly clock: Clock;
  readonly limits: PictureLimits;
  readonly usage: () => Promise<ProcessUse>;
}

/** Resolves with the limit that was exceeded, or with null when `signal` ends the watch first. */
export async function exceededLimit(
  { clock, limits, usage }: PictureWatch,
  signal: AbortSignal,
): Promise<EndReason | null> {
  let progressAtMs = clock.monotonicMs();
  let start: number | null = null;
  let last: number | null = null;
  while (!signal.aborted) {
    const { rssBytes, cpuMs } = await usage();
    if (rssBytes > limits.rssBytes) return 'memory';
    start ??= cpuMs;
    if (cpuMs !== null && cpuMs - start! > limits.cpuMs) return 'processor';
    const nowMs = clock.monotonicMs();
    if (cpuMs !== last) [progressAtMs, last] = [nowMs, cpuMs];
    if (nowMs - progressAtMs > limits.stallMs) return 'stalled';
    await clock.wait(watchEveryMs, signal).catch(() => undefined);
  }
  return null;
}
