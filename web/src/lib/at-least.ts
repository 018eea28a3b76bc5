/** Resolves or rejects as `work` does, and not before the least time: sooner, the reader misses that work was done. */
export async function atLeast<T>(ms: number, work: Promise<T>): Promise<T> {
  const pause = new Promise((resolve) => void setTimeout(resolve, ms));
  await Promise.allSettled([work, pause]);
  return work;
}
