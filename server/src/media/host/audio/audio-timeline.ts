/**
 * Places a camera's sound on the timeline of its pictures: by its own times where both have one clock, else by its
 * arrival. Packets that follow one another stay together; sound that is late by more than the jitter bound follows a
 * gap, and sound that is early by more is left out.
 */
import { ticksPerSecond, type Timeline } from '../../codec/timeline.ts';

/** Sound and pictures with the same clock arrive within this. */
const apartTicks = 1 * ticksPerSecond;
/** Rounding and jitter, which are inaudible. */
const jitterTicks = 0.06 * ticksPerSecond;

export class AudioTimeline {
  /** Ticks to add to the sound's own times where its clock is not that of the pictures. */
  #shift: number | null = null;
  #next = -Infinity;

  /** All times are in ticks of 90 kHz. Null before the first picture, and for a time that has sound already. */
  place(raw: number | null, durationTicks: number, pictures: Timeline): number | null {
    const { shift, now } = pictures;
    if (raw === null || shift === null) return null;
    const isShared = Math.abs(raw + shift - now) <= apartTicks;
    if (isShared) this.#shift = null;
    else if (this.#shift === null || Math.abs(raw + this.#shift - now) > apartTicks) {
      this.#shift = now - raw;
    }
    const due = raw + (this.#shift ?? shift);
    // Pictures may be slower than real time: sound that went on would run ahead of them for good.
    if (due < this.#next - jitterTicks) return null;
    const at = due - this.#next <= jitterTicks ? this.#next : due;
    this.#next = at + durationTicks;
    return at;
  }
}
