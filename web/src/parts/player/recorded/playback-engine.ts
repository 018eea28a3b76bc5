/** What plays a playlist: hls.js with a video element in browsers, a fake in tests. */
import type { PlaybackTicket } from '@nazar/contract/playback.ts';
import type { Fragment } from './media-map.ts';

/** Why something could not be played. */
export type EngineFailure =
  | { readonly kind: 'network' }
  /** The server answered something else. */
  | {
      readonly kind: 'http';
      readonly status: number;
      /** A code of `contract/src/problem.ts`, or ''. */
      readonly code: string;
      readonly sentence: string | null;
      /** Media time of the file that was asked for; null: it was the playlist. */
      readonly mediaS: number | null;
    }
  /** The browser cannot decode it. */
  | { readonly kind: 'media' };

export interface EngineEvents {
  /** Times of the files, also when they turned out to be a little different. */
  onFragments(fragments: readonly Fragment[]): void;
  /** The server sent something by the ticket. */
  onServed(): void;
  onTime(mediaS: number): void;
  /** A picture of the place that was asked for is shown. */
  onPicture(): void;
  /** The picture stands because what comes next is not here yet. */
  onWaiting(): void;
  onEnded(): void;
  onFailed(failure: EngineFailure): void;
  /** Playing was wanted and is refused: browsers let sound begin only after a click. */
  onPlayRefused(): void;
}

/** Where a playlist is, and what it says: it came with its ticket. */
export type GivenPlaylist = Pick<PlaybackTicket, 'playlist' | 'playlist_text'>;

export interface PlaybackEngine {
  canPlay(mime: string): boolean;
  /** Reads a playlist; nothing is played before `start`. */
  load(given: GivenPlaylist): void;
  start(mediaS: number): void;
  /** Goes on with another ticket for the same files. */
  renew(playlist: string): void;
  seek(mediaS: number): void;
  setPlaying(isPlaying: boolean): void;
  setSpeed(speed: number): void;
  /** So much faster than the speed, 1 is not at all: what keeps several in step is no speed that the reader chose. */
  setCorrection(factor: number): void;
  /** Shows the picture after the one that is shown, or before it. */
  step(direction: 1 | -1): void;
  /** Takes the picture away. */
  unload(): void;
}
