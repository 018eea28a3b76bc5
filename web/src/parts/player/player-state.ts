/** What a live view can be doing. Each of these has words and a picture; none is a black box. */
export type PlayerState =
  /** Out of sight, or the camera has nothing to show. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  /** The stream has begun, its first picture has not been shown yet. */
  | { readonly kind: 'starting' }
  | { readonly kind: 'playing' }
  | {
      readonly kind: 'reconnecting';
      /** When, in milliseconds of `Date.now()`. */
      readonly atMs: number;
      readonly why: 'lost' | 'silent' | 'damaged' | 'refused' | 'full' | 'maskedFull';
      /** What the server said, in the reader's language. */
      readonly sentence: string | null;
    }
  /** Trying again would not help. */
  | {
      readonly kind: 'ended';
      readonly why: 'rights' | 'camera' | 'unsupported' | 'refused' | 'replaced';
      readonly sentence: string | null;
    };

/** A limit refuses it: a still is shown until there is room. */
export const isFull = (state: PlayerState): boolean =>
  state.kind === 'reconnecting' && (state.why === 'full' || state.why === 'maskedFull');
