/**
 * Times pictures by their arrival, for a camera whose own times are of no use: evenly, by how far apart they came of
 * late, and held to the arrival by a part of what they are off, so that a film lasts as long as what it shows.
 */
import { ticksPerSecond } from './ticks.ts';

/** How far apart pictures are is the mean of so many. */
const meanOf = 32;
/** The part of the error that each picture takes away: a jitter of 40 ms moves a picture by 2 ms. */
const gain = 0.05;
/** Times that are so far behind the arrival catch up at once: so much was lost, or ran too slowly before. */
const behindTicks = 1 * ticksPerSecond;
/** The furthest at a time: whatever reads these times once more takes a leap of ten seconds for a clock that was set. */
const furthestTicks = 8 * ticksPerSecond;

export class ArrivalPace {
  /** Arrival and the camera's time of the newest pictures, the oldest first. */
  #pictures: { readonly arrived: number; readonly said: number }[] = [];

  /** Takes every picture, so that the pace is known when it is needed. */
  add(arrived: number, said: number): void {
    this.#pictures.push({ arrived, said });
    if (this.#pictures.length > meanOf + 1) this.#pictures.shift();
  }

  /** Ticks from one picture to the next; null before there were two. */
  get step(): number | null {
    const { length } = this.#pictures;
    if (length < 2) return null;
    return (this.#pictures.at(-1)!.arrived - this.#pictures[0]!.arrived) / (length - 1);
  }

  /** How long a tick of the camera's clock really is; 1 where its times stand still or go back. */
  get scale(): number {
    const [first, last] = [this.#pictures[0], this.#pictures.at(-1)];
    if (!first || !last || last.said <= first.said) return 1;
    return Math.max(0, (last.arrived - first.arrived) / (last.said - first.said));
  }

  /** When the picture after the one at `last` is decoded: `due` by its arrival. Always later than `last`. */
  next(last: number, due: number): number {
    const step = this.step ?? due - last;
    const even = last + step;
    const error = due - even;
    if (error > behindTicks) return Math.round(Math.min(due, last + furthestTicks));
    // Times that are ahead go on at no less than half the pace.
    return Math.max(last + 1, Math.round(even + Math.max(error * gain, -step / 2)));
  }
}
