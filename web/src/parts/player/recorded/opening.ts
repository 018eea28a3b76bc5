/**
 * Finds what to play: the playlist round a moment, or where nothing is recorded there, the next one that is. It asks
 * the server and changes nothing that is shown. A playlist holds half an hour round the moment.
 */
import type { PlaybackTicket } from '@nazar/contract/playback.ts';
import type { Clock } from './clock.ts';
import type { GapNotice } from './gap-notice.ts';
import { leastHoleMs } from './media-map.ts';
import { nextRecorded } from './next-recorded.ts';
import { isNothingThere, type PlaybackAccess } from './playback-access.ts';
import type { Jump } from './recorded-state.ts';
import type { Period, RecordedServer } from './recorded-server.ts';

/**
 * Short ways back and forth stay in one playlist, which names about 900 parts of two seconds (115 kB). One of an hour
 * took a busy browser 50 ms longer to read, and one of four hours of whole files 98 ms of the server's processor to
 * make, where an hour took 36.
 */
const backMs = 10 * 60_000;
const aheadMs = 20 * 60_000;

export interface Opened {
  readonly kind: 'playlist';
  readonly ticket: PlaybackTicket;
  readonly period: Period;
  /** Where to begin. */
  readonly startMs: number;
  /** What is passed over to get there; null: nothing as far as is known. */
  readonly passed: Jump | null;
}

export type Opening =
  | Opened
  /** The browser plays it in no form. */
  | { readonly kind: 'unplayable' }
  /** Nothing later is recorded yet. */
  | { readonly kind: 'end'; readonly atMs: number };

/** What the browser plays. */
export interface Playing {
  readonly canPlay: (mime: string) => boolean;
  /** It failed at what it said it could play. */
  readonly mustEncode: boolean;
}

export interface OpenerParts {
  readonly server: RecordedServer;
  readonly clock: Clock;
  readonly access: PlaybackAccess;
  readonly notice: GapNotice;
}

export class Opener {
  readonly #parts: OpenerParts;

  constructor(parts: OpenerParts) {
    this.#parts = parts;
  }

  /** What shows that moment, or the next that is recorded. Throws a `Problem`, as `after` does. */
  async at(atMs: number, playing: Playing, signal: AbortSignal): Promise<Opening> {
    const period = { fromMs: atMs - backMs, untilMs: atMs + aheadMs };
    try {
      return await this.#playlist(period, atMs, null, playing, signal);
    } catch (error) {
      if (!isNothingThere(error)) throw error;
      return this.after(atMs, playing, signal);
    }
  }

  /** What was written since, or what comes after the gap that begins here. */
  async after(fromMs: number, playing: Playing, signal: AbortSignal): Promise<Opening> {
    const { server, clock, notice } = this.#parts;
    const end = { kind: 'end', atMs: fromMs } as const;
    // The file that ended here is not another one, whatever was rounded.
    const afterMs = fromMs + leastHoleMs / 2;
    const { startMs, gaps } = await nextRecorded(server, afterMs, clock.now(), signal);
    if (signal.aborted) return end;
    notice.know(gaps);
    if (startMs === null) return end;
    const hole = { fromMs, untilMs: startMs };
    const passed = { ...hole, cause: notice.causeOf(hole) };
    const period = { fromMs: startMs, untilMs: startMs + backMs + aheadMs };
    const beginMs = startMs === afterMs ? fromMs : startMs;
    try {
      return await this.#playlist(period, beginMs, passed, playing, signal);
    } catch (error) {
      // It is there and still being written.
      if (!isNothingThere(error)) throw error;
      return end;
    }
  }

  async #playlist(
    period: Period,
    startMs: number,
    passed: Jump | null,
    { canPlay, mustEncode }: Playing,
    signal: AbortSignal,
  ): Promise<Opening> {
    const ticket = await this.#parts.access.ticket(period, canPlay, mustEncode, signal);
    if (ticket === null) return { kind: 'unplayable' };
    return { kind: 'playlist', ticket, period, startMs, passed };
  }
}
