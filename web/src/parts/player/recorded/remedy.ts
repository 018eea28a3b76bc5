/** What a failure calls for. Pure, but for counting repairs. */
import { Problem, problemSentence } from '#api/problem.ts';
import { isNothingThere, isRefusal } from './playback-access.ts';
import type { EngineFailure } from './playback-engine.ts';
import type { RecordedState } from './recorded-state.ts';

export type Remedy =
  /** One file that cannot be read does not end the playing. */
  | { readonly kind: 'passOver'; readonly mediaS: number | null }
  /** Another ticket for the same files. */
  | { readonly kind: 'renew' }
  /** Another playlist: files were removed, or a mask was drawn. */
  | { readonly kind: 'reopen' }
  /** The browser cannot decode what it said it could. */
  | { readonly kind: 'encode' }
  /** Nothing is there: what comes next. */
  | { readonly kind: 'goOn' }
  /** `pauseMs`: what the server asks for; null: ever longer ones. */
  | {
      readonly kind: 'wait';
      readonly why: 'offline' | 'refused';
      readonly sentence: string | null;
      readonly pauseMs: number | null;
    }
  | {
      readonly kind: 'refuse';
      readonly why: Extract<RecordedState, { kind: 'refused' }>['why'];
      readonly sentence: string | null;
    };

/** What the server says in `Retry-After` when too much is encoded at once. */
const busyMs = 10_000;

const offline: Remedy = { kind: 'wait', why: 'offline', sentence: null, pauseMs: null };
const busy = (sentence: string | null): Remedy => ({
  kind: 'wait',
  why: 'refused',
  sentence,
  pauseMs: busyMs,
});

/** What other files can be played in spite of. */
const ofOneFile: ReadonlySet<string> = new Set([
  'recording_unreadable',
  'recording_incomplete',
  'recording_file_missing',
]);

/** Something that was playing failed. `mayRepair`: mending is worth a try; asking counts as one. */
export function remedyOfFailure(failure: EngineFailure, mayRepair: () => boolean): Remedy {
  if (failure.kind === 'network') return offline;
  if (failure.kind === 'media') return { kind: 'encode' };
  const { code, status, sentence, mediaS } = failure;
  if (ofOneFile.has(code)) return { kind: 'passOver', mediaS };
  // It would only end a newer view: a reader who wants it back says so.
  if (code === 'view_replaced') return { kind: 'refuse', why: 'failed', sentence };
  if (status >= 500 || !mayRepair()) return busy(sentence);
  return { kind: code === 'playback_ended' ? 'renew' : 'reopen' };
}

/** Something that was asked of the server failed. */
export function remedyOfProblem(error: unknown): Remedy {
  const status = error instanceof Problem ? error.status : -1;
  if (status === 0) return offline;
  const sentence = problemSentence(error);
  if (isRefusal(error)) return { kind: 'refuse', why: 'rights', sentence };
  if (status >= 500 || status === 429) return busy(sentence);
  if (isNothingThere(error)) return { kind: 'goOn' };
  return { kind: 'refuse', why: 'failed', sentence };
}
