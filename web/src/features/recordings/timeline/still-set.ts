/** The stills of a camera that are at hand: as many as a page needs, the nearest to a moment at once. Pure. */

export interface KeptStill {
  readonly ms: number;
  /** As an image takes it. */
  readonly source: string;
}

/** 3.5 kB each. */
const mostKept = 1000;

interface Period {
  readonly fromMs: number;
  readonly untilMs: number;
}

export class StillSet {
  #stills: readonly KeptStill[] = [];
  readonly #watchers = new Set<() => void>();

  get size(): number {
    return this.#stills.length;
  }

  /** All that there are of that time, as finely as was asked for: what was deleted since goes. */
  put({ fromMs, untilMs }: Period, stills: readonly KeptStill[]): void {
    const others = this.#stills.filter(({ ms }) => ms < fromMs || ms >= untilMs);
    const middle = (fromMs + untilMs) / 2;
    const away = ({ ms }: KeptStill): number => Math.abs(ms - middle);
    this.#stills = [...others, ...stills]
      .sort((one, other) => away(one) - away(other))
      .slice(0, mostKept)
      .sort((one, other) => one.ms - other.ms);
    for (const watcher of this.#watchers) watcher();
  }

  /** Keeps only what is recorded of that time: another user may have deleted the rest. */
  keep({ fromMs, untilMs }: Period, recorded: readonly Period[]): void {
    const isKept = ({ ms }: KeptStill): boolean =>
      ms < fromMs ||
      ms >= untilMs ||
      recorded.some((span) => ms >= span.fromMs && ms <= span.untilMs);
    const kept = this.#stills.filter(isKept);
    if (kept.length === this.#stills.length) return;
    this.#stills = kept;
    for (const watcher of this.#watchers) watcher();
  }

  /** The last one before that moment; where there is none, the first after it. */
  at(ms: number): KeptStill | null {
    let [low, high] = [0, this.#stills.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#stills[middle]?.ms ?? Infinity) <= ms) low = middle + 1;
      else high = middle;
    }
    return this.#stills[low - 1] ?? this.#stills[low] ?? null;
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };
}
