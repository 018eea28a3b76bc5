/** One question to the server at a time, or one pause before the next: what was asked before is forgotten. */
import type { Clock } from './clock.ts';

export class Question {
  readonly #clock: Clock;
  readonly #onFailed: (error: unknown) => void;
  /** Ends what is being asked; null: nothing is. */
  #work: AbortController | null = null;
  #timer: Disposable | null = null;

  constructor(clock: Clock, onFailed: (error: unknown) => void) {
    this.#clock = clock;
    this.#onFailed = onFailed;
  }

  async ask(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.forget();
    const own = new AbortController();
    this.#work = own;
    try {
      await work(own.signal);
    } catch (error) {
      if (!own.signal.aborted) this.#onFailed(error);
    }
  }

  /** Does it after so long, unless something else is asked before. */
  later(ms: number, work: () => void): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#clock.after(ms, work);
  }

  forget(): void {
    this.#work?.abort();
    this.#work = null;
    this.#timer?.[Symbol.dispose]();
    this.#timer = null;
  }
}
