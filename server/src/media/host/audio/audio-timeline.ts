/**
 * Puts a camera's sound on the timeline of its pictures: by its own times where both are of one clock, else by when
 * it came. Packets that follow one another stay together; what is late by more than a jolt is a gap, and what is early
 * by more is left out.
 */
import { ticksPerSecond, type Timeline } from '../../codec/timeline.ts';

/** Sound and picture of one clock arrive within this. */
const apartTicks = 1 * ticksPerSecond;
/** Rounding and jitter; nobody hears it. */
const joltTicks = 0.06 * ticksPerSecond;

export class AudioTimeline {
  /** Ticks from the sound's own times to the pictures', where their clocks differ. */
  #shift: number | null = null;
  #next = -Infinity;

  /** All times in ticks of 90 kHz. Null before the first picture, and for what is of a time that has sound already. */
  place(raw: number | null, durationTicks: number, pictures: Timeline): number | null {
    const { shift, now } = pictures;
    if (raw === null || shift === null) return null;
    const isShared = Math.abs(raw + shift - now) <= apartTicks;
    if (isShared) this.#shift = null;
    else if (this.#shift === null || Math.abs(raw + this.#shift - now) > apartTicks) {
      this.#shift = now - raw;
    }
    const due = raw + (this.#shift ?? shift);
    // Pictures may be slower than the time: sound that went on would run ahead of them for good.
    if (due < this.#next - joltTicks) return null;
    const at = due - this.#next <= joltTicks ? this.#next : due;
    this.#next = at + durationTicks;
    return at;
  }
}
