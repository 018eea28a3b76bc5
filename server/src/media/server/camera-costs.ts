/**
 * The last figure of what each camera costs: its media host reports the stages it does, and what the server had
 * embedded meanwhile is added. Kept in memory, for the cameras that are watched; a figure that is old is none.
 */
import type { CameraCost } from '@nazar/contract/camera-cost.ts';
import type { Clock } from '#lib/clock.ts';
import type { MediaCamera } from '../protocol/messages.ts';
import type { AnalysisCounts, StageTimes } from '../protocol/stage-times.ts';

/** Three reports that did not come. */
const maxAgeMs = 30_000;

const notMeasured: CameraCost = {
  measured_at: null,
  over_s: null,
  decode: null,
  detect: null,
  embed: null,
  record: null,
  analyzed_fps: null,
  analysis_limit: null,
};

/** What the analysis of a camera's frames aims at. */
type Analyzed = Pick<MediaCamera, 'mostAnalysisFps' | 'askedFps'>;

/** Motion of less says nothing about a rate: a few frames more or less change it by a third. */
const leastMovingMs = 2_000;
/** A rate is reached by so much of it: frames come early and late, and the first of a motion is waited for. */
const reachedBy = 0.85;

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

  reported(cameraId: string, { overMs, spentMs, analysis }: StageTimes, camera: Analyzed): void {
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
      ...analyzedOf(analysis, camera),
    };
    this.#kept.set(cameraId, { cost, measuredAtMs: nowMs, embedMs: 0 });
  }

  /** It is not watched any more, or its host is gone. */
  forget(cameraId: string): void {
    this.#kept.delete(cameraId);
  }
}

function analyzedOf(
  { movingMs, offered, analyzed, failed }: AnalysisCounts,
  { mostAnalysisFps, askedFps }: Analyzed,
): Pick<CameraCost, 'analyzed_fps' | 'analysis_limit'> {
  if (movingMs < leastMovingMs) return { analyzed_fps: null, analysis_limit: null };
  const analyzed_fps = (analyzed * 1000) / movingMs;
  const offeredFps = (offered * 1000) / movingMs;
  const isBelow = (fps: number): boolean => analyzed_fps < fps * reachedBy;
  const limit = (): CameraCost['analysis_limit'] => {
    // The vision hosts are at fault, which the state of the system says.
    if (failed > 0 || !isBelow(askedFps)) return null;
    if (isBelow(Math.min(mostAnalysisFps, offeredFps))) return 'machine';
    return offeredFps < mostAnalysisFps ? 'camera' : 'mode';
  };
  return { analyzed_fps, analysis_limit: limit() };
}
