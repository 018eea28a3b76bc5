/**
 * Adds up what one camera costs by stage. A vision host says what processor time a request took. What FFmpeg does on a
 * thread of its own is not split by camera, so there the time that the call took counts: one call keeps one core
 * at most, and less where it had to wait for a thread.
 */
import type { Clock } from '#lib/clock.ts';
import type { HostStage, StageTimes } from '../protocol/stage-times.ts';

/** Motion is compared 1 to 8 times a second; what is longer is a pause of the stream. */
const mostMovingMs = 2_000;
const nothingAnalyzed = { movingMs: 0, offered: 0, analyzed: 0, failed: 0 };

export class StageMeter {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #sinceMs: number;
  #spentMs: Record<HostStage, number> = nothing();
  #analysis = { ...nothingAnalyzed };

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
    this.#sinceMs = clock.monotonicMs();
  }

  /** Something moved for so long. Pauses of a stream are no motion. */
  moved(ms: number): void {
    this.#analysis.movingMs += Math.min(ms, mostMovingMs);
  }

  /** Counts a frame of the time in which something moves. */
  count(what: 'offered' | 'analyzed' | 'failed'): void {
    this.#analysis[what] += 1;
  }

  add(stage: HostStage, ms: number): void {
    this.#spentMs[stage] += ms;
  }

  /** Counts how long the work takes, also when it fails. */
  async time<T>(stage: HostStage, work: () => Promise<T>): Promise<T> {
    const startedAtMs = this.#clock.monotonicMs();
    try {
      return await work();
    } finally {
      this.add(stage, this.#clock.monotonicMs() - startedAtMs);
    }
  }

  /** What was spent since it was last asked; it begins anew. */
  take(): StageTimes {
    const nowMs = this.#clock.monotonicMs();
    const taken: StageTimes = {
      overMs: nowMs - this.#sinceMs,
      spentMs: this.#spentMs,
      analysis: this.#analysis,
    };
    this.#sinceMs = nowMs;
    this.#spentMs = nothing();
    this.#analysis = { ...nothingAnalyzed };
    return taken;
  }
}

const nothing = (): Record<HostStage, number> => ({ decode: 0, detect: 0, record: 0 });
