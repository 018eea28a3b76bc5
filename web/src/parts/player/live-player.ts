/**
 * One camera's live picture in one video element: connects, feeds, watches over it and begins again when
 * it breaks. Knows nothing of React; what it says is a `PlayerState`, the camera's health and the faces.
 */
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import type { LiveMessage } from '@nazar/contract/live.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { translate } from '#lib/i18n.ts';
import { signal } from '#lib/signal.ts';
import { FaceTimeline } from './face-timeline.ts';
import { openLiveSocket, type FullOf, type LiveStreamOf } from './live-socket.ts';
import { MediaSink, detach, isPlayable } from './media-sink.ts';
import { PeerSink } from './peer-sink.ts';
import type { PlayerState } from './player-state.ts';
import { PATIENCE_MS, PATIENCE_WITHOUT_CAMERA_MS, retryPauseMs } from './reconnect.ts';

type Why = Extract<PlayerState, { kind: 'reconnecting' }>['why'];
type Ending = Extract<PlayerState, { kind: 'ended' }>['why'];

export interface LivePlayerOptions extends LiveStreamOf {
  /** By WebRTC, as long as that works (LIVE-010). */
  readonly lowLatency?: boolean;
}

const WATCH_MS = 500;
/** LIVE-011: a camera that is opened anew for low latency waits so long. */
const REOPEN_MS = 500;
/** A WebRTC connection that shows nothing within this is blocked somewhere on the way. */
const PEER_PATIENCE_MS = 5000;

/** Refusals that another try does not change. A session that is over is dealt with elsewhere. */
const isFinal = (error: unknown): error is Problem =>
  error instanceof Problem && [400, 401, 403, 404, 409].includes(error.status);

export class LivePlayer implements Disposable {
  readonly state = signal<PlayerState>({ kind: 'idle' });
  /** What the server last said of the camera on this connection. */
  readonly health = signal<CameraHealth | null>(null);
  readonly faces = new FaceTimeline();
  /** LIVE-012: why low latency could not be had, and the usual view is shown; null: it is not so. */
  readonly lowLatencyFailed = signal<string | null>(null);

  readonly #of: LivePlayerOptions;
  readonly #video: HTMLVideoElement;
  readonly #end = new AbortController();
  #connection: AbortController | null = null;
  #sink: MediaSink | null = null;
  #peer: PeerSink | null = null;
  /** The connection at hand has shown a picture. */
  #hasPictured = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastPictureMs = 0;

