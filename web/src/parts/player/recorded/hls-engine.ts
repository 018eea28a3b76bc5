/**
 * Plays a playlist in a video element by hls.js, whose code comes with the first playlist. Without its worker: the
 * page's policy lets no script begin that is not a file of its own (C-701).
 */
import type Hls from 'hls.js/light';
import type { ErrorData, Fragment as HlsFragment, HlsConfig } from 'hls.js/light';
import { currentLanguage } from '#lib/i18n.ts';
import { eachPicture } from '../each-picture.ts';
import { detach, isPlayable } from '../media-sink.ts';
import { PictureStep } from './picture-step.ts';
import type { EngineEvents, EngineFailure, PlaybackEngine } from './playback-engine.ts';

/** So much is read ahead, in seconds of what is shown; faster playing needs more. */
const aheadS = 30;
const behindS = 60;
/** A media error is mended once; another one so soon after is none that mending helps. */
const mendedMs = 5000;

/** Twice more, then the player says what it waits for. */
const retry = { maxNumRetry: 2, retryDelayMs: 500, maxRetryDelayMs: 2000 };
function isRefused({ response }: ErrorData): boolean {
  const status = response?.code ?? 0;
  return status >= 400 && status < 500;
}

const policy = {
  default: {
    maxTimeToFirstByteMs: 30_000,
    maxLoadTimeMs: 60_000,
    timeoutRetry: { ...retry, maxNumRetry: 1 },
    errorRetry: retry,
  },
};

export class HlsEngine implements PlaybackEngine, Disposable {
  readonly #video: HTMLVideoElement;
  readonly #events: EngineEvents;
  readonly #step: PictureStep;
  readonly #end = new AbortController();
  readonly #endPictures: () => void;
  #hls: Hls | null = null;
  /** What is meant by the newest playlist; a code that comes late for an older one does nothing. */
  #load = 0;
  #playlist = '';
  #mendedAtMs = -mendedMs;
  #speed = 1;
  #correction = 1;
  #isStopped = false;

