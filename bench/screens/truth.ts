/** What was so while screens were read: what the rig did to cameras and server, and what the server knew of cameras. */
import type { Camera } from '@nazar/contract/cameras.ts';

export type Known = Pick<
  Camera,
  'health' | 'is_recording' | 'recording_state' | 'recording_reason'
>;

export interface Moment {
  /** Unix time. */
  readonly atMs: number;
  /** By name of camera, as the server answered; null: it did not answer. */
  readonly cameras: Readonly<Record<string, Known>> | null;
  /** By name of camera: since when it has sent nothing; null: it sends. */
  readonly silentSinceMs: Readonly<Record<string, number | null>>;
  /** A device has more to do than it can: it may show less. */
  readonly isBusy: boolean;
}

/** A screen that received news may know it before it was answered here: a busy server takes that long. */
const aheadMs = 3_000;

export class Truth {
  readonly #moments: Moment[] = [];

  add(moment: Moment): void {
    this.#moments.push(moment);
  }

  /** All that was so in that time: what was so at its beginning counts as well. */
  between(fromMs: number, untilMs: number): readonly Moment[] {
    const before = this.#moments.findLastIndex(({ atMs }) => atMs <= fromMs);
    const end = this.#moments.findLastIndex(({ atMs }) => atMs <= untilMs);
    return this.#moments.slice(Math.max(0, before), end + 1);
  }

  /** All that was so in the `graceMs` before that time. */
  until(atMs: number, graceMs: number): readonly Moment[] {
    return this.between(atMs - graceMs, atMs + aheadMs);
  }
}