  constructor(of: LivePlayerOptions, video: HTMLVideoElement) {
    this.#of = of;
    this.#video = video;
    const options = { signal: this.#end.signal };
    video.addEventListener('playing', () => this.#pictured(), options);
    video.addEventListener('timeupdate', () => this.#moved(), options);
    // The network is back: nobody waits for the pause to end.
    addEventListener('online', () => this.#hurry(), options);
  }

  start(): void {
    if (this.state.get().kind !== 'idle') return;
    if (!this.#wantsPeer) return this.#connect();
    this.state.set({ kind: 'connecting' });
    this.#timer = setTimeout(() => this.#connect(), REOPEN_MS);
  }

  /** Nobody looks: nothing is received or kept. */
  stop(): void {
    if (this.state.get().kind === 'idle') return;
    this.#disconnect();
    clearTimeout(this.#timer);
    detach(this.#video);
    this.faces.clear();
    this.health.set(null);
    this.state.set({ kind: 'idle' });
  }

  [Symbol.dispose](): void {
    this.#end.abort();
    this.stop();
  }

  get #wantsPeer(): boolean {
    return this.#of.lowLatency === true && this.lowLatencyFailed.get() === null;
  }

  #connect(): void {
    const connection = new AbortController();
    this.#connection = connection;
    this.#lastPictureMs = Date.now();
    this.#hasPictured = false;
    this.state.set({ kind: 'connecting' });
    const watch = setInterval(() => this.#watch(), WATCH_MS);
    connection.signal.addEventListener('abort', () => clearInterval(watch));
    const hooks = {
      onMessage: (message: LiveMessage) => this.#told(message),
      onMedia: (data: Uint8Array) => this.#sink?.append(data),
      onClose: (full: FullOf | null) => this.#retry(full ?? 'lost'),
    };
    if (this.#wantsPeer) this.#openPeer();
    const pictures = !this.#wantsPeer;
    openLiveSocket({ ...this.#of, pictures }, hooks, connection.signal).catch((error: unknown) => {
      if (connection.signal.aborted) return;
      if (isFinal(error)) this.#finish('refused', problemSentence(error));
      else this.#retry('refused', problemSentence(error));
    });
  }

  #disconnect(): void {
    this.#connection?.abort();
    this.#connection = null;
    this.#sink?.[Symbol.dispose]();
    this.#sink = null;
    this.#peer?.[Symbol.dispose]();
    this.#peer = null;
  }

  #openPeer(): void {
    this.faces.clear();
    const broke = (cause: unknown): void => this.#peerBroke(cause);
    try {
      this.#peer = new PeerSink(this.#of.cameraId, this.#video, broke);
    } catch {
      this.lowLatencyFailed.set(translate('player.broken.noWebRtc'));
    }
  }

  /** One that worked is opened anew: its stream began anew. One that never did gives way to the usual view. */
  #peerBroke(cause: unknown): void {
    const sentence = cause instanceof Problem ? problemSentence(cause) : null;
    if (cause instanceof Problem && cause.code === 'camera_not_live') {
      this.#retry('refused', sentence);
      return;
    }
    if (!this.#hasPictured) {
      this.lowLatencyFailed.set(sentence ?? translate('player.broken.silent'));
    }
    this.#disconnect();
    this.#connect();
  }

  /** The last picture stays on the screen meanwhile. */
  #retry(why: Why, sentence: string | null = null): void {
    this.#disconnect();
    const pauseMs = retryPauseMs(Math.random());
    this.state.set({ kind: 'reconnecting', atMs: Date.now() + pauseMs, why, sentence });
    this.#timer = setTimeout(() => this.#connect(), pauseMs);
  }

  #hurry(): void {
    if (this.state.get().kind !== 'reconnecting') return;
    clearTimeout(this.#timer);
    this.#connect();
  }

  #finish(why: Ending, sentence: string | null = null): void {
    this.#disconnect();
    detach(this.#video);
    this.faces.clear();
    this.state.set({ kind: 'ended', why, sentence });
  }

  #told(message: LiveMessage): void {
    switch (message.kind) {
      case 'stream':
        this.#begin(message.mime);
        break;
      case 'faces':
        this.faces.add(message.at, message.faces);
        break;
      case 'health':
        this.health.set(message.health);
        break;
      case 'end':
        // A server that goes is soon back, and a camera that was masked is there with its masks; other reasons stay.
        if (message.reason === 'shutdown' || message.reason === 'masked') this.#retry('lost');
        else this.#finish(message.reason);
    }
  }

  #begin(mime: string): void {
    if (!isPlayable(mime)) {
      this.#finish('unsupported', mime);
      return;
    }
    this.faces.clear();
    this.#lastPictureMs = Date.now();
    if (this.#sink === null) {
      this.#sink = new MediaSink(this.#video, mime, () => this.#retry('damaged'));
      this.state.set({ kind: 'starting' });
    } else this.#sink.restart(mime);
  }

  #pictured(): void {
    if (this.#sink === null && this.#peer === null) return;
    this.#hasPictured = true;
    this.#lastPictureMs = Date.now();
    this.state.set({ kind: 'playing' });
  }

  #moved(): void {
    this.#lastPictureMs = Date.now();
  }

  #watch(): void {
    const silent = ['stalled', 'offline', 'refused', 'off'].includes(
      this.health.get()?.state ?? '',
    );
    const waitedMs = Date.now() - this.#lastPictureMs;
    if (this.#peer !== null && !silent && waitedMs >= PEER_PATIENCE_MS) {
      this.#peerBroke(null);
      return;
    }
    const patience = silent ? PATIENCE_WITHOUT_CAMERA_MS : PATIENCE_MS;
    if (waitedMs >= patience) this.#retry('silent');
  }
}
