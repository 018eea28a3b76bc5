/** What is known of a camera: what it should do, what its streams do, what this viewer gets of it, and its recording. */
import type { Camera } from '@nazar/contract/cameras.ts';
import type { Pace } from '../player/live/pace.ts';
import type { PlayerState } from '../player/player-state.ts';

/** What this viewer gets. Trouble in here is the viewer's, or that of the way to them: it accuses no camera. */
export type ViewFacts =
  /** No picture is streamed here: a table, a tile out of sight or below something else. */
  | { readonly kind: 'none' }
  | { readonly kind: 'opening' }
  | { readonly kind: 'playing' }
  /** The camera sends, and the picture here stands still: what came waits for this device, or nothing came. */
  | { readonly kind: 'late'; readonly fault: 'device' | 'connection'; readonly ageMs: number }
  /** The wall shows less of every camera, because this device can't show them all. */
  | { readonly kind: 'keyFrames' }
  /** Null: of now. */
  | { readonly kind: 'stills'; readonly ageMs: number | null }
  | Extract<PlayerState, { kind: 'reconnecting' | 'ended' }>;

type Known =
  | 'status'
  | 'has_url'
  | 'health'
  | 'is_recording'
  | 'recording_reason'
  | 'recording_state'
  | 'recording_cause';

export interface CameraFacts {
  readonly camera: Pick<Camera, Known>;
  readonly view: ViewFacts;
  /** When this was known, in milliseconds of `Date.now()`, where the server can't be asked now; null: it is of now. */
  readonly knownAtMs: number | null;
}

export const noView: ViewFacts = { kind: 'none' };

export interface Lateness {
  readonly ageMs: number;
  readonly fault: 'device' | 'connection';
}

/** What is shown less of than comes, because this device can't show it all. */
export interface Reduced {
  readonly pace: Pace;
  /** How old the still is that is shown; null: none is. */
  readonly stillAgeMs: number | null;
}

/** Younger than this a picture is of now. */
export const ofNowMs = 2000;

const whole: Reduced = { pace: 'streams', stillAgeMs: null };

/** `late`: null while the picture moves. */
export function viewFactsOf(
  state: PlayerState,
  late: Lateness | null,
  { pace, stillAgeMs }: Reduced = whole,
): ViewFacts {
  if (pace === 'stills') {
    if (stillAgeMs === null) return { kind: 'opening' };
    return { kind: 'stills', ageMs: stillAgeMs < ofNowMs ? null : stillAgeMs };
  }
  if (pace === 'keyFrames' && state.kind === 'playing' && late === null)
    return { kind: 'keyFrames' };
  switch (state.kind) {
    case 'idle':
      return noView;
    case 'connecting':
    case 'starting':
      return { kind: 'opening' };
    case 'playing':
      return late === null ? { kind: 'playing' } : { kind: 'late', ...late };
    default:
      return state;
  }
}
