/** The search in its simplest form: every vector compared, all people sorted. The product's search must match it. */
export interface PlainRow {
  readonly identityId: string;
  readonly vector: Float32Array;
}

export function plainNearest(
  probe: Float32Array,
  rows: Iterable<PlainRow>,
  k: number,
): { identityId: string; distance: number }[] {
  const best = new Map<string, number>();
  for (const { identityId, vector } of rows) {
    const distance = plainDistance(probe, vector);
    if (!(distance >= (best.get(identityId) ?? Infinity))) best.set(identityId, distance);
  }
  return [...best]
    .map(([identityId, distance]) => ({ identityId, distance }))
    .sort((a, b) => a.distance - b.distance || (a.identityId < b.identityId ? -1 : 1))
    .slice(0, k);
}

export function plainDistance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i]! - b[i]!) * (a[i]! - b[i]!);
  return Math.sqrt(sum);
}
