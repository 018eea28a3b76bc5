/** When what waits for a receiver goes out by a channel: alone, in one summary, or later. Pure. */

export interface Waiting {
  readonly id: string;
  readonly atMs: number;
  /** Passes quiet hours and limit, and is never summed. */
  readonly isCritical: boolean;
}

export interface Circumstances {
  readonly nowMs: number;
  /** Null: no quiet hours now. */
  readonly quietUntilMs: number | null;
  /** When messages went to this receiver by this channel within the last hour, the oldest first; none was critical. */
  readonly sentAtMs: readonly number[];
}

export interface Plan<T> {
  readonly alone: readonly T[];
  /** All of them in one message. */
  readonly summed: readonly T[];
  readonly later: readonly T[];
  /** When those are considered again. */
  readonly laterAtMs: number;
}

export const perHour = 20;
const hourMs = 60 * 60_000;
/** What is later than this is news no more: it goes in a summary. */
export const lateMs = 10 * 60_000;

export function planOf<T extends Waiting>(
  waiting: readonly T[],
  { nowMs, quietUntilMs, sentAtMs }: Circumstances,
): Plan<T> {
  const critical = waiting.filter(({ isCritical }) => isCritical);
  const ordinary = waiting.filter(({ isCritical }) => !isCritical);
  if (quietUntilMs !== null) {
    return { alone: critical, summed: [], later: ordinary, laterAtMs: quietUntilMs };
  }
  const room = Math.max(0, perHour - sentAtMs.length);
  const late = ordinary.filter(({ atMs }) => nowMs - atMs > lateMs);
  const fresh = ordinary.filter(({ atMs }) => nowMs - atMs <= lateMs);
  const isSummed = late.length > 0 && room > 0;
  const alone = fresh.slice(0, room - (isSummed ? 1 : 0));
  return {
    alone: [...critical, ...alone],
    summed: isSummed ? late : [],
    later: [...(isSummed ? [] : late), ...fresh.slice(alone.length)],
    laterAtMs: (sentAtMs[0] ?? nowMs) + hourMs,
  };
}
