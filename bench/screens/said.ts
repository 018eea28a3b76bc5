/**
 * What a sentence of a screen claims, read back through the words it was made of (`i18n/en`): the judge compares claims
 * with the truth, not texts. Pure.
 */
import type { IngestCause, IngestState } from '@nazar/contract/cameras.ts';
import type { RecordingState, RecordingType } from '@nazar/contract/recording-states.ts';
import words from '@nazar/i18n/en/app.json' with { type: 'json' };

export type ViewClaim = 'opening' | 'late' | 'keyFrames' | 'still' | 'lost' | 'silent' | 'trouble';

export type Claim =
  | {
      readonly kind: 'stream';
      readonly state: IngestState;
      readonly cause: IngestCause | null;
      /** "14:03", or with its day. */
      readonly since: string | null;
    }
  /** Only the sub-stream comes. */
  | { readonly kind: 'sub' }
  | { readonly kind: 'retry'; readonly inS: number }
  | {
      readonly kind: 'recording';
      readonly state: RecordingState;
      readonly reason: RecordingType | null;
    }
  | { readonly kind: 'view'; readonly of: ViewClaim; readonly ageS: number | null }
  | { readonly kind: 'stale'; readonly time: string; readonly claims: readonly Claim[] }
  /** A sentence that is not known here: it can't be judged whether it is true. */
  | { readonly kind: 'unread'; readonly text: string };

type Words = { readonly [key: string]: Words | string };

const at = (path: string): Words | string =>
  path.split('.').reduce<Words | string>((found, key) => {
    const next = typeof found === 'string' ? undefined : found[key];
    if (next === undefined) throw new Error(`no words at ${path}`);
    return next;
  }, words as Words);

export function word(path: string): string {
  const found = at(path);
  if (typeof found !== 'string') throw new Error(`${path} are several words`);
  return found;
}

const patterns = new Map<string, RegExp>();

/** What stands in the places of a sentence, or null where it is another sentence. */
export function placesIn(path: string, text: string): Readonly<Record<string, string>> | null {
  let pattern = patterns.get(path);
  if (pattern === undefined) {
    const source = word(path).replaceAll(/[.*+?^$()[\]|\\]/g, String.raw`\$&`);
    pattern = new RegExp(`^${source.replaceAll(/\{\{(\w+)\}\}/g, '(?<$1>.+?)')}$`, 'u');
    patterns.set(path, pattern);
  }
  const found = pattern.exec(text);
  return found && { ...found.groups };
}

/** "40 sec", "3 min". */
export function secondsIn(text: string | undefined): number | null {
  const found = /^(\d+) (sec|min)$/.exec(text ?? '');
  return found === null ? null : Number(found[1]) * (found[2] === 'min' ? 60 : 1);
}

const marks = /[\u2066-\u2069]/g;

/** `text`: the whole sentence of a camera's state. */
export function claimsOf(text: string): Claim[] {
  const plain = text.replaceAll(marks, '').trim();
  const stale = placesIn('cameraState.stale', plain);
  if (stale !== null)
    return [{ kind: 'stale', time: stale['time']!, claims: claimsOf(stale['sentence']!) }];
  return plain.split(' · ').flatMap((part) => claimsOfPart(part));
}

function claimsOfPart(text: string): Claim[] {
  const next = placesIn('ingest.nextTry', text);
  const inS = secondsIn(next?.['time']);
  if (next !== null && inS !== null)
    return [...claimsOfPart(next['sentence']!), { kind: 'retry', inS }];
  const sub = placesIn('cameraState.subOnly', text);
  if (sub !== null) return [{ kind: 'sub' }, ...claimsOfPart(sub['sentence']!)];
  return [streamClaim(text) ?? recordingClaim(text) ?? viewClaim(text) ?? { kind: 'unread', text }];
}

const keyOf = (path: string, text: string): string | null =>
  Object.entries(at(path)).find(([, said]) => said === text)?.[0] ?? null;

function streamClaim(text: string): Claim | null {
  const off = { kind: 'stream', state: 'off', cause: 'none', since: null } as const;
  if (text === word('cameraState.notStarted')) return off;
  const caused = placesIn('ingest.sentence', text);
  const cause = caused === null ? null : keyOf('ingest.cause', caused['cause']!);
  const stateText = caused?.['state'] ?? text;
  const dated = placesIn('cameraState.since', stateText);
  const state = keyOf('ingest.state', dated?.['state'] ?? stateText);
  if (state === null || (caused !== null && cause === null)) return null;
  return {
    kind: 'stream',
    state: state as IngestState,
    cause: cause as IngestCause | null,
    since: dated?.['time'] ?? null,
  };
}

function recordingClaim(text: string): Claim | null {
  const reason = keyOf('recordingControl.recorded', text) as RecordingType | null;
  if (reason !== null) return { kind: 'recording', state: 'recording', reason };
  const isInterrupted = ['cameraState.nothingRecorded', 'cameraState.resuming'].some(
    (path) => word(path) === text,
  );
  const state = isInterrupted ? 'interrupted' : keyOf('recordingControl.state', text);
  return state === null
    ? null
    : { kind: 'recording', state: state as RecordingState, reason: null };
}

const views: readonly (readonly [path: string, of: ViewClaim])[] = [
  ['cameraState.opening', 'opening'],
  ['cameraState.late.device', 'late'],
  ['cameraState.late.connection', 'late'],
  ['cameraState.keyFrames', 'keyFrames'],
  ['cameraState.still', 'still'],
  ['cameraState.stillOf', 'still'],
];

const broken: Readonly<Record<string, ViewClaim>> = { lost: 'lost', silent: 'silent' };

function viewClaim(text: string): Claim | null {
  for (const [path, of] of views) {
    const places = placesIn(path, text);
    if (places !== null) return { kind: 'view', of, ageS: secondsIn(places['time']) };
  }
  const why = placesIn('player.reconnecting', text)?.['why'];
  if (why === undefined) return null;
  const key = keyOf('player.broken', why);
  return { kind: 'view', of: (key === null ? undefined : broken[key]) ?? 'trouble', ageS: null };
}
