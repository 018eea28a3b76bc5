/** A moment of the past that moves on by a clock, at some speed, while it runs. */
import type { Clock } from '#parts/player/recorded/clock.ts';

export class RunningMoment {
  readonly #clock: Clock;
  #momentMs = 0;
  /** When it was there, by the clock. */
  #sinceMs = 0;
  #speed = 1;
  #isRunning = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get speed(): number {
    return this.#speed;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  at(): number {
    const passedMs = this.#isRunning ? this.#clock.now() - this.#sinceMs : 0;
    return this.#momentMs + passedMs * this.#speed;
  }

  set(momentMs: number): void {
    this.#momentMs = momentMs;
    this.#sinceMs = this.#clock.now();
  }

  setSpeed(speed: number): void {
    this.set(this.at());
    this.#speed = speed;
  }

  setRunning(isRunning: boolean): void {
    this.set(this.at());
    this.#isRunning = isRunning;
  }
}
