/**
 * How it is with a camera: one sentence and one colour, for every place that shows it. What it should do is never
 * shown as what it does, and a sentence blames only what is known to be at fault: the camera, the way to it, the disk,
 * this device, or the way from the server to it. Pure.
 */
import type { StreamHealth } from '@nazar/contract/cameras.ts';
import { formatSeconds, formatTime } from '#lib/format.ts';
import type { Translate } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { noView, type CameraFacts, type ViewFacts } from './camera-facts.ts';

/** From the best to the worst; `neutral`: it shall do nothing, or nothing is known. */
export const stateTones = ['neutral', 'success', 'info', 'warning', 'danger'] as const;
export type StateTone = (typeof stateTones)[number];

export interface CameraState {
  readonly sentence: string;
  readonly tone: StateTone;
}

type Words = readonly [text: string, tone: StateTone];

export function cameraState(t: Translate, facts: CameraFacts, nowMs: number): CameraState {
  const { knownAtMs, view } = facts;
  const isOfThen = knownAtMs !== null && !isCutOff(view);
  // What this viewer gets is of now, and was not so when the camera was last asked for.
  const shown = isOfThen ? { ...facts, view: noView } : facts;
  const [stream, streamTone] = streamWords(t, shown, nowMs);
  const [recording, recordingTone] = recordingWords(t, shown);
  const sentence = joined([stream, recording]);
  if (!isOfThen) return { sentence, tone: worse(streamTone, recordingTone) };
  const time = moment(knownAtMs, nowMs);
  return { sentence: t('cameraState.stale', { time, sentence }), tone: 'neutral' };
}

const worse = (one: StateTone, other: StateTone): StateTone =>
  stateTones.indexOf(one) >= stateTones.indexOf(other) ? one : other;

/** A time of today, or with its day. */
function moment(atMs: number, nowMs: number): string {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  return formatTime(atMs, isToday ? clock : { ...clock, day: 'numeric', month: 'short' });
}

const seconds = (ms: number): string => formatSeconds(Math.max(1, Math.floor(ms / 1000)));

/** Nothing that is said of the camera here is current: its viewer is cut off, or may not know it any more. */
const isCutOff = (view: ViewFacts): boolean =>
  (view.kind === 'reconnecting' && view.why === 'lost') ||
  (view.kind === 'ended' && (view.why === 'rights' || view.why === 'camera'));

function streamWords(t: Translate, facts: CameraFacts, nowMs: number): Words {
  const { camera, view } = facts;
  const { status, has_url: hasUrl, health } = camera;
  if (status !== 'active') return [t(`cameraState.wish.${status}`), 'neutral'];
  if (!hasUrl) return [t('cameraState.noAddress'), 'warning'];
  if (isCutOff(view)) return viewWords(t, view, nowMs);
  if (health.state === 'live') return viewWords(t, view, nowMs);
  const main = brokenWords(t, health, nowMs);
  if (health.sub?.state !== 'live') return main;
  return [t('cameraState.subOnly', { sentence: main[0] }), 'warning'];
}

/** What one stream of a camera does, and why. */
export function streamSentence(t: Translate, stream: StreamHealth, nowMs: number): string {
  return stream.state === 'live' ? t('ingest.state.live') : brokenWords(t, stream, nowMs)[0];
}

/** What becomes of a camera's recording; empty: there is nothing to say of a camera that is not used. */
export const recordingSentence = (t: Translate, camera: CameraFacts['camera']): string =>
  recordingWords(t, { camera, view: noView, knownAtMs: null })[0];

function brokenWords(t: Translate, stream: StreamHealth, nowMs: number): Words {
  const { state, cause, retry_at: retryAt } = stream;
  if (state === 'off' && cause === 'none') return [t('cameraState.notStarted'), 'info'];
  const text = withCause(t, stream, stateWord(t, stream, nowMs));
  const leftMs = retryAt === null ? 0 : Date.parse(retryAt) - nowMs;
  const isBusy = state === 'connecting' || state === 'off';
  const tone = isBusy ? 'info' : state === 'stalled' ? 'warning' : 'danger';
  // Rounded down: what is tried in less than a second is tried now.
  if (leftMs < 1000) return [text, tone];
  return [t('ingest.nextTry', { sentence: text, time: seconds(leftMs) }), tone];
}

