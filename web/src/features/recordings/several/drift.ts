/**
 * How far one player is behind the moment that all of them should show, and what mends that. Differences are
 * milliseconds of the recording unless they are called real: at 4 times, 100 real ones are 400 of the recording. Pure.
 */

/** More than this is mended until it is less than the second. The first is a picture or two. */
const noticedMs = 60;
const mendedMs = 15;
/** A difference is gone after about this; a faster correction would be visible and audible. */
const mendWithinMs = 2000;
const mostCorrection = 0.1;
/** A little faster does not help any more. Real. */
const farMs = 1000;
/** The picture that stands may be as old as a picture of the slowest cameras lasts: that is nothing to be sought. */
const farWhilePausedMs = 1500;
/** The newest difference weighs so much: pictures come in steps. */
const newestWeighs = 0.3;

export class Drift {
  #behindMs: number | null = null;
  #isMending = false;

  /** Null: not known. */
  get behindMs(): number | null {
    return this.#behindMs;
  }

  measure(behindMs: number): void {
    const before = this.#behindMs;
    this.#behindMs = before === null ? behindMs : before + (behindMs - before) * newestWeighs;
  }

  forget(): void {
    this.#behindMs = null;
    this.#isMending = false;
  }

  /** The common moment was moved by so much. */
  moved(byMs: number): void {
    if (this.#behindMs !== null) this.#behindMs += byMs;
  }

  isFar(speed: number, isRunning: boolean): boolean {
    const realMs = (this.#behindMs ?? 0) / speed;
    return isRunning ? realMs > farMs : Math.abs(realMs) > farWhilePausedMs;
  }

  /** So much faster than its speed it should play; 1 where nothing is to be mended. */
  correction(speed: number): number {
    const realMs = (this.#behindMs ?? 0) / speed;
    this.#isMending = Math.abs(realMs) > (this.#isMending ? mendedMs : noticedMs);
    if (!this.#isMending) return 1;
    const wanted = realMs / mendWithinMs;
    return 1 + Math.min(Math.max(wanted, -mostCorrection), mostCorrection);
  }
}
