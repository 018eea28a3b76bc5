/** Which of many places of a chart get a name. Pure. */

/** At most this many. */
const SHOWN = 5;

/** Equally far apart, the last among them, and the first where that is possible. */
export function placesOf(count: number): number[] {
  const last = count - 1;
  const parts = [SHOWN - 1, SHOWN - 2].find((many) => last >= many && last % many === 0);
  const step = parts === undefined ? Math.max(1, Math.ceil(count / SHOWN)) : last / parts;
  const many = Math.floor(last / step) + 1;
  return Array.from({ length: many }, (_, index) => last - (many - 1 - index) * step);
}
