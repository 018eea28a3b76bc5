/**
 * When a camera whose process dies over and over is left alone: after the fifth death within a minute, for a
 * minute; and when that did not help, for twice as long, up to five. Pure.
 */
const limit = 5;
const windowMs = 60_000;
const firstRestMs = 60_000;
const longestRestMs = 5 * 60_000;

interface Past {
  /** Deaths of its process within the last minute. */
  crashedAtMs: readonly number[];
  rests: number;
  restsUntilMs: number | null;
  /** When it was tried again: the next death within a minute is one too many. */
  triedAtMs: number | null;
}

export class Breaker {
  readonly #past = new Map<string, Past>();

  /** Its process died. How long the camera rests; null: it may go on. */
  crashed(cameraId: string, nowMs: number): number | null {
    const past = this.#past.get(cameraId) ?? {
      crashedAtMs: [],
      rests: 0,
      restsUntilMs: null,
      triedAtMs: null,
    };
    this.#past.set(cameraId, past);
    const isOnTrial = past.triedAtMs !== null && nowMs - past.triedAtMs < windowMs;
    // Whoever survived a minute begins anew.
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

  /** Whether its rest is over; it is on trial from then on. */
  wakes(cameraId: string, nowMs: number): boolean {
    const past = this.#past.get(cameraId);
    if (!past || past.restsUntilMs === null || nowMs < past.restsUntilMs) return false;
    past.restsUntilMs = null;
    past.triedAtMs = nowMs;
    return true;
  }

  /** It was changed, or is wanted no more. */
  forget(cameraId: string): void {
    this.#past.delete(cameraId);
  }
}
