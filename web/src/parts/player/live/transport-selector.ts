/**
 * By which transport a live picture comes: opens the best one that plays, goes down to the next when one shows nothing,
 * tries a better one again while the picture stays, and waits when none works. Knows neither the network nor the page;
 * time is its clock's.
 */
import type { PlayerState } from '../player-state.ts';
import type { Clock } from '../recorded/clock.ts';
import { PATIENCE_MS, PATIENCE_WITHOUT_CAMERA_MS, RETRY_PAUSE_MS } from '../reconnect.ts';

/** Fragments over the WebSocket into a MediaSource; WebRTC; JPEGs one after another in one HTTP answer. */
export const liveTransports = ['mse', 'webrtc', 'jpeg'] as const;
export type LiveTransport = (typeof liveTransports)[number];

/** `unplayable`: this browser cannot show it, now or later. */
export type BreakCause = Extract<PlayerState, { kind: 'reconnecting' }>['why'] | 'unplayable';

/** A transport that shows no picture within this, or within this of the server's beginning, gives way to the next. */
export const startMs = 3000;
/** LIVE-011: a camera that is opened anew for low latency waits so long. */
const reopenMs = 500;
/** WebRTC that stood still for this long is opened anew: readers who ask for it want no delay. */
const webRtcPatienceMs = 5000;
/** So long after a worse transport shows a picture a better one is tried again; twice as long after each failure. */
const firstClimbMs = 10_000;
const longestClimbMs = 300_000;

/** Another transport may do better then. Refusals of the server are the same by all of them. */
const isOfTransport: ReadonlySet<BreakCause> = new Set(['lost', 'silent', 'damaged']);

export interface TransportHooks {
  /** `isTrial`: another one is on the screen meanwhile and stays there until this one shows a picture. */
  readonly open: (transport: LiveTransport, isTrial: boolean) => void;
  readonly close: (transport: LiveTransport) => void;
  /** This one is on the screen from now on. */
  readonly shown: (transport: LiveTransport) => void;
  /** WebRTC was asked for and does not work; the next one is opened. */
  readonly gaveWay: (sentence: string | null) => void;
  /** Nothing works just now; everything is tried again at `atMs`. */
  readonly waits: (
    atMs: number,
    cause: Exclude<BreakCause, 'unplayable'>,
    sentence: string | null,
  ) => void;
  /** This browser plays none of them. */
  readonly gaveUp: () => void;
}

export interface TransportSelectorOptions {
  /** Best first. One alone is a forced choice: it is kept whatever happens. */
  readonly order: readonly LiveTransport[];
  readonly clock: Clock;
  readonly hooks: TransportHooks;
}

interface Attempt {
  readonly transport: LiveTransport;
  hasPictured: boolean;
  /** When it was opened, showed its newest picture, or the camera came back. */
  aliveMs: number;
  watch: Disposable | null;
}

export class TransportSelector implements Disposable {
  readonly #options: TransportSelectorOptions;
  #order: LiveTransport[] = [];
  #main: Attempt | null = null;
  #trial: Attempt | null = null;
  /** Until the next attempt, or until a better transport is tried. */
  #timer: Disposable | null = null;
  #isWaiting = false;
  #climbMs = firstClimbMs;
  #cameraSends = true;

  constructor(options: TransportSelectorOptions) {
    this.#options = options;
  }

