/** An element that plays what `FakeRecordings` hold, by a fake clock: a picture each 40 ms, a little fast or slow. */
import type { Fragment } from '#parts/player/recorded/media-map.ts';
import type {
  EngineEvents,
  GivenPlaylist,
  PlaybackEngine,
} from '#parts/player/recorded/playback-engine.ts';
import type { FakeClock, FakeRecordings } from './fake-recordings.ts';

const pictureMs = 40;

export interface Ways {
  /** Until a playlist is here, and from a seek to its picture. */
  readonly loadMs?: number;
  readonly seekMs?: number;
  /** It plays so much faster than it should. */
  readonly skew?: number;
  /** It cannot show more than this times as fast. */
  readonly mostRate?: number;
}

export class PlayingEngine implements PlaybackEngine {
  events: EngineEvents | null = null;
  isPlaying = false;
  speed = 1;
  correction = 1;
  seeks = 0;
  #isStarved = false;
  readonly #recordings: FakeRecordings;
  readonly #clock: FakeClock;
  readonly #ways: Ways;
  #files: readonly Fragment[] = [];
  #mediaS = 0;
  #isShown = false;
  #isEnded = false;
  #way: Disposable | null = null;

  constructor(recordings: FakeRecordings, clock: FakeClock, ways: Ways = {}) {
    this.#recordings = recordings;
    this.#clock = clock;
    this.#ways = ways;
    this.#next();
  }

  canPlay(): boolean {
    return true;
  }
  load({ playlist }: GivenPlaylist): void {
    this.unload();
    this.#later(this.#ways.loadMs ?? 100, () => {
      this.#files = this.#recordings.files(playlist);
      this.events?.onFragments(this.#files);
    });
  }
  start(mediaS: number): void {
    this.seek(mediaS);
  }
  renew(): void {
    this.events?.onServed();
  }
  seek(mediaS: number): void {
    this.seeks += 1;
    this.#isShown = false;
    this.#isEnded = false;
    this.#mediaS = mediaS;
    this.#later(this.#ways.seekMs ?? 100, () => {
      this.#isShown = true;
      this.events?.onPicture();
      this.events?.onTime(this.#mediaS);
    });
  }
  setPlaying(isPlaying: boolean): void {
    const wasPlaying = this.isPlaying;
    this.isPlaying = isPlaying;
    // As elements do, which report their time once more when they stop, and not at once.
    const stops = wasPlaying && !isPlaying && this.#isShown;
    if (stops) this.#clock.after(4, () => this.#isShown && this.events?.onTime(this.#mediaS));
  }
  setSpeed(speed: number): void {
    this.speed = speed;
  }
  setCorrection(factor: number): void {
    this.correction = factor;
  }
  step(): void {
    throw new Error('several are never moved by single pictures');
  }
  /** Nothing comes any more, and what is shown stands. */
  starve(): void {
    this.#isStarved = true;
    this.events?.onWaiting();
  }
  /** An element reports that it goes on when it does, and not while it is paused. */
  feed(): void {
    this.#isStarved = false;
    if (this.isPlaying) this.events?.onPicture();
  }
  unload(): void {
    this.#way?.[Symbol.dispose]();
    this.#isShown = false;
    this.#files = [];
  }

  #later(ms: number, work: () => void): void {
    this.#way?.[Symbol.dispose]();
    this.#way = this.#clock.after(ms, work);
  }

  #next(): void {
    this.#clock.after(pictureMs, () => {
      this.#next();
      this.#show();
    });
  }

  #show(): void {
    if (!this.isPlaying || !this.#isShown || this.#isEnded || this.#isStarved) return;
    const { skew = 1, mostRate = Infinity } = this.#ways;
    const rate = Math.min(this.speed * this.correction * skew, mostRate);
    this.#mediaS += (pictureMs / 1000) * rate;
    const last = this.#files.at(-1);
    const endS = last === undefined ? 0 : last.startS + last.durationS;
    if (this.#mediaS < endS) this.events?.onTime(this.#mediaS);
    else {
      this.#isEnded = true;
      this.events?.onEnded();
    }
  }
}
