/**
 * What the server lets a player have: tickets in a form that the browser plays, how old the one at hand is, and
 * whether its owner may still see what they see.
 */
import type { PlaybackTicket } from '@nazar/contract/playback.ts';
import { Problem } from '#api/problem.ts';
import type { Clock } from './clock.ts';
import type { Period, RecordedServer } from './recorded-server.ts';

/** Tickets die five minutes after their last use; one this old is replaced before it is used. */
const idleMs = 4.5 * 60_000;
/** So long after the last answer it is asked whether this may still be seen. */
const checkMs = 10_000;
/** More repairs than this in half a minute mend nothing. */
const maxRepairs = 3;
const repairsWithinMs = 30_000;

export class PlaybackAccess implements Disposable {
  readonly #server: RecordedServer;
  readonly #clock: Clock;
  #servedAtMs = 0;
  #repairedAtMs: number[] = [];
  #timer: Disposable | null = null;

  constructor(server: RecordedServer, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
  }

  /** The ticket at hand was used. */
  served(): void {
    this.#servedAtMs = this.#clock.now();
  }

  get isIdle(): boolean {
    return this.#clock.now() - this.#servedAtMs > idleMs;
  }

  /** Whether mending is worth a try; counts it. */
  mayRepair(): boolean {
    const nowMs = this.#clock.now();
    this.#repairedAtMs = this.#repairedAtMs.filter((atMs) => nowMs - atMs < repairsWithinMs);
    if (this.#repairedAtMs.length >= maxRepairs) return false;
    this.#repairedAtMs.push(nowMs);
    return true;
  }

  forgetRepairs(): void {
    this.#repairedAtMs = [];
  }

  /**
   * Returns a ticket for what the browser can play; null: it plays neither what was recorded nor what is encoded
   * anew. Throws a `Problem`.
   */
  async ticket(
    period: Period,
    canPlay: (mime: string) => boolean,
    mustEncode: boolean,
    signal: AbortSignal,
  ): Promise<PlaybackTicket | null> {
    const recorded = await this.#server.begin(period, mustEncode, signal);
    if (recorded.mimes.every(canPlay)) return recorded;
    if (recorded.encoded) return null;
    const encoded = await this.#server.begin(period, true, signal);
    return encoded.mimes.every(canPlay) ? encoded : null;
  }

  /**
   * From now on a lost right to see it is noticed, also when nothing has to be fetched. `shownMs`: the
   * moment that is shown; null: nothing is.
   */
  watch(shownMs: () => number | null, onRefused: (problem: unknown) => void): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#clock.after(checkMs, () => {
      this.watch(shownMs, onRefused);
      const momentMs = shownMs();
      if (momentMs === null || this.#clock.now() - this.#servedAtMs < checkMs) return;
      const period = { fromMs: momentMs - 1, untilMs: momentMs };
      this.#server.timeline(period, 0, new AbortController().signal).catch((error: unknown) => {
        if (isRefusal(error) && shownMs() !== null) onRefused(error);
      });
    });
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
  }
}

/** The session, the rights or the camera are gone. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Problem &&
  [401, 403, 404].includes(error.status) &&
  error.code !== 'recording_not_found';

export const isNothingThere = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'recording_not_found';