  start(): void {
    this.stop();
    this.#order = [...this.#options.order];
    this.#climbMs = firstClimbMs;
    this.#cameraSends = true;
    if (this.#order[0] === 'webrtc') this.#after(reopenMs, () => this.#openBest());
    else this.#openBest();
  }

  stop(): void {
    this.#clearTimer();
    this.#endTrial();
    this.#endMain();
  }

  [Symbol.dispose](): void {
    this.stop();
  }

  /** It showed a picture. */
  pictured(transport: LiveTransport): void {
    const attempt = this.#attemptOf(transport);
    if (attempt === null) return;
    const isFirst = !attempt.hasPictured;
    attempt.hasPictured = true;
    this.#lives(attempt);
    if (!isFirst) return;
    if (attempt === this.#trial) this.#promote(attempt);
    this.#options.hooks.shown(transport);
    this.#climbLater();
  }

  /** The server has begun to send: from now on a picture is due, however long the way there took. */
  begun(transport: LiveTransport): void {
    const attempt = this.#attemptOf(transport);
    if (attempt?.hasPictured === false) this.#lives(attempt);
  }

  /** The picture goes on; without a first one that says nothing. */
  moved(transport: LiveTransport): void {
    const attempt = this.#attemptOf(transport);
    if (attempt?.hasPictured === true) this.#lives(attempt);
  }

  /** What the server says of the camera: while it sends nothing no transport can. */
  cameraSends(sends: boolean): void {
    if (sends === this.#cameraSends) return;
    this.#cameraSends = sends;
    for (const attempt of [this.#main, this.#trial]) {
      if (attempt === null) continue;
      attempt.aliveMs = this.#options.clock.now();
      this.#watch(attempt);
    }
  }

  failed(transport: LiveTransport, cause: BreakCause, sentence: string | null = null): void {
    const attempt = this.#attemptOf(transport);
    if (attempt === null) return;
    if (cause === 'unplayable') this.#order = this.#order.filter((one) => one !== transport);
    if (attempt === this.#trial) {
      this.#endTrial();
      this.#climbMs = Math.min(this.#climbMs * 2, longestClimbMs);
      this.#climbLater();
      return;
    }
    const next = this.#order[this.#order.indexOf(transport) + 1];
    this.#clearTimer();
    this.#endTrial();
    this.#endMain();
    if (cause === 'unplayable') this.#openBest();
    else if (!isOfTransport.has(cause)) this.#wait(cause, sentence);
    else if (transport === 'webrtc') this.#webRtcFailed(attempt, cause, sentence);
    else if (!attempt.hasPictured && next !== undefined) this.#open(next);
    else this.#wait(cause, sentence);
  }

  /** The network is back: the pause is over. */
  hurry(): void {
    if (!this.#isWaiting) return;
    this.#clearTimer();
    this.#openBest();
  }

  /** One that worked is opened anew: its stream began anew. One that never did is not asked for again. */
  #webRtcFailed(
    attempt: Attempt,
    cause: Exclude<BreakCause, 'unplayable'>,
    sentence: string | null,
  ): void {
    if (cause === 'lost') this.#wait(cause, sentence);
    else if (attempt.hasPictured) this.#open('webrtc');
    else {
      this.#order = this.#order.filter((one) => one !== 'webrtc');
      this.#options.hooks.gaveWay(sentence);
      this.#openBest();
    }
  }

  #openBest(): void {
    const [best] = this.#order;
    if (best === undefined) this.#options.hooks.gaveUp();
    else this.#open(best);
  }

  #open(transport: LiveTransport): void {
    this.#main = this.#attempt(transport);
    this.#options.hooks.open(transport, false);
  }

  #attempt(transport: LiveTransport): Attempt {
    const aliveMs = this.#options.clock.now();
    const attempt = { transport, hasPictured: false, aliveMs, watch: null };
    this.#watch(attempt);
    return attempt;
  }

  #attemptOf(transport: LiveTransport): Attempt | null {
    return [this.#main, this.#trial].find((one) => one?.transport === transport) ?? null;
  }

  /** From now on its patience runs anew: the timer that is running looks again when it is due. */
  #lives(attempt: Attempt): void {
    attempt.aliveMs = this.#options.clock.now();
  }

  #watch(attempt: Attempt): void {
    const { clock } = this.#options;
    const leftMs = attempt.aliveMs + this.#patienceMs(attempt) - clock.now();
    attempt.watch?.[Symbol.dispose]();
    attempt.watch = clock.after(Math.max(0, leftMs), () => {
      if (clock.now() - attempt.aliveMs < this.#patienceMs(attempt)) this.#watch(attempt);
      else this.failed(attempt.transport, 'silent');
    });
  }

  #patienceMs(attempt: Attempt): number {
    if (!this.#cameraSends) return PATIENCE_WITHOUT_CAMERA_MS;
    if (attempt.hasPictured) return attempt.transport === 'webrtc' ? webRtcPatienceMs : PATIENCE_MS;
    return attempt.transport === this.#order.at(-1) ? PATIENCE_MS : startMs;
  }

  #wait(cause: Exclude<BreakCause, 'unplayable'>, sentence: string | null): void {
    this.#after(RETRY_PAUSE_MS, () => this.#openBest());
    this.#isWaiting = true;
    this.#options.hooks.waits(this.#options.clock.now() + RETRY_PAUSE_MS, cause, sentence);
  }

  #climbLater(): void {
    this.#clearTimer();
    const shown = this.#main;
    if (shown?.hasPictured !== true) return;
    const better = this.#order[this.#order.indexOf(shown.transport) - 1];
    if (better === undefined) return;
    this.#after(this.#climbMs, () => {
      this.#trial = this.#attempt(better);
      this.#options.hooks.open(better, true);
    });
  }

  #promote(attempt: Attempt): void {
    this.#endMain();
    this.#main = attempt;
    this.#trial = null;
  }

  #endMain(): void {
    const ended = this.#main;
    this.#main = null;
    this.#end(ended);
  }

  #endTrial(): void {
    const ended = this.#trial;
    this.#trial = null;
    this.#end(ended);
  }

  #end(attempt: Attempt | null): void {
    if (attempt === null) return;
    attempt.watch?.[Symbol.dispose]();
    attempt.watch = null;
    this.#options.hooks.close(attempt.transport);
  }

  #after(ms: number, work: () => void): void {
    this.#clearTimer();
    this.#timer = this.#options.clock.after(ms, () => {
      this.#timer = null;
      this.#isWaiting = false;
      work();
    });
  }

  #clearTimer(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = null;
    this.#isWaiting = false;
  }
}
