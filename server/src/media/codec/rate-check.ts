/**
 * Says whether a camera's times run as fast as its pictures arrive. The least lag of arrival behind the times, taken
 * every two seconds, stays where it is while both run alike, whatever the network holds back and sends at once; it
 * grows or falls evenly when the camera's clock runs at another rate.
 */
import { ticksPerSecond } from './ticks.ts';

const slotTicks = 2 * ticksPerSecond;
/** Jitter of the least lag of two seconds. */
const jitterTicks = 0.04 * ticksPerSecond;
/**
 * How far the lag must have moved, evenly, over so many slots. A camera that a slow network holds up keeps no more than
 * a second or two before it drops pictures, so ten seconds judge gross errors alone: 20 %, then 5 %, then 1 %.
 */
const bounds = [
  { slots: 5, ticks: 2 * ticksPerSecond },
  { slots: 15, ticks: 1.5 * ticksPerSecond },
  { slots: 30, ticks: 0.6 * ticksPerSecond },
] as const;
/** Times that ran so alike for so long are believed again. */
const believed = { slots: 15, ticks: 0.15 * ticksPerSecond } as const;

interface Lag {
  readonly atTicks: number;
  readonly lagTicks: number;
}

export class RateCheck {
  /** The least lag of each slot, the oldest first; at most as many as the longest bound needs. */
  #lags: Lag[] = [];
  #slot: Lag | null = null;
  #slotEndsAt = -Infinity;
  /** The least lag of all that is not in `#lags` any more. */
  #leastBefore = Infinity;

  /** Takes when a picture is to be decoded by the camera's times, and when it arrived. True: a verdict can change. */
  add(said: number, arrived: number): boolean {
    const lag = { atTicks: arrived, lagTicks: arrived - said };
    const isOver = arrived >= this.#slotEndsAt;
    if (isOver) {
      if (this.#slot) this.#keep(this.#slot);
      this.#slot = null;
      this.#slotEndsAt = arrived + slotTicks;
    }
    if (!this.#slot || lag.lagTicks < this.#slot.lagTicks) this.#slot = lag;
    return isOver;
  }

  /** The times leapt: what was measured says nothing of those to come. */
  restart(): void {
    this.#lags = [];
    this.#slot = null;
    this.#slotEndsAt = -Infinity;
    this.#leastBefore = Infinity;
  }

  get isWrong(): boolean {
    return bounds.some(({ slots, ticks }) => this.#movesEvenly(slots, ticks));
  }

  /** Whether the times ran as fast as arrival for long enough to be believed again. */
  get isRight(): boolean {
    const lags = this.#lags.slice(-believed.slots - 1).map(({ lagTicks }) => lagTicks);
    if (lags.length <= believed.slots) return false;
    return Math.max(...lags) - Math.min(...lags) <= believed.ticks;
  }

  #keep(lag: Lag): void {
    this.#lags.push(lag);
    const most = bounds[bounds.length - 1]!.slots + 1;
    for (const { lagTicks } of this.#lags.splice(0, Math.max(0, this.#lags.length - most)))
      this.#leastBefore = Math.min(this.#leastBefore, lagTicks);
  }

  #movesEvenly(slots: number, ticks: number): boolean {
    const from = this.#lags.length - slots - 1;
    if (from < 0) return false;
    const span = this.#lags.slice(from);
    const [first, last] = [span[0]!, span.at(-1)!];
    const moved = last.lagTicks - first.lagTicks;
    if (Math.abs(moved) < ticks) return false;
    // A network that catches up sends faster than the camera's clock, back to the least lag that there was.
    if (moved < 0 && last.lagTicks > this.#leastUntil(from) - ticks / 2) return false;
    const rate = moved / (last.atTicks - first.atTicks);
    return span.slice(1).every((lag, index) => {
      const before = span[index]!;
      const expected = rate * (lag.atTicks - before.atTicks);
      const differs = Math.abs(lag.lagTicks - before.lagTicks - expected);
      return differs <= Math.abs(expected) / 2 + jitterTicks;
    });
  }

  #leastUntil(index: number): number {
    const before = this.#lags.slice(0, index).map(({ lagTicks }) => lagTicks);
    return Math.min(this.#leastBefore, ...before);
  }
}
