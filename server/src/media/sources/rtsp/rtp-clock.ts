/** The clock of one stream: timestamps of 32 bits that begin anywhere become ticks of 90 kHz that begin at 0. */
import { ticksPerSecond } from '../../codec/timeline.ts';
import type { SenderReport } from './rtp.ts';

const wrap = 2 ** 32;

export class RtpClock {
  readonly #rate: number;
  #first: number | null = null;
  #last = 0;
  /** From the sender's wall clock to these ticks; null before its first report. */
  #shift: number | null = null;

  /** Ticks a second of the timestamps. */
  constructor(rate: number) {
    this.#rate = rate;
  }

  ticksAt(timestamp: number): number {
    return Math.round(((this.#unwrapped(timestamp) - this.#first!) * ticksPerSecond) / this.#rate);
  }

  report({ ntpSeconds, timestamp }: SenderReport): void {
    // A report before the first packet is of a time that is not known yet; others follow.
    if (this.#first === null || ntpSeconds === 0) return;
    this.#shift = this.ticksAt(timestamp) - ntpSeconds * ticksPerSecond;
  }

  /** What is to be added to ticks of `other` so that they are of this clock; null as long as nobody knows. */
  from(other: RtpClock): number | null {
    if (this.#shift === null || other.#shift === null) return null;
    return Math.round(this.#shift - other.#shift);
  }

  /** The one of all times with these 32 bits that is nearest to the last. */
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
