/**
 * Plays a playlist in a video element by hls.js, whose code comes with the first playlist.
 */
import type Hls from 'hls.js/light';
import type { Fragment as HlsFragment } from 'hls.js/light';
import { eachPicture } from '../each-picture.ts';
import { detach, isPlayable } from '../media-sink.ts';
import { failureOf, isRefused } from './hls-failure.ts';
import { bufferS, hlsSettings } from './hls-settings.ts';
import { PictureStep } from './picture-step.ts';
import type {
  EngineEvents,
  EngineFailure,
  GivenPlaylist,
  PlaybackEngine,
} from './playback-engine.ts';

/** A media error is mended once; another one so soon after is none that mending helps. */
const mendedMs = 5000;
/** Browsers throw at more. */
const fastest = 16;

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
  #isPlaying = false;
  #isStopped = false;
  #restarting: ReturnType<typeof setTimeout> | undefined;

  constructor(video: HTMLVideoElement, events: EngineEvents) {
    this.#video = video;
    this.#events = events;
    this.#step = new PictureStep(video);
    const on = (name: keyof HTMLMediaElementEventMap, work: () => void): void =>
      video.addEventListener(name, work, { signal: this.#end.signal });
    on('timeupdate', () => this.#moved(video.currentTime));
    // An element that stood for lack of data fires `playing` only if it was not paused meanwhile.
    const shows = ['seeked', 'loadeddata', 'playing', 'canplay'] as const;
    for (const name of shows) on(name, () => this.#shown());
    on('waiting', () => events.onWaiting());
    on('ended', () => events.onEnded());
    // More often than the element reports its time, so that the moment is that of the picture.
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

  load(given: GivenPlaylist): void {
    this.#forget();
    this.#playlist = given.playlist;
    this.#load += 1;
    void this.#open(given, this.#load);
  }

  start(mediaS: number): void {
    this.#hls?.startLoad(mediaS);
  }

  renew(playlist: string): void {
    this.#playlist = playlist;
    this.#events.onServed();
    this.#restart(this.#video.currentTime);
  }

  seek(mediaS: number): void {
    // Before its first picture a video knows no other place than where it is to begin.
    if (this.#video.readyState === 0) {
      this.#restart(mediaS);
      return;
    }
    this.#video.currentTime = mediaS;
    if (this.#isStopped) this.#restart(mediaS);
  }

  setPlaying(isPlaying: boolean): void {
    this.#isPlaying = isPlaying;
    this.#setBuffer();
    if (isPlaying) void this.#play();
    else this.#video.pause();
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
    this.#video.defaultPlaybackRate = speed;
    this.#setRate();
    this.#setBuffer();
  }

  setCorrection(factor: number): void {
    this.#correction = factor;
    this.#setRate();
  }

  #setBuffer(): void {
    if (this.#hls) this.#hls.config.maxBufferLength = bufferS(this.#speed, this.#isPlaying);
  }

  #setRate(): void {
    this.#video.playbackRate = Math.min(this.#speed * this.#correction, fastest);
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

  async #open({ playlist, playlist_text }: GivenPlaylist, load: number): Promise<void> {
    try {
      const { default: Player } = await import('hls.js/light');
      if (load !== this.#load) return;
      const hls = new Player(hlsSettings(() => this.#playlist, playlist_text ?? null));
      this.#hls = hls;
      this.#listen(hls, Player);
      hls.attachMedia(this.#video);
      hls.loadSource(playlist);
      this.setSpeed(this.#speed);
    } catch {
      if (load === this.#load) this.#events.onFailed({ kind: 'network' });
    }
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

  /**
   * In a task of its own: hls.js takes the end of a request that was stopped for that of one begun in the same task,
   * and waits for it for ever.
   */
  #restart(mediaS: number): void {
    const hls = this.#hls;
    this.#isStopped = false;
    hls?.stopLoad();
    clearTimeout(this.#restarting);
    this.#restarting = setTimeout(() => {
      if (hls === this.#hls) hls?.startLoad(mediaS);
    }, 0);
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

const asFragment = ({ start, duration, programDateTime, relurl }: HlsFragment) => ({
  startS: start,
  durationS: duration,
  wallMs: programDateTime ?? 0,
  file: relurl,
});
