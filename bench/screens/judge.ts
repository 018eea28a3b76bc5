/**
 * Whether what a screen said was true. A change less than `graceMs` ago may still be shown as before: news travel, and
 * a busy machine draws late. A camera silent for longer than the ingest waits is not live, whatever it knows.
 */
import { claimsOf, placesIn, secondsIn, word, type Claim } from './said.ts';
import type { Known, Moment, Truth } from './truth.ts';

/** A broken stream is found within 5 s (LIVE-021), and shown within 5 s more. */
export const graceMs = 5_000;
/** The ingest gives a silent camera this long. */
export const silenceMs = 5_000;
/** Seconds on screens are whole, and are read between two of their steps. */
const roundedS = 2;

export interface Said {
  readonly screen: string;
  /** By the clock of the page. */
  readonly atMs: number;
  /** Null: of the whole screen. */
  readonly camera: string | null;
  /**
   * `state`: the sentence of a camera; `badge`: whether it is recorded; `age`: how old its picture is; `figure`: how
   * many cameras send; `line`: whether the server can be asked, the empty text for yes.
   */
  readonly place: 'state' | 'badge' | 'age' | 'figure' | 'line';
  readonly text: string;
  /** As of when the screen says that all of it is; null: of now. */
  readonly asOf: string | null;
  /** How long ago the picture beside it changed, and for how long it has moved; null: there is none. */
  readonly picture: { readonly ageMs: number; readonly movesMs: number } | null;
}

/** Returns why it was untrue, or null. */
export function untruthOf(said: Said, truth: Truth): string | null {
  const now = truth.until(said.atMs, graceMs);
  if (said.place === 'line') return lineUntruth(said, now);
  if (said.place === 'age') return ageUntruth(said);
  if (said.asOf !== null) {
    const then = momentsOf(said.asOf, said.atMs, truth);
    return untruthIn(said, [...then, ...now], truth);
  }
  return untruthIn(said, now, truth);
}

const wasAway = (moments: readonly Moment[]): boolean =>
  moments.some(({ cameras }) => cameras === null);
const isAway = (moments: readonly Moment[]): boolean =>
  moments.length > 0 && moments.every(({ cameras }) => cameras === null);

function lineUntruth({ text }: Said, now: readonly Moment[]): string | null {
  if (text === '') return isAway(now) ? 'the server could not be asked' : null;
  return wasAway(now) ? null : 'the server could be asked';
}

const ageUntruth = ({ text, picture }: Said): string | null =>
  hasAge(picture, secondsIn(placesIn('liveView.age', text)?.['time']))
    ? null
    : pictureWords(picture);

/** A picture that came just now may still be described as the one before it. */
const hasAge = (picture: Said['picture'], ageS: number | null): boolean =>
  picture !== null &&
  ageS !== null &&
  (Math.abs(picture.ageMs / 1000 - ageS) <= roundedS || picture.movesMs <= roundedS * 1000);

const pictureWords = (picture: Said['picture']): string =>
  picture === null
    ? 'there was no picture'
    : `its picture was ${(picture.ageMs / 1000).toFixed(1)} s old`;

/** "14:03" or "14:03:05", on the day of `atMs`: all moments of that minute or second, and what was so before. */
function momentsOf(time: string, atMs: number, truth: Truth): readonly Moment[] {
  const [, hour, minute, second] = /(\d\d):(\d\d)(?::(\d\d))?/.exec(time) ?? [];
  if (hour === undefined) return [];
  const from = new Date(atMs).setHours(Number(hour), Number(minute), Number(second ?? 0), 0);
  const lengthMs = second === undefined ? 60_000 : 1_000;
  return truth.between(from - graceMs, Math.min(from + lengthMs, atMs));
}

/** `moments`: one of them must have been as the sentence says. */
function untruthIn(said: Said, moments: readonly Moment[], truth: Truth): string | null {
  if (said.asOf === null && isAway(moments) && !speaksOfLine(said.text))
    return 'the server could not be asked';
  if (said.place === 'figure') return figureUntruth(said, moments);
  const name = said.camera ?? '';
  const known = moments.flatMap((moment) => moment.cameras?.[name] ?? []);
  if (said.place === 'badge') {
    const is = said.text === word('cameras.recording') || said.text === word('cameras.on');
    return said.asOf === null
      ? badgeUntruth(is, known, silentMs(said, moments))
      : badgeUntruth(is, known, 0);
  }
  const claims = claimsOf(said.text);
  const [first] = claims;
  if (first?.kind === 'stale') {
    if (!wasAway(moments)) return 'the server could be asked';
    const inner = {
      ...said,
      text: placesIn('cameraState.stale', said.text)?.['sentence'] ?? '',
      asOf: first.time,
    };
    return untruthIn(inner, momentsOf(first.time, said.atMs, truth), truth);
  }
  const faults = claims.map((claim) => claimUntruth(claim, said, moments, known));
  return faults.find((fault) => fault !== null) ?? contradiction(claims);
}

/** A sentence that says of itself that nothing is known, or that this viewer is cut off. */
const speaksOfLine = (text: string): boolean =>
  claimsOf(text).some(
    (claim) => claim.kind === 'stale' || (claim.kind === 'view' && claim.of === 'lost'),
  );

