/**
 * The circuit breaker of a camera whose process crashes over and over: after the fifth crash within a minute the
 * camera rests for a minute; when that did not help it rests for twice as long, up to five minutes. Pure.
 */
const limit = 5;
const windowMs = 60_000;
const firstRestMs = 60_000;
const longestRestMs = 5 * 60_000;

interface Past {
  /** Crashes of its process within the last minute. */
  crashedAtMs: readonly number[];
  rests: number;
  restsUntilMs: number | null;
  /** When it was tried again: a crash within a minute of that opens the breaker at once. */
  triedAtMs: number | null;
}

export class Breaker {
  readonly #past = new Map<string, Past>();

  /** Its process crashed. Returns how long the camera rests; null: it goes on. */
  crashed(cameraId: string, nowMs: number): number | null {
    const past = this.#past.get(cameraId) ?? {
      crashedAtMs: [],
      rests: 0,
      restsUntilMs: null,
      triedAtMs: null,
    };
    this.#past.set(cameraId, past);
    const isOnTrial = past.triedAtMs !== null && nowMs - past.triedAtMs < windowMs;
    // A camera that survived a minute begins anew.
    if (!isOnTrial && past.triedAtMs !== null) [past.rests, past.triedAtMs] = [0, null];
    past.crashedAtMs = [...past.crashedAtMs.filter((atMs) => nowMs - atMs < windowMs), nowMs];
    if (!isOnTrial && past.crashedAtMs.length < limit) return null;
    const restMs = Math.min(longestRestMs, firstRestMs * 2 ** past.rests);
    past.rests += 1;
    past.crashedAtMs = [];
    past.restsUntilMs = nowMs + restMs;
    return restMs;
  }

  isResting(cameraId: string): boolean {
    return (this.#past.get(cameraId)?.restsUntilMs ?? null) !== null;
  }

  /** Whether its rest is over; from then on the camera is on trial. */
  wakes(cameraId: string, nowMs: number): boolean {
    const past = this.#past.get(cameraId);
    if (!past || past.restsUntilMs === null || nowMs < past.restsUntilMs) return false;
    past.restsUntilMs = null;
    past.triedAtMs = nowMs;
    return true;
  }

  /** The camera was changed, or is not wanted any more. */
  forget(cameraId: string): void {
    this.#past.delete(cameraId);
  }
}
