/** Work that is done again and again for as long as something runs. */
import type { Clock } from './clock.ts';

export interface Rhythm {
  readonly clock: Pick<Clock, 'wait'>;
  readonly everyMs: number;
  /** Ends the work, also while it waits. */
  readonly signal: AbortSignal;
}

/**
 * Runs `work` each time that long after it was done, the first time included; never twice at once. `failed` gets
 * an error, and the work runs again at its next time. Resolves when `signal` has ended it, and never rejects.
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
