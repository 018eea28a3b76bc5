/**
 * Does something with each of several cameras, a few at a time, by the route for one camera: so the rights are checked
 * and the activity log is written for each, and one that is refused stops no other. A route for many would have to do
 * all of that again.
 */

/** As many requests as browsers keep open beside the ones for live pictures. */
const atOnce = 4;

export interface Failed<T> {
  readonly item: T;
  readonly error: unknown;
}

export interface Outcome<T> {
  readonly done: readonly T[];
  readonly failed: readonly Failed<T>[];
  /** Not begun, because it was cancelled. */
  readonly left: readonly T[];
}

/** Never rejects. What has begun when `signal` aborts is finished, so that it is known what became of it. */
export async function runSeveral<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  signal: AbortSignal,
  onProgress: (finished: number) => void,
): Promise<Outcome<T>> {
  const waiting = [...items];
  const done: T[] = [];
  const failed: Failed<T>[] = [];
  const lane = async (): Promise<void> => {
    while (!signal.aborted) {
      const item = waiting.shift();
      if (item === undefined) return;
      try {
        await work(item);
        done.push(item);
      } catch (error) {
        failed.push({ item, error });
      }
      onProgress(done.length + failed.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return { done, failed, left: waiting };
}
