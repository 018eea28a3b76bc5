/**
 * How long to wait before the next try. The pause doubles with each try in a row; half of it is chance, so that
 * a restarted server is not met by everyone at once. `tries` counts from 1, `random` lies in 0 to 1.
 */
export function backOffMs(
  tries: number,
  firstMs: number,
  longestMs: number,
  random: number,
): number {
  const pauseMs = Math.min(firstMs * 2 ** (tries - 1), longestMs);
  return pauseMs * (0.5 + random / 2);
}
