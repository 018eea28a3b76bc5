/** One connection of a live view: its socket, and what takes its pictures (`LiveTransport`). */
import type { LiveMessage } from '@nazar/contract/live.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { translate } from '#lib/i18n.ts';
import { openLiveSocket, type FullOf, type LiveStreamOf } from '../live-socket.ts';
import { MediaSink, isPlayable, type KeyTest } from '../media-sink.ts';
import type { PeerSink } from '../peer-sink.ts';
import type { JpegSink } from './jpeg-sink.ts';
import type { LiveSample } from './live-sample.ts';
import type { BreakCause, LiveTransport } from './transport-selector.ts';

export interface LiveSurfaces {
  readonly video: HTMLVideoElement;
  /** For JPEGs; null where none are wanted. */
  readonly canvas: HTMLCanvasElement | null;
  /** Where the last picture stays when nothing is received any more; null: nowhere. */
  readonly kept?: HTMLCanvasElement | null;
}

export interface ConnectionHooks {
  readonly onMessage: (message: LiveMessage) => void;
  /** Called for JPEGs; the video element reports its own pictures. */
  readonly onPicture: () => void;
  readonly onFailed: (cause: BreakCause, sentence: string | null) => void;
  /** Trying again would not help. */
  readonly onRefused: (sentence: string) => void;
}

/** Refusals that another try does not change. A session that is over is dealt with elsewhere. */
const isFinal = (error: Problem): boolean => [400, 401, 403, 404, 409].includes(error.status);

type Sink =
  | { readonly kind: 'mse'; readonly sink: MediaSink }
  | { readonly kind: 'webrtc'; readonly sink: PeerSink }
  | { readonly kind: 'jpeg'; readonly sink: JpegSink };

export class LiveConnection implements Disposable {
  readonly transport: LiveTransport;
  readonly #of: LiveStreamOf;
  readonly #surfaces: LiveSurfaces;
  readonly #hooks: ConnectionHooks;
  readonly #end = new AbortController();
  #sink: Sink | null = null;
  #mime: string | null = null;
  #receivedBytes = 0;
  #isKey: KeyTest | null = null;
  /** Pictures that went to the video element. */
  #appended = 0;
  /** When media came last over the socket, in milliseconds of `Date.now()`. */
  #mediaMs: number | null = null;

  constructor(
    transport: LiveTransport,
    of: LiveStreamOf,
    surfaces: LiveSurfaces,
    hooks: ConnectionHooks,
  ) {
    this.transport = transport;
    this.#of = of;
    this.#surfaces = surfaces;
    this.#hooks = hooks;
  }

