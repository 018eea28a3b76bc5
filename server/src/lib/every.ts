/** Work that is repeated for as long as something runs. */
import type { Clock } from './clock.ts';

export interface Rhythm {
  readonly clock: Pick<Clock, 'wait'>;
  readonly everyMs: number;
  /** Ends the work, also while it waits. */
  readonly signal: AbortSignal;
}

/**
 * Runs `work` at once, and again that long after each end; never twice at the same time. `failed` receives
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
