/**
 * The last figure of what each camera costs: its media host reports the stages it does, and what the server had
 * embedded meanwhile is added. Kept in memory, for the cameras that are watched; a figure that is old is none.
 */
import type { CameraCost } from '@nazar/contract/camera-cost.ts';
import type { Clock } from '#lib/clock.ts';
import type { StageTimes } from './protocol/stage-times.ts';

/** Three reports that did not come. */
const maxAgeMs = 30_000;

const notMeasured: CameraCost = {
  measured_at: null,
  over_s: null,
  decode: null,
  detect: null,
  embed: null,
  record: null,
};

interface Kept {
  cost: CameraCost;
  /** Monotonic milliseconds. */
  measuredAtMs: number;
  /** Since the last report. */
  embedMs: number;
}

export class CameraCosts {
  readonly #clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Pick<Clock, 'now' | 'monotonicMs'>) {
    this.#clock = clock;
  }

  of(cameraId: string): CameraCost {
    const kept = this.#kept.get(cameraId);
    const isNew = kept && this.#clock.monotonicMs() - kept.measuredAtMs <= maxAgeMs;
    return isNew ? kept.cost : notMeasured;
  }

  /** Faces of this camera were embedded. Before its first report there is no time that this belongs to. */
  embedded(cameraId: string, cpuMs: number): void {
    const kept = this.#kept.get(cameraId);
    if (kept) kept.embedMs += cpuMs;
  }

  reported(cameraId: string, { overMs, spentMs }: StageTimes): void {
    if (overMs <= 0) return;
    const before = this.#kept.get(cameraId);
    const nowMs = this.#clock.monotonicMs();
    const embeddedForMs = before ? nowMs - before.measuredAtMs : 0;
    const cost: CameraCost = {
      measured_at: new Date(this.#clock.now()).toISOString(),
      over_s: overMs / 1000,
      decode: spentMs.decode / overMs,
      detect: spentMs.detect / overMs,
      embed: before && embeddedForMs > 0 ? before.embedMs / embeddedForMs : null,
      record: spentMs.record / overMs,
    };
    this.#kept.set(cameraId, { cost, measuredAtMs: nowMs, embedMs: 0 });
  }

  /** It is not watched any more, or its host is gone. */
  forget(cameraId: string): void {
    this.#kept.delete(cameraId);
  }
}
