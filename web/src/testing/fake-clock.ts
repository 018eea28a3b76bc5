import type { Clock } from '#lib/clock.ts';

interface Alarm {
  readonly atMs: number;
  readonly run: () => void;
}

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #nowMs = 0;
  readonly #alarms = new Set<Alarm>();

  readonly nowMs = (): number => this.#nowMs;

  readonly after = (ms: number, run: () => void): (() => void) => {
    const alarm: Alarm = { atMs: this.#nowMs + ms, run };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  };

  /** How much is still to happen. */
  get waiting(): number {
    return this.#alarms.size;
  }

  /** Lets that much time pass; what is due happens in its order, and what it causes before the next. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await settled();
    for (;;) {
      const [next] = [...this.#alarms].sort((a, b) => a.atMs - b.atMs);
      if (next === undefined || next.atMs > untilMs) break;
      this.#alarms.delete(next);
      this.#nowMs = next.atMs;
      next.run();
      await settled();
    }
    this.#nowMs = untilMs;
  }
}

/** Lets everything that has been promised happen. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
