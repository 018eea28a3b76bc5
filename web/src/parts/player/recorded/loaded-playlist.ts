/** The playlist at hand: what it is, and where in it the playing is. */
import type { PlaybackTicket } from '@nazar/contract/playback.ts';
import { MediaMap, type Fragment, type Hole, type Place } from './media-map.ts';
import type { PlayedForm } from './recorded-state.ts';
import type { Period } from './recorded-server.ts';

const formOf = ({ masked, encoded, mimes }: PlaybackTicket): PlayedForm => ({
  masked,
  encoded,
  hasSound: mimes.some((mime) => mime.includes('mp4a')),
});

export class LoadedPlaylist {
  readonly period: Period;
  readonly startMs: number;
  readonly form: PlayedForm;
  /** Null: its files are not known yet. */
  map: MediaMap | null = null;
  mediaS = 0;
  /** What is missing in its time was asked for. */
  hasAskedForGaps = false;
  /** Where a file begins that cannot be read and was met while reading ahead; null: none. */
  unreadableS: number | null = null;
  /** The file that is shown. */
  #index = 0;

  constructor(ticket: PlaybackTicket, period: Period, startMs: number) {
    this.period = period;
    this.startMs = startMs;
    this.form = formOf(ticket);
  }

  /** Returns whether its files were not known before. */
  learn(fragments: readonly Fragment[]): boolean {
    const isFirst = this.map === null;
    this.map = new MediaMap(fragments);
    return isFirst;
  }

  get momentMs(): number {
    return this.map?.wallMs(this.mediaS) ?? this.startMs;
  }

  /** Whether another ticket is for the same files in the same form. */
  isLike(ticket: PlaybackTicket): boolean {
    const { masked, encoded } = formOf(ticket);
    return this.map !== null && masked === this.form.masked && encoded === this.form.encoded;
  }

  /** Where a moment lies in it; null: another playlist is needed. */
  place(momentMs: number): Place | null {
    const { fromMs, untilMs } = this.period;
    const isInside = momentMs >= fromMs && momentMs < untilMs;
    return isInside ? (this.map?.place(momentMs) ?? null) : null;
  }

  /** The viewer went there. */
  go(mediaS: number, index: number): void {
    this.mediaS = mediaS;
    this.#index = index;
    this.unreadableS = null;
  }

  /** Whether what begins there comes after the file that is shown. */
  isAhead(mediaS: number): boolean {
    return this.map !== null && this.map.indexAt(mediaS) > this.#index;
  }

  /** It played on to there; returns the hole that it passed over by that. */
  play(mediaS: number): Hole | null {
    if (this.map === null) return null;
    this.mediaS = mediaS;
    const index = this.map.indexAt(mediaS);
    const hole = index === this.#index + 1 ? this.map.holeBefore(index) : null;
    this.#index = index;
    return hole;
  }
}