  constructor(video: HTMLVideoElement, events: EngineEvents) {
    this.#video = video;
    this.#events = events;
    this.#step = new PictureStep(video);
    const on = (name: keyof HTMLMediaElementEventMap, work: () => void): void =>
      video.addEventListener(name, work, { signal: this.#end.signal });
    on('timeupdate', () => this.#moved(video.currentTime));
    for (const name of ['seeked', 'loadeddata', 'playing'] as const) on(name, () => this.#shown());
    on('waiting', () => events.onWaiting());
    on('ended', () => events.onEnded());
    // More often than the element tells its time, so that the moment is that of the picture.
    this.#endPictures = eachPicture(video, ({ mediaTime }) => {
      this.#step.shown(mediaTime);
      this.#moved(mediaTime);
    });
  }

  [Symbol.dispose](): void {
    this.#end.abort();
    this.#endPictures();
    this.unload();
  }

  canPlay(mime: string): boolean {
    return isPlayable(mime);
  }

  load(playlist: string): void {
    this.#forget();
    this.#playlist = playlist;
    this.#load += 1;
    void this.#open(playlist, this.#load);
  }

  start(mediaS: number): void {
    this.#hls?.startLoad(mediaS);
  }

  renew(playlist: string): void {
    void this.#renewed(playlist, this.#load);
  }

  seek(mediaS: number): void {
    // Before its first picture a video knows no other place than where it is to begin.
    if (this.#video.readyState === 0) {
      this.#hls?.stopLoad();
      this.#hls?.startLoad(mediaS);
      return;
    }
    this.#video.currentTime = mediaS;
    if (this.#isStopped) this.#goOn(mediaS);
  }

  setPlaying(isPlaying: boolean): void {
    if (isPlaying) void this.#play();
    else this.#video.pause();
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
    this.#video.defaultPlaybackRate = speed;
    this.#video.playbackRate = speed * this.#correction;
    if (this.#hls !== null) this.#hls.config.maxBufferLength = aheadS * Math.max(1, speed / 2);
  }

  setCorrection(factor: number): void {
    this.#correction = factor;
    this.#video.playbackRate = this.#speed * factor;
  }

  step(direction: 1 | -1): void {
    void this.#step.step(direction);
  }

  unload(): void {
    this.#load += 1;
    this.#forget();
    detach(this.#video);
  }

  #forget(): void {
    this.#hls?.destroy();
    this.#hls = null;
    this.#isStopped = false;
  }

  async #open(playlist: string, load: number): Promise<void> {
    try {
      const { default: Player } = await import('hls.js/light');
      if (load !== this.#load) return;
      const hls = new Player(this.#config());
      this.#hls = hls;
      this.#listen(hls, Player);
      hls.attachMedia(this.#video);
      hls.loadSource(playlist);
      this.setSpeed(this.#speed);
    } catch {
      if (load === this.#load) this.#events.onFailed({ kind: 'network' });
    }
  }

  #config(): Partial<HlsConfig> {
    return {
      enableWorker: false,
      // Where to begin is known when the playlist is here.
      autoStartLoad: false,
      maxBufferLength: aheadS,
      backBufferLength: behindS,
      lowLatencyMode: false,
      manifestLoadPolicy: policy,
      playlistLoadPolicy: policy,
      fragLoadPolicy: policy,
      xhrSetup: (xhr, url) => {
        xhr.open('GET', withTicketOf(url, this.#playlist), true);
        xhr.setRequestHeader('Accept-Language', currentLanguage());
      },
    };
  }

  #listen(hls: Hls, { Events, ErrorTypes }: typeof Hls): void {
    const tell = ({ details }: { details: { fragments: readonly HlsFragment[] } }): void =>
      this.#events.onFragments(details.fragments.map(asFragment));
    hls.on(Events.LEVEL_UPDATED, (_name, data) => tell(data));
    hls.on(Events.LEVEL_PTS_UPDATED, (_name, data) => tell(data));
    hls.on(Events.FRAG_LOADED, () => this.#events.onServed());
    hls.on(Events.ERROR, (_name, data) => {
      if (hls !== this.#hls) return;
      const isNetwork = data.type === ErrorTypes.NETWORK_ERROR;
      // The player would ask for a refused file twice more before it says so.
      if (isNetwork && (data.fatal || isRefused(data))) this.#failed(hls, failureOf(data));
      else if (data.fatal) this.#mend(hls);
    });
  }

  /** Nothing more is asked until there is another ticket or another place: it would be refused, too. */
  #failed(hls: Hls, failure: EngineFailure): void {
    hls.stopLoad();
    this.#isStopped = true;
    this.#events.onFailed(failure);
  }

  #mend(hls: Hls): void {
    const nowMs = performance.now();
    const isAgain = nowMs - this.#mendedAtMs < mendedMs;
    this.#mendedAtMs = nowMs;
    if (isAgain) this.#events.onFailed({ kind: 'media' });
    else hls.recoverMediaError();
  }

  #goOn(mediaS: number): void {
    this.#isStopped = false;
    this.#hls?.startLoad(mediaS);
  }

  /** A ticket opens nothing before its playlist was read. */
  async #renewed(playlist: string, load: number): Promise<void> {
    try {
      const headers = { 'Accept-Language': currentLanguage() };
      const response = await fetch(playlist, { headers });
      const text = await response.text();
      if (load !== this.#load) return;
      if (response.ok) {
        this.#playlist = playlist;
        this.#events.onServed();
        this.#goOn(this.#video.currentTime);
      } else this.#events.onFailed({ ...refusal(response.status, text), mediaS: null });
    } catch {
      if (load === this.#load) this.#events.onFailed({ kind: 'network' });
    }
  }

  /** Sound may begin only after a click: then pictures play without it. */
  async #play(): Promise<void> {
    try {
      await this.#video.play();
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return;
      if (this.#video.muted) this.#events.onPlayRefused();
      else {
        this.#video.muted = true;
        await this.#play();
      }
    }
  }

  #moved(mediaS: number): void {
    if (!this.#video.seeking && this.#video.readyState > 1) this.#events.onTime(mediaS);
  }

  #shown(): void {
    const { seeking, readyState, currentTime } = this.#video;
    if (seeking || readyState < 2) return;
    this.#events.onPicture();
    this.#moved(currentTime);
  }
}

const asFragment = ({ start, duration, programDateTime }: HlsFragment) => ({
  startS: start,
  durationS: duration,
  wallMs: programDateTime ?? 0,
});

/** The same address with the ticket of that playlist. */
export function withTicketOf(url: string, playlist: string): string {
  const [, ticket] = /[?&]ticket=([^&]*)/.exec(playlist) ?? [];
  return ticket === undefined ? url : url.replace(/([?&]ticket=)[^&]*/, `$1${ticket}`);
}

function refusal(status: number, body: string) {
  const { code = '', detail = null } = parsed(body);
  return { kind: 'http', status, code, sentence: detail } as const;
}

/** A proxy in between may answer anything. */
function parsed(body: string): { code?: string; detail?: string } {
  try {
    const problem: unknown = JSON.parse(body);
    if (typeof problem !== 'object' || problem === null) return {};
    const { code, detail } = problem as Record<string, unknown>;
    return {
      ...(typeof code === 'string' && { code }),
      ...(typeof detail === 'string' && { detail }),
    };
  } catch {
    return {};
  }
}

export function failureOf({ networkDetails, frag, response }: ErrorData): EngineFailure {
  const status = response?.code ?? 0;
  if (status === 0) return { kind: 'network' };
  const xhr = networkDetails as XMLHttpRequest | null | undefined;
  return { ...refusal(status, textOf(xhr?.response)), mediaS: frag?.start ?? null };
}

/** Files are asked for as bytes, playlists as text. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  try {
    return new TextDecoder().decode(body as ArrayBuffer);
  } catch {
    return '';
  }
}
