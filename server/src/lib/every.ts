/** Work that is done again and again for as long as something runs. */
import type { Clock } from './clock.ts';

export interface Rhythm {
  readonly clock: Pick<Clock, 'wait'>;
  readonly everyMs: number;
  /** Ends it, also while it waits. */
  readonly signal: AbortSignal;
}

/**
 * Does `work` each time that long after it was done, the first time after that long too; never twice at once. What
 * fails is told to `failed` and tried at its next time. Resolves when `signal` has ended it, and never rejects.
 */
export async function every(
  { clock, everyMs, signal }: Rhythm,
  work: () => void | Promise<void>,
  failed: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    await clock.wait(everyMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await work();
    } catch (error) {
      failed(error);
    }
  }
}
