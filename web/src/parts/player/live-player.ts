/**
 * One camera's live picture: opens what the selector chose, and says what it is doing. Knows nothing of React; what it
 * says is a `PlayerState`, the transport in use, the camera's health and the faces.
 */
import type { CameraHealth, IngestState } from '@nazar/contract/cameras.ts';
import type { LiveMessage } from '@nazar/contract/live.ts';
import { translate } from '#lib/i18n.ts';
import { signal } from '#lib/signal.ts';
import type { Lateness } from '../camera-state/camera-facts.ts';
import { eachPicture } from './each-picture.ts';
import { FaceTimeline } from './face-timeline.ts';
import { LiveConnection, type LiveSurfaces } from './live/live-connection.ts';
import type { LiveSample } from './live/live-sample.ts';
import { TransportSelector, type LiveTransport } from './live/transport-selector.ts';
import type { LiveStreamOf } from './live-socket.ts';
import { detach, hasMediaSource, type KeyTest } from './media-sink.ts';
import { keepPicture } from './live/kept-picture.ts';
import { isFull, type PlayerState } from './player-state.ts';
import { browserClock } from './recorded/clock.ts';

type Ending = Extract<PlayerState, { kind: 'ended' }>['why'];

export interface LivePlayerOptions extends LiveStreamOf {
  /** By WebRTC, as long as that works. */
  readonly lowLatency?: boolean;
  /** By this and nothing else. */
  readonly forced?: Exclude<LiveTransport, 'webrtc'> | undefined;
}

/** No transport shows a picture while the camera sends none. */
const sends: Readonly<Record<IngestState, boolean>> = {
  off: false,
  connecting: false,
  live: true,
  stalled: false,
  offline: false,
  refused: false,
};

function orderOf(of: LivePlayerOptions, { canvas }: LiveSurfaces): LiveTransport[] {
  const wanted: LiveTransport[] =
    of.lowLatency === true ? ['webrtc', 'mse', 'jpeg'] : ['mse', 'jpeg'];
  const order = of.forced === undefined ? wanted : [of.forced];
  const isPossible = { mse: hasMediaSource(), webrtc: true, jpeg: canvas !== null };
  return order.filter((transport) => isPossible[transport]);
}

export class LivePlayer implements Disposable {
  readonly state = signal<PlayerState>({ kind: 'idle' });
  /** Which one is on the screen; null before the first picture. */
  readonly transport = signal<LiveTransport | null>(null);
  /** What the server last said of the camera on this connection. */
  readonly health = signal<CameraHealth | null>(null);
  readonly faces = new FaceTimeline();
  /** Why low latency could not be had, and the usual view is shown; null: it is not so. */
  readonly lowLatencyFailed = signal<string | null>(null);
  /** How many JPEGs were drawn. */
  readonly jpegs = signal(0);
  /**
   * When the last picture came that stays on its surface, though nothing is received any more; in milliseconds of
   * `Date.now()`. Null: none stays.
   */
  readonly keptMs = signal<number | null>(null);

  readonly surfaces: LiveSurfaces;
  readonly #of: LivePlayerOptions;
  readonly #selector: TransportSelector;
  readonly #end = new AbortController();
  readonly #connections = new Map<LiveTransport, LiveConnection>();
  /** The one whose pictures are shown or waited for; a trial runs beside it. */
  #main: LiveTransport | null = null;
  #lastPictureMs: number | null = null;
  #endPictures: (() => void) | null = null;
  #isKey: KeyTest | null = null;
  /** How many pictures came by connections that are closed by now. */
  #cameBefore = 0;
  /** How many pictures were on the screen, by whatever transport. */
  pictures = 0;