function figureUntruth({ text }: Said, moments: readonly Moment[]): string | null {
  const shown = Number(placesIn('dashboard.liveNow', text)?.['number']);
  const counts = moments.flatMap(({ cameras }) =>
    cameras === null
      ? []
      : Object.values(cameras).filter(({ health }) => health.state === 'live').length,
  );
  return counts.includes(shown) ? null : `${[...new Set(counts)].join(' or ')} sent video`;
}

/** For how long the camera has surely sent nothing. */
function silentMs({ camera, atMs }: Said, moments: readonly Moment[]): number {
  const sinceMs = moments.map((moment) => moment.silentSinceMs[camera ?? ''] ?? atMs);
  return atMs - Math.max(...sinceMs);
}

function badgeUntruth(is: boolean, known: readonly Known[], silent: number): string | null {
  if (is && silent > silenceMs + graceMs) return 'it sent nothing';
  return known.some(({ is_recording: recorded }) => recorded === is)
    ? null
    : `it was ${is ? 'not ' : ''}recorded`;
}

function claimUntruth(
  claim: Claim,
  said: Said,
  moments: readonly Moment[],
  known: readonly Known[],
): string | null {
  switch (claim.kind) {
    case 'stream':
      return streamUntruth(claim, said, moments, known);
    case 'sub':
      return known.some(({ health }) => health.sub?.state === 'live') ? null : 'no substream came';
    case 'retry':
      return retryUntruth(claim.inS, said, known);
    case 'recording': {
      const { state, reason } = claim;
      const silent = silentMs(said, moments);
      if (state === 'recording' && said.asOf === null && silent > silenceMs + graceMs)
        return 'it sent nothing';
      const isSo = (one: Known): boolean =>
        one.recording_state === state && (reason === null || one.recording_reason === reason);
      return known.some(isSo)
        ? null
        : `recording was ${listed(known, (one) => one.recording_state)}`;
    }
    case 'view':
      return viewUntruth(claim, said, moments);
    default:
      return 'nobody knows this sentence';
  }
}

const listed = (known: readonly Known[], of: (one: Known) => string): string =>
  [...new Set(known.map(of))].join(' or ') || 'not known';

function streamUntruth(
  { state, cause, since }: Extract<Claim, { kind: 'stream' }>,
  said: Said,
  moments: readonly Moment[],
  known: readonly Known[],
): string | null {
  if (state === 'live' && said.asOf === null) {
    if (silentMs(said, moments) > silenceMs + graceMs) return 'it sent nothing';
    if (said.picture !== null && said.picture.ageMs > graceMs) return pictureWords(said.picture);
  }
  const isSo = ({ health }: Known): boolean =>
    health.state === state &&
    (cause === null || health.cause === cause) &&
    (since === null || since === clockOf(health.down_since ?? health.since));
  if (known.some(isSo)) return null;
  // What changed may have been something else for a moment, between two questions.
  const isChanging = new Set(known.map(({ health }) => health.cause)).size > 1;
  if (isChanging && known.some(({ health }) => health.state === state)) return null;
  return `it was ${listed(known, ({ health }) => `${health.state} (${health.cause}) since ${clockOf(health.down_since ?? health.since)}`)}`;
}

const clockOf = (iso: string | null): string =>
  iso === null ? 'never' : new Date(iso).toTimeString().slice(0, 5);

function retryUntruth(inS: number, { atMs }: Said, known: readonly Known[]): string | null {
  const waits = known.flatMap(({ health: { retry_at: at } }) =>
    at === null ? [] : (Date.parse(at) - atMs) / 1000,
  );
  return waits.some((waitS) => Math.abs(waitS - inS) <= roundedS)
    ? null
    : `it was tried in ${waits.map((waitS) => waitS.toFixed(0)).join(' or ')} s`;
}

function viewUntruth(
  { of, ageS }: Extract<Claim, { kind: 'view' }>,
  { picture }: Said,
  moments: readonly Moment[],
): string | null {
  const isBusy = moments.some((moment) => moment.isBusy);
  switch (of) {
    case 'late':
      return hasAge(picture, ageS) ? null : pictureWords(picture);
    case 'lost':
      if (wasAway(moments)) return null;
      return picture !== null && moves(picture) ? 'the server could be asked' : null;
    case 'keyFrames':
    case 'still':
      return isBusy ? null : 'no device had too much to do';
    default:
      return picture !== null && moves(picture) ? 'its picture moved' : null;
  }
}

/** Whether it has moved for a while: until then the screen may still say that it waits for it. */
const moves = ({ ageMs, movesMs }: NonNullable<Said['picture']>): boolean =>
  ageMs < 1_000 && movesMs > graceMs;

/** Nothing is recorded of a camera that sends nothing: a screen that says both contradicts itself. */
function contradiction(claims: readonly Claim[]): string | null {
  const stream = claims.find((claim) => claim.kind === 'stream');
  const records = claims.some((claim) => claim.kind === 'recording' && claim.state === 'recording');
  const sends = stream === undefined || stream.state === 'live';
  const isOfSub = claims.some(({ kind }) => kind === 'sub');
  return records && !sends && !isOfSub ? 'it contradicts itself' : null;
}
