/** The monthly partitions that `visit` must have. Pure. */
export interface Partition {
  readonly name: string;
  readonly from: Date;
  /** Exclusive. */
  readonly until: Date;
}

/** The month of `nowMs` (UTC) and those after it, `months` in all. */
export function monthPartitions(nowMs: number, months: number): Partition[] {
  const now = new Date(nowMs);
  return Array.from({ length: months }, (_, ahead) => {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    const until = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1, 1));
    return { name: `visit_${from.toISOString().slice(0, 7).replace('-', '_')}`, from, until };
  });
}
