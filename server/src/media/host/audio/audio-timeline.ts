/**
 * Places a camera's sound on the timeline of its pictures: by its own times where both have one clock and the
 * pictures are not timed by their arrival, else by its arrival. Packets that follow one another stay together; sound that is late by more than the jitter bound follows a
 * gap, and sound that is early by more is left out.
 */
import { ticksPerSecond, type Timeline } from '../../codec/timeline.ts';

/** Sound and pictures with the same clock arrive within this. */
const apartTicks = 1 * ticksPerSecond;
/** Rounding and jitter, which are inaudible, in seconds. */
const jitterSeconds = 0.06;

export class AudioTimeline {
  readonly #rate: number;
  /** Ticks to add to the sound's own times where its clock is not that of the pictures. */
  #shift: number | null = null;
  /** Where the sound so far ends, in samples: most rates have frames of no whole number of ticks. */
  #next = -Infinity;
  #pictures: Timeline | null = null;

  /** `rate`: samples a second. */
  constructor(rate: number) {
    this.#rate = rate;
  }

  /**
   * All times are in ticks of 90 kHz; the one that is returned is that of a whole sample. Null before the first
   * picture, and for a time that has sound already.
   */
  place(raw: number | null, durationTicks: number, pictures: Timeline): number | null {
    const { shift, now } = pictures;
    if (raw === null || shift === null) return null;
    if (pictures !== this.#pictures) this.#begin(pictures);
    const isShared = !pictures.isByArrival && Math.abs(raw + shift - now) <= apartTicks;
    if (isShared) this.#shift = null;
    else if (this.#shift === null || Math.abs(raw + this.#shift - now) > apartTicks) {
      this.#shift = now - raw;
    }
    const due = this.#samples(raw + (this.#shift ?? shift));
    const jitter = jitterSeconds * this.#rate;
    // Pictures may be slower than real time: sound that went on would run ahead of them for good.
    if (due < this.#next - jitter) return null;
    const at = due - this.#next <= jitter ? this.#next : due;
    this.#next = at + this.#samples(durationTicks);
    return (at * ticksPerSecond) / this.#rate;
  }

  /** Another stream of the same camera: its timeline begins at 0, whatever lies on the one before. */
  #begin(pictures: Timeline): void {
    this.#pictures = pictures;
    this.#shift = null;
    this.#next = -Infinity;
  }

  #samples(ticks: number): number {
    return Math.round((ticks * this.#rate) / ticksPerSecond);
  }
}
