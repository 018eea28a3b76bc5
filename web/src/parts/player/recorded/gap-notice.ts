/** Says what was passed over just now, and why nothing was recorded then. */
import type { GapCause } from '@nazar/contract/recordings.ts';
import { signal } from '#lib/signal.ts';
import type { Clock } from './clock.ts';
import { gapBegan, gapCause, type Gaps } from './gap-cause.ts';
import { leastHoleMs, type Hole } from './media-map.ts';
import type { Jump } from './recorded-state.ts';

/** How long it is said. */
const shownMs = 8000;

export class GapNotice {
  readonly jump = signal<Jump | null>(null);
  readonly #clock: Clock;
  #gaps: Gaps = [];
  #timer: Disposable | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The gaps of the time that is played; they may come later than what is said of one of them. */
  know(gaps: Gaps): void {
    this.#gaps = gaps;
    const jump = this.jump.get();
    if (jump === null) return;
    const whole = this.whole(jump);
    const cause = jump.cause ?? gapCause(gaps, whole);
    if (cause !== jump.cause || whole.fromMs !== jump.fromMs) this.jump.set({ ...whole, cause });
  }

  /** From when it began, and not from where the reader pressed. */
  whole(hole: Hole): Hole {
    return { fromMs: gapBegan(this.#gaps, hole), untilMs: hole.untilMs };
  }

  causeOf(hole: Hole): GapCause | null {
    return gapCause(this.#gaps, hole);
  }

  tell(hole: Hole, cause = this.causeOf(hole)): void {
    if (hole.untilMs - hole.fromMs < leastHoleMs) return;
    this.end();
    this.jump.set({ ...this.whole(hole), cause });
    this.#timer = this.#clock.after(shownMs, () => this.jump.set(null));
  }

  end(): void {
    this.#timer?.[Symbol.dispose]();
    this.jump.set(null);
  }
}
