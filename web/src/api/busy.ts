/** The server has no room for this now (503 `busy`): nothing was done, so it is asked again after the time it names. */
import { Problem } from './problem.ts';

/** With the half minute that the server itself waits each time, about ten minutes. */
const maxTries = 20;
const usualWaitS = 2;

export interface BusyOptions {
  readonly signal?: AbortSignal;
  /** Called before each wait. */
  readonly onWait?: () => void;
}

/** Rejects as `work` does once it fails for anything else, or too often. */
export async function retryWhileBusy<R>(
  work: () => Promise<R>,
  { signal, onWait }: BusyOptions = {},
): Promise<R> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'busy' || tries === maxTries) throw error;
      onWait?.();
      await pause((error.retryAfterS ?? usualWaitS) * 1000, signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}
