/**
 * Repeats a statement that takes at most `batch` rows until it finds fewer, or until the signal aborts: no transaction
 * holds many rows at once. `take` returns how many it took.
 */
export async function inBatches(
  batch: number,
  take: () => Promise<number>,
  signal?: AbortSignal,
): Promise<void> {
  for (let taken = batch; taken === batch && !signal?.aborted;) taken = await take();
}