  /**
   * Fails where the browser has nothing to show it with. WebRTC and JPEGs are loaded when they are asked for: few views
   * do, and they would weigh on every page that shows a camera.
   */
  open(): void {
    if (this.transport === 'mse') this.#openSocket();
    else void (this.transport === 'webrtc' ? this.#openPeer() : this.#openJpegs());
  }

  /** The video element keeps its last picture. */
  [Symbol.dispose](): void {
    this.#end.abort();
    this.#sink?.sink[Symbol.dispose]();
    this.#sink = null;
  }

  /** WebRTC goes on as it comes: it is only asked for where one camera is watched. */
  showKeysOnly(isKey: KeyTest | null): void {
    this.#isKey = isKey;
    if (this.#sink !== null && this.#sink.kind !== 'webrtc') this.#sink.sink.showKeysOnly(isKey);
  }

  /** How many pictures came that are to be shown. */
  get came(): number {
    return this.#sink?.kind === 'jpeg' ? this.#sink.sink.came : this.#appended;
  }

  /** When media came last, in milliseconds of `Date.now()`; null: nothing came, or the browser does not report it. */
  get mediaMs(): number | null {
    return this.#sink?.kind === 'jpeg' ? this.#sink.sink.mediaMs : this.#mediaMs;
  }

  /** What was received and shown so far; null before the first picture could be. */
  async sample(nowMs: number): Promise<LiveSample | null> {
    const { video, canvas } = this.#surfaces;
    const common = { transport: this.transport, atMs: nowMs };
    if (this.#sink?.kind === 'jpeg' && canvas !== null) {
      const { sink } = this.#sink;
      const { pictures, dropped, receivedBytes: bytes } = sink;
      const { width, height } = canvas;
      return { ...common, codec: 'JPEG', width, height, pictures, dropped, bytes, delayS: null };
    }
    if (this.#sink === null) return null;
    const { videoWidth: width, videoHeight: height } = video;
    // Counted per element since its source was set, which is when the transport was opened.
    const { totalVideoFrames: pictures = null, droppedVideoFrames: dropped = null } =
      'getVideoPlaybackQuality' in video ? video.getVideoPlaybackQuality() : {};
    const shown = { ...common, width, height, pictures, dropped };
    if (this.#sink.kind === 'webrtc') return { ...shown, ...(await this.#sink.sink.figures()) };
    const delayS = (this.#sink as Extract<Sink, { kind: 'mse' }>).sink.delayS;
    return { ...shown, codec: this.#mime, bytes: this.#receivedBytes, delayS };
  }

  #openSocket(): void {
    const hooks = {
      onMessage: (message: LiveMessage) => this.#receive(message),
      onMedia: (data: Uint8Array) => {
        this.#receivedBytes += data.byteLength;
        this.#mediaMs = Date.now();
        // A fragment is one picture; that the initialisation segment is none does not weigh.
        if (this.#sink?.kind === 'mse' && this.#sink.sink.append(data)) this.#appended += 1;
      },
      // JPEGs come without it: it only says what is to be known of them.
      onClose: (full: FullOf | null) =>
        this.transport !== 'jpeg' && this.#hooks.onFailed(full ?? 'lost', null),
    };
    const wanted = { ...this.#of, pictures: this.transport === 'mse' };
    openLiveSocket(wanted, hooks, this.#end.signal).catch((cause: unknown) => {
      if (this.transport !== 'jpeg') this.#refused(cause);
    });
  }

  #receive(message: LiveMessage): void {
    if (message.kind === 'stream' && this.transport === 'mse') this.#begin(message.mime);
    if (!this.#end.signal.aborted) this.#hooks.onMessage(message);
  }

  #begin(mime: string): void {
    this.#mime = mime;
    if (!isPlayable(mime)) return this.#hooks.onFailed('unplayable', null);
    if (this.#sink?.kind === 'mse') return this.#sink.sink.restart(mime);
    const broken = (): void => this.#hooks.onFailed('damaged', null);
    this.#sink = { kind: 'mse', sink: new MediaSink(this.#surfaces.video, mime, broken) };
    this.#sink.sink.showKeysOnly(this.#isKey);
  }

  async #openPeer(): Promise<void> {
    const loaded = await import('../peer-sink.ts').catch(() => null);
    if (this.#end.signal.aborted) return;
    if (loaded === null) return this.#hooks.onFailed('silent', null);
    const broken = (cause: unknown): void => this.#peerBroke(cause);
    try {
      const sink = new loaded.PeerSink(this.#of.cameraId, this.#surfaces.video, broken);
      this.#sink = { kind: 'webrtc', sink };
    } catch {
      return this.#hooks.onFailed('silent', translate('player.broken.noWebRtc'));
    }
    this.#openSocket();
  }

  #peerBroke(cause: unknown): void {
    const sentence = cause instanceof Problem ? problemSentence(cause) : null;
    const isCamera = cause instanceof Problem && cause.code === 'camera_not_live';
    this.#hooks.onFailed(isCamera ? 'refused' : 'silent', sentence);
  }

  async #openJpegs(): Promise<void> {
    const { canvas } = this.#surfaces;
    const loaded = await import('./jpeg-sink.ts').catch(() => null);
    if (this.#end.signal.aborted) return;
    if (loaded === null) return this.#hooks.onFailed('lost', null);
    if (canvas === null || !loaded.hasJpegPlace()) return this.#hooks.onFailed('unplayable', null);
    const sink = new loaded.JpegSink(this.#of.cameraId, canvas, {
      onPicture: this.#hooks.onPicture,
      onBroken: (cause) => {
        if (cause instanceof Problem) this.#refused(cause);
        else this.#hooks.onFailed(cause === null ? 'lost' : 'damaged', null);
      },
    });
    sink.showKeysOnly(this.#isKey);
    this.#sink = { kind: 'jpeg', sink };
    this.#openSocket();
  }

  #refused(cause: unknown): void {
    if (this.#end.signal.aborted) return;
    // The server did not refuse anything: it did not answer.
    if (cause instanceof Problem && cause.status === 0) return this.#hooks.onFailed('lost', null);
    const sentence = cause instanceof Problem ? problemSentence(cause) : null;
    if (cause instanceof Problem && isFinal(cause)) this.#hooks.onRefused(problemSentence(cause));
    else this.#hooks.onFailed('refused', sentence);
  }
}
