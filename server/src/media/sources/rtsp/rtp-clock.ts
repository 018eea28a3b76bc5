/** The clock of one stream: turns timestamps of 32 bits that begin anywhere into ticks of 90 kHz that begin at 0. */
import { ticksPerSecond } from '../../codec/timeline.ts';
import type { SenderReport } from './rtp.ts';

const wrap = 2 ** 32;

export class RtpClock {
  readonly #rate: number;
  #first: number | null = null;
  #last = 0;
  /** Ticks to add to the sender's wall clock; null before its first report. */
  #shift: number | null = null;

  /** `rate`: ticks a second of the timestamps. */
  constructor(rate: number) {
    this.#rate = rate;
  }

  ticksAt(timestamp: number): number {
    return Math.round(((this.#unwrapped(timestamp) - this.#first!) * ticksPerSecond) / this.#rate);
  }

  report({ ntpSeconds, timestamp }: SenderReport): void {
    // A report before the first packet cannot be placed yet; others follow.
    if (this.#first === null || ntpSeconds === 0) return;
    this.#shift = this.ticksAt(timestamp) - ntpSeconds * ticksPerSecond;
  }

  /** Ticks to add to those of `other` for this clock; null until both clocks had a sender report. */
  from(other: RtpClock): number | null {
    if (this.#shift === null || other.#shift === null) return null;
    return Math.round(this.#shift - other.#shift);
  }

  /** The time with these lower 32 bits that is nearest to the last. */
  #unwrapped(timestamp: number): number {
    if (this.#first === null) {
      this.#first = timestamp;
      this.#last = timestamp;
      return timestamp;
    }
    const behind = (timestamp - this.#last) >>> 0;
    this.#last += behind < wrap / 2 ? behind : behind - wrap;
    return this.#last;
  }
}
