/** The health of one ingest, in the contract's words. It is reported only when something changed. */
import type {
  CameraHealth,
  IngestCause,
  IngestState,
  PictureFindings,
  StreamHealth,
} from '@nazar/contract/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import type { Track } from './track.ts';

export const offStream: StreamHealth = {
  state: 'off',
  cause: 'none',
  since: null,
  down_since: null,
  retry_at: null,
  width: null,
  height: null,
  fps: null,
  codec: null,
  sound: null,
  timed_by_arrival: false,
};
/** Nothing can be said of the picture. */
export const noFindings: PictureFindings = { frozen: null, covered: null };
export const offHealth: CameraHealth = {
  ...offStream,
  sub: null,
  aligned: null,
  picture: noFindings,
};

/** Since when a stream in this state has not been live although it is wanted; `now` where it was until then. */
export function downSince(state: IngestState, before: StreamHealth, now: string): string | null {
  return state === 'live' || state === 'off' ? null : (before.down_since ?? now);
}

/** The frame rate is measured over this time; a change below a tenth is not reported. */
const rateWindowMs = 2_000;

export class Health {
  readonly #clock: Clock;
  readonly #changed: (health: StreamHealth) => void;
  #health: StreamHealth = offStream;
  #windowStartMs = 0;
  #pictures = 0;

  constructor(clock: Clock, changed: (health: StreamHealth) => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get now(): StreamHealth {
    return this.#health;
  }

  set(state: IngestState, cause: IngestCause, retryInMs: number | null = null): void {
    const nowMs = this.#clock.now();
    const retry_at = retryInMs === null ? null : new Date(nowMs + retryInMs).toISOString();
    const same = state === this.#health.state && cause === this.#health.cause;
    if (same && retry_at === this.#health.retry_at) return;
    const now = new Date(nowMs).toISOString();
    const since = same ? this.#health.since : now;
    const down_since = downSince(state, this.#health, now);
    this.#tell({ ...this.#health, state, cause, since, down_since, retry_at });
  }

  /** `sound`: FFmpeg's name of the audio codec. */
  live(track: Track, sound: string | null): void {
    const { width, height, codec, fps } = track;
    this.#windowStartMs = this.#clock.monotonicMs();
    this.#pictures = 0;
    const announced = fps > 0 ? round(fps) : null;
    this.#health = {
      ...this.#health,
      width,
      height,
      codec,
      fps: announced,
      sound,
      timed_by_arrival: false,
    };
    this.set('live', 'none');
  }

  /** Whether pictures are timed by their arrival. */
  timedByArrival(timed_by_arrival: boolean): void {
    this.#tell({ ...this.#health, timed_by_arrival });
  }

  /** A picture arrived. */
  picture(): void {
    this.#pictures += 1;
    const elapsedMs = this.#clock.monotonicMs() - this.#windowStartMs;
    if (elapsedMs < rateWindowMs) return;
    const fps = round((this.#pictures * 1000) / elapsedMs);
    this.#windowStartMs += elapsedMs;
    this.#pictures = 0;
    const before = this.#health.fps ?? 0;
    if (Math.abs(fps - before) > before / 10) this.#tell({ ...this.#health, fps });
  }

  #tell(health: StreamHealth): void {
    this.#health = health;
    this.#changed(health);
  }
}

const round = (fps: number): number => Math.round(fps * 10) / 10;
