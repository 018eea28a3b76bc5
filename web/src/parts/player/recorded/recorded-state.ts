/** What a player of recordings can be doing. Each of these has words and a picture; none is a black box. */
import type { GapCause } from '@nazar/contract/recordings.ts';
import type { Hole } from './media-map.ts';

export type RecordedState =
  | { readonly kind: 'idle' }
  /** On the way to a moment: a ticket, a playlist, a first picture. */
  | { readonly kind: 'loading'; readonly atMs: number }
  /** A picture is shown, moving or not. */
  | { readonly kind: 'ready' }
  /** Nothing later is recorded yet. */
  | {
      readonly kind: 'end';
      /** The moment that was asked for. */
      readonly atMs: number;
      /** Since when nothing is recorded: the last recording ends there. */
      readonly sinceMs: number;
      /** Why nothing follows; null: it is being written, or the cause is unknown. */
      readonly cause: GapCause | null;
    }
  /** It is tried again by itself. The last picture stays, and is not what is asked for. */
  | {
      readonly kind: 'waiting';
      readonly why: 'offline' | 'refused';
      /** What the server said, in the reader's language. */
      readonly sentence: string | null;
      /** When, in milliseconds of the clock. */
      readonly retryAtMs: number;
    }
  /** Trying again by itself would not help. */
  | {
      readonly kind: 'refused';
      readonly why: 'rights' | 'unplayable' | 'failed';
      readonly sentence: string | null;
    };

/** A time without a recording that playing passed over. */
export interface Jump extends Hole {
  readonly cause: GapCause | null;
}

/** What is played, and how it differs from what was recorded. */
export interface PlayedForm {
  /** Privacy masks are burnt in. */
  readonly masked: boolean;
  /** It is encoded anew: masks are burnt in, or the browser cannot play what was recorded. */
  readonly encoded: boolean;
  readonly hasSound: boolean;
}
