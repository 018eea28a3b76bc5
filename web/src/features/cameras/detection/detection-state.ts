/** What a stream of drawn pictures does, and why it does not. */

/** The server's own answer to the question for the stream. */
export interface Refusal {
  readonly status: number;
  /** What the server says about it, in the reader's language; '' where it says nothing. */
  readonly reason: string;
}

/** Goes away by itself: the stream is asked for again. */
export type Interruption =
  | { readonly why: 'failed' }
  | { readonly why: 'timedOut' }
  | ({ readonly why: 'refused' } & Refusal);

/** Only starting it again changes this. */
export type Ending =
  | {
      readonly why:
        'missing' | 'inactive' | 'signedOut' | 'noPlace' | 'format' | 'other' | 'stopped';
    }
  | ({ readonly why: 'refused' } & Refusal);

export type DetectionState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'running' }
  | ({ readonly kind: 'reconnecting' } & Interruption)
  | ({ readonly kind: 'ended' } & Ending);

/** How a connection came to its end. */
export type StreamEnd = Extract<DetectionState, { kind: 'reconnecting' | 'ended' }>;