  constructor(
    of: LivePlayerOptions,
    video: HTMLVideoElement,
    canvas: HTMLCanvasElement | null = null,
    kept: HTMLCanvasElement | null = null,
  ) {
    this.#of = of;
    this.surfaces = { video, canvas, kept };
    this.#selector = this.#makeSelector();
    const options = { signal: this.#end.signal };
    video.addEventListener('playing', () => this.#videoPlays(), options);
    video.addEventListener('timeupdate', () => this.#videoMoves(), options);
    // The network is back: the reader needn't wait for the pause to end.
    addEventListener('online', () => this.#selector.hurry(), options);
  }

  start(): void {
    if (this.state.get().kind !== 'idle') return;
    this.state.set({ kind: 'connecting' });
    this.#watchPictures();
    this.#selector.start();
  }

  /** Opens it again that has ended. */
  open(): void {
    this.stop();
    this.start();
  }

  /** No user watches: nothing is received or kept. */
  stop(): void {
    if (this.state.get().kind === 'idle') return;
    this.#leave({ keeps: true });
    this.health.set(null);
    this.state.set({ kind: 'idle' });
  }

  [Symbol.dispose](): void {
    this.#end.abort();
    this.stop();
  }

  /** When the picture on the screen came, in milliseconds of `Date.now()`; null: there is none. */
  get lastPictureMs(): number | null {
    return this.#lastPictureMs;
  }

  /**
   * How long the picture on the screen has stood still; null while it moves, and before the first. `device`: what came
   * since is not shown, so that it is this device that does not keep up.
   */
  lateness(nowMs: number, patienceMs: number): Lateness | null {
    const shown = this.transport.get();
    const ageMs = this.#lastPictureMs === null ? 0 : nowMs - this.#lastPictureMs;
    if (shown === null || ageMs < patienceMs) return null;
    const mediaMs = this.#connections.get(shown)?.mediaMs ?? null;
    const comes = mediaMs !== null && nowMs - mediaMs < patienceMs;
    return { ageMs, fault: comes ? 'device' : 'connection' };
  }

  /** Only pictures that stand alone are shown from now on; null: all of them. */
  showKeysOnly(isKey: KeyTest | null): void {
    this.#isKey = isKey;
    for (const connection of this.#connections.values()) connection.showKeysOnly(isKey);
  }

  /** How many pictures came that are to be shown: what of them isn't on the screen is missing by this device. */
  get came(): number {
    const open = [...this.#connections.values()].map(({ came }) => came);
    return open.reduce((sum, one) => sum + one, this.#cameBefore);
  }

  /** Null while nothing is received. */
  async sample(): Promise<LiveSample | null> {
    const shown = this.transport.get();
    const connection = shown === null ? undefined : this.#connections.get(shown);
    return (await connection?.sample(Date.now())) ?? null;
  }

  #makeSelector(): TransportSelector {
    return new TransportSelector({
      order: orderOf(this.#of, this.surfaces),
      clock: browserClock,
      hooks: {
        open: (transport, isTrial) => this.#open(transport, isTrial),
        close: (transport) => this.#close(transport),
        shown: (transport) => this.#shows(transport),
        gaveWay: (sentence) =>
          this.lowLatencyFailed.set(sentence ?? translate('player.broken.silent')),
        waits: (atMs, why, sentence) => {
          this.state.set({ kind: 'reconnecting', atMs, why, sentence });
          // A still is shown until there is room.
          if (isFull(this.state.get())) this.transport.set(null);
        },
        gaveUp: () => this.#finish('unsupported'),
      },
    });
  }

  #open(transport: LiveTransport, isTrial: boolean): void {
    const connection = new LiveConnection(transport, this.#of, this.surfaces, {
      onMessage: (message) => this.#receive(transport, message),
      onPicture: () => this.#jpegDrawn(),
      onFailed: (cause, sentence) => this.#selector.failed(transport, cause, sentence),
      onRefused: (sentence) => this.#finish('refused', sentence),
    });
    this.#connections.set(transport, connection);
    if (!isTrial) {
      this.#main = transport;
      this.faces.clear();
      this.state.set({ kind: 'connecting' });
    }
    connection.showKeysOnly(this.#isKey);
    connection.open();
  }

  #close(transport: LiveTransport): void {
    const connection = this.#connections.get(transport);
    this.#cameBefore += connection?.came ?? 0;
    connection?.[Symbol.dispose]();
    this.#connections.delete(transport);
  }

  #shows(transport: LiveTransport): void {
    if (this.#main !== transport) this.faces.clear();
    this.#main = transport;
    this.transport.set(transport);
    this.state.set({ kind: 'playing' });
  }

  #receive(transport: LiveTransport, message: LiveMessage): void {
    if (message.kind === 'end') return this.#ended(transport, message.reason);
    if (message.kind === 'stream') this.#selector.begun(transport);
    if (transport !== this.#main) return;
    if (message.kind === 'stream') this.#begins();
    else if (message.kind === 'faces') this.faces.add(message.at, message.faces);
    else {
      this.health.set(message.health);
      this.#selector.cameraSends(sends[message.health.state]);
    }
  }

  #begins(): void {
    this.faces.clear();
    if (this.state.get().kind === 'connecting') this.state.set({ kind: 'starting' });
  }

  /**
   * A server that goes is soon back, and a camera that was masked is there with its masks; other reasons stay. A view
   * that made way for a newer one would only end that one.
   */
  #ended(transport: LiveTransport, reason: Extract<LiveMessage, { kind: 'end' }>['reason']): void {
    if (reason === 'rights' || reason === 'camera' || reason === 'replaced') this.#finish(reason);
    else this.#selector.failed(transport, 'lost');
  }

  /** A video element shows one transport at a time. */
  get #inVideo(): LiveTransport {
    return this.#connections.has('webrtc') ? 'webrtc' : 'mse';
  }

  /** Says this again when it waited for more and goes on, with the same picture: only the first is one by that. */
  #videoPlays(): void {
    if (!this.#connections.has(this.#inVideo)) return;
    if (this.#lastPictureMs === null) this.#pictureCame(this.#inVideo);
    this.#selector.pictured(this.#inVideo);
  }

  /** The clock of a video goes on where a device shows none of its pictures: that is no picture. */
  #videoMoves(): void {
    this.#selector.moved(this.#inVideo);
  }

  #watchPictures(): void {
    let last: number | null = null;
    this.#endPictures = eachPicture(this.surfaces.video, ({ mediaTime }) => {
      if (mediaTime !== last) {
        this.#pictureCame(this.#inVideo);
        // A video that is led from key frame to key frame stands still: it never says that it plays.
        if (this.#isKey !== null && this.#connections.has(this.#inVideo))
          this.#selector.pictured(this.#inVideo);
      }
      last = mediaTime;
    });
  }

  #jpegDrawn(): void {
    this.#pictureCame('jpeg');
    this.#selector.pictured('jpeg');
    this.jpegs.set(this.jpegs.get() + 1);
  }

  #pictureCame(transport: LiveTransport): void {
    if (transport !== this.#main) return;
    this.#lastPictureMs = Date.now();
    this.pictures += 1;
  }

  #finish(why: Ending, sentence: string | null = null): void {
    // What was replaced may be seen still, and what may not be is not kept.
    this.#leave({ keeps: why === 'replaced' });
    this.state.set({ kind: 'ended', why, sentence });
  }

  #leave({ keeps }: { keeps: boolean }): void {
    const shown = this.transport.get();
    if (!keeps) this.keptMs.set(null);
    else if (shown !== null) {
      const isKept = keepPicture(this.surfaces, shown === 'jpeg');
      this.keptMs.set(isKept ? (this.#lastPictureMs ?? Date.now()) : null);
    }
    this.#endPictures?.();
    this.#endPictures = null;
    this.#selector.stop();
    this.#main = null;
    this.#lastPictureMs = null;
    this.transport.set(null);
    detach(this.surfaces.video);
    this.faces.clear();
  }
}