/** "Offline since 14:03"; what is on its way says no time. */
function stateWord(
  t: Translate,
  { state, since, down_since: downSince }: StreamHealth,
  nowMs: number,
): string {
  const word = t(`ingest.state.${state}`);
  const at = downSince ?? since;
  if (at === null || state === 'connecting' || state === 'off') return word;
  return t('cameraState.since', { state: word, time: moment(Date.parse(at), nowMs) });
}

const withCause = (t: Translate, { cause }: StreamHealth, state: string): string =>
  cause === 'none' ? state : t('ingest.sentence', { state, cause: t(`ingest.cause.${cause}`) });

/** What the viewer gets of a camera that sends. */
function viewWords(t: Translate, view: ViewFacts, nowMs: number): Words {
  switch (view.kind) {
    case 'none':
    case 'playing':
      return [t('ingest.state.live'), 'success'];
    case 'opening':
      return [t('cameraState.opening'), 'info'];
    case 'late':
      return [t(`cameraState.late.${view.fault}`, { time: seconds(view.ageMs) }), 'warning'];
    case 'keyFrames':
      return [t('cameraState.keyFrames'), 'warning'];
    case 'stills': {
      const { ageMs } = view;
      const time = ageMs === null ? null : seconds(ageMs);
      return [
        time === null ? t('cameraState.still') : t('cameraState.stillOf', { time }),
        'warning',
      ];
    }
    case 'reconnecting': {
      const why = view.sentence ?? t(`player.broken.${view.why}`);
      return [t('player.reconnecting', { why, time: seconds(view.atMs - nowMs) }), 'warning'];
    }
    default:
      return [endedWords(t, view), view.why === 'camera' ? 'neutral' : 'warning'];
  }
}

function endedWords(
  t: Translate,
  { why, sentence }: Extract<ViewFacts, { kind: 'ended' }>,
): string {
  if (why === 'refused' && sentence !== null) return sentence;
  if (why === 'unsupported') return t('player.unsupported');
  if (why === 'replaced') return t('problem:problem.view_replaced');
  return why === 'camera' ? t('player.cameraGone') : t('player.rightsLost');
}

/** News of the streams may come before those of their recording: what sends nothing is not recorded. */
function recordingStateOf({ health, recording_state: state }: CameraFacts['camera']) {
  const sends = health.state === 'live' || health.sub?.state === 'live';
  return state === 'recording' && !sends ? 'interrupted' : state;
}

/** Empty where recording is not to be spoken of. */
function recordingWords(t: Translate, { camera, view }: CameraFacts): Words {
  if (camera.status !== 'active' || !camera.has_url || isCutOff(view)) return ['', 'neutral'];
  const { recording_reason: reason, recording_cause: cause } = camera;
  const sends = camera.health.state === 'live';
  const state = recordingStateOf(camera);
  switch (state) {
    case 'recording':
      return [
        reason === null ? t('cameras.recording') : t(`recordingControl.recorded.${reason}`),
        'success',
      ];
    case 'interrupted':
      if (!sends) return [t('cameraState.nothingRecorded'), 'warning'];
      // What kept it from being recorded is over, and the next picture to begin with is waited for.
      if (cause !== 'camera') return [t('cameraState.resuming'), 'info'];
      return [t('recordingControl.state.interrupted'), 'warning'];
    case 'disk_hung':
      return [t('recordingControl.state.disk_hung'), 'warning'];
    case 'disk_full':
    case 'disk_away':
    case 'disk_failing':
      return [t(`recordingControl.state.${state}`), 'danger'];
    default:
      return [t(`recordingControl.state.${state}`), 'neutral'];
  }
}
