/** The days that are partitions of the system log, in UTC. Pure. */
const dayMs = 24 * 60 * 60_000;
const prefix = 'system_log_';

export interface DayPartition {
  readonly name: string;
  readonly from: Date;
  /** Exclusive. */
  readonly until: Date;
}

/** The day of `nowMs` and those after it, `days` in all. */
export function dayPartitions(nowMs: number, days: number): DayPartition[] {
  const today = Math.floor(nowMs / dayMs);
  return Array.from({ length: days }, (_, ahead) => {
    const from = new Date((today + ahead) * dayMs);
    const day = from.toISOString().slice(0, 10);
    return {
      name: `${prefix}${day.replaceAll('-', '_')}`,
      from,
      until: new Date(from.getTime() + dayMs),
    };
  });
}

/** The first moment that is kept: whole days go. */
export const keptFrom = (nowMs: number, days: number): Date =>
  new Date((Math.floor(nowMs / dayMs) - days) * dayMs);

/** Whether all of that partition is older. The default partition is of no day. */
export function isOver(name: string, kept: Date): boolean {
  const [, year, month, day] = /^system_log_(\d{4})_(\d\d)_(\d\d)$/.exec(name) ?? [];
  if (year === undefined) return false;
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) + dayMs <= kept.getTime();
}
