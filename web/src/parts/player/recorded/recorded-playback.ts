/**
 * Playing what one camera recorded, as a rule without a browser: which moment is shown, what happens at gaps, at the
 * end and when the server refuses. It knows neither React nor the DOM: what plays is a `PlaybackEngine`, time is a
 * `Clock`, tickets are `PlaybackAccess`.
 *
 * A playlist holds four hours round the moment. A ticket that died, by its age or with a restarted server, is replaced
 * without a word. A gap is passed over, and its cause is told. At the end of a playlist it goes on with what was
 * written since.
 */
import type { PlaybackTicket } from '@nazar/contract/playback.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { backOffMs } from '#lib/back-off.ts';
import { signal } from '#lib/signal.ts';
import type { Clock } from './clock.ts';
import { GapNotice } from './gap-notice.ts';
import { MediaMap, leastHoleMs, type Fragment, type Hole, type Place } from './media-map.ts';
import { nextRecorded } from './next-recorded.ts';
import { PlaybackAccess, isNothingThere, isRefusal } from './playback-access.ts';
import type { EngineEvents, EngineFailure, PlaybackEngine } from './playback-engine.ts';
import type { PlayedForm, RecordedState } from './recorded-state.ts';
import type { Period, RecordedServer } from './recorded-server.ts';

export interface RecordedPlaybackOptions {
  readonly server: RecordedServer;
  readonly clock: Clock;
  /** In 0 to 1: players that lost the same server do not all come back at once. */
  readonly random?: () => number;
}

const hourMs = 60 * 60_000;
/** Short ways back and forth stay in one playlist, which has 1,440 files at most (300 kB before compression). */
const backMs = hourMs;
const aheadMs = 3 * hourMs;
/** A file is ten seconds long. After a minute without another one, nobody waits for it. */
const askAgainMs = 5000;
const asksAgain = 12;
/** What the server says in `Retry-After` when too much is encoded at once. */
const busyMs = 10_000;
const firstRetryMs = 1000;
const longestRetryMs = 30_000;

interface Loaded {
  readonly period: Period;
  readonly form: PlayedForm;
  readonly startMs: number;
  /** Null: the playlist is not here yet. */
  map: MediaMap | null;
  /** The file that is shown. */
  index: number;
}

export class RecordedPlayback implements EngineEvents, Disposable {
  readonly state = signal<RecordedState>({ kind: 'idle' });
  /** The moment that is shown or asked for, in milliseconds since 1970. */
  readonly momentMs = signal<number | null>(null);
  /** The moment of the picture that stands on the screen: another one, while a moment is on its way. */
  readonly shownMs = signal<number | null>(null);
  /** What is wanted, also while a picture is being fetched. */
  readonly isPlaying = signal(false);
  readonly speed = signal(1);
  readonly form = signal<PlayedForm | null>(null);
  readonly notice: GapNotice;

  readonly #server: RecordedServer;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #access: PlaybackAccess;
  #engine: PlaybackEngine | null = null;
  #loaded: Loaded | null = null;
  #mediaS = 0;
  /** Ends what is being asked; null: nothing is. */
  #work: AbortController | null = null;
  #timer: Disposable | null = null;
  #isRenewing = false;
  /** Another moment is on its way: what the engine still says of the one before does not count. */
  #isLeaving = false;
  /** The browser failed at what it said it could play. */
  #mustEncode = false;
  #tries = 0;
  #asksLeft = asksAgain;

  constructor({ server, clock, random = Math.random }: RecordedPlaybackOptions) {
    this.#server = server;
    this.#clock = clock;
    this.#random = random;
    this.#access = new PlaybackAccess(server, clock);
    this.notice = new GapNotice(clock);
  }

  /** From now on this plays; a moment that was asked for before is opened. */
  attach(engine: PlaybackEngine): void {
    this.#engine = engine;
    const shownMs = () => (this.#isShowing() ? this.momentMs.get() : null);
    this.#access.watch(shownMs, (problem) => this.#problem(problem));
    const momentMs = this.momentMs.get();
    if (momentMs !== null) this.#open(momentMs);
  }

  detach(): void {
    this.#clear();
    this.#access[Symbol.dispose]();
    this.#engine = null;
    this.#mustEncode = false;
    this.state.set({ kind: 'idle' });
  }

  [Symbol.dispose](): void {
    this.detach();
  }

  /** Shows that moment; where nothing is recorded, the next one that is. */
  seek(momentMs: number): void {
    this.notice.end();
    this.#asksLeft = asksAgain;
    this.align(momentMs);
  }

  /** The same for one of several that is kept in step: nobody asked for it, so what is said of a gap stays. */
  align(momentMs: number): void {
    this.momentMs.set(momentMs);
    if (this.#engine === null) return;
    const place = this.#placeOf(momentMs);
    if (place === null) this.#open(momentMs);
    else if (place.kind === 'after') this.#goOn(momentMs);
    else this.#go(place.mediaS, place.index, place.kind === 'hole' ? place.hole : null);
  }

  /** By so many seconds of what is recorded: gaps count for nothing, so that one gets back over them. */
  skip(seconds: number): void {
    const momentMs = this.momentMs.get();
    if (momentMs === null) return;
    const map = this.#canSeek() ? this.#loaded?.map : null;
    const mediaS = this.#mediaS + seconds;
    if (map?.holds(mediaS) !== true) this.seek(momentMs + seconds * 1000);
    else {
      this.notice.end();
      this.#go(mediaS, map.indexAt(mediaS), null);
    }
  }

  setPlaying(isPlaying: boolean): void {
    this.isPlaying.set(isPlaying);
    if (!this.#isLeaving) this.#engine?.setPlaying(isPlaying);
    if (!isPlaying) return;
    const state = this.state.get();
    if (state.kind === 'end') {
      this.#asksLeft = asksAgain;
      this.#goOn(state.atMs);
    } else if (this.#isShowing() && this.#access.isIdle) void this.#renew();
  }

  /** The moment so many seconds of what is recorded away; null: it is not in the playlist at hand. */
  momentAfter(seconds: number): number | null {
    const map = this.#canSeek() ? this.#loaded?.map : null;
    const mediaS = this.#mediaS + seconds;
    return map?.holds(mediaS) === true ? map.wallMs(mediaS) : null;
  }

  setSpeed(speed: number): void {
    this.speed.set(speed);
    this.#engine?.setSpeed(speed);
  }

  /** A little faster or slower than the speed that is chosen: 1 is neither. */
  correct(factor: number): void {
    this.#engine?.setCorrection(factor);
  }

  /** The picture after this one, or before it; playing pauses. */
  step(direction: 1 | -1): void {
    if (this.isPlaying.get()) this.setPlaying(false);
    this.#engine?.step(direction);
  }

  /** Somebody asks for it again, or the network is back. */
  retry(): void {
    const momentMs = this.momentMs.get();
    if (momentMs === null || this.#isShowing()) return;
    this.#tries = 0;
    this.#access.forgetRepairs();
    this.#open(momentMs);
  }

  onFragments(fragments: readonly Fragment[]): void {
    const loaded = this.#loaded;
    if (loaded === null || fragments.length === 0) return;
    const isFirst = loaded.map === null;
    loaded.map = new MediaMap(fragments);
    if (isFirst) this.#start(loaded, loaded.map);
  }

  onServed(): void {
    this.#access.served();
  }

  onTime(mediaS: number): void {
    const loaded = this.#loaded;
    if (!loaded?.map || this.#isLeaving) return;
    this.#mediaS = mediaS;
    this.momentMs.set(loaded.map.wallMs(mediaS));
    this.shownMs.set(loaded.map.wallMs(mediaS));
    const index = loaded.map.indexAt(mediaS);
    const hole = index === loaded.index + 1 ? loaded.map.holeBefore(index) : null;
    loaded.index = index;
    if (hole !== null) this.notice.tell(hole);
  }

  onPicture(): void {
    if (this.state.get().kind !== 'loading' || !this.#loaded?.map || this.#isLeaving) return;
    this.#tries = 0;
    this.#asksLeft = asksAgain;
    this.state.set({ kind: 'ready' });
  }

  onWaiting(): void {
    if (this.state.get().kind === 'ready') this.#setLoading(this.momentMs.get() ?? 0);
  }

  onEnded(): void {
    const map = this.#loaded?.map;
    if (map && this.#isShowing() && !this.#isLeaving) this.#goOn(map.lastMs);
  }

  onPlayRefused(): void {
    this.isPlaying.set(false);
  }

  onFailed(failure: EngineFailure): void {
    if (!this.#isShowing() || this.#isLeaving) return;
    if (failure.kind === 'network') this.#wait('offline', null);
    else if (failure.kind === 'media') this.#encodeAnew();
    else this.#answered(failure);
  }

  /** What the server answered in place of a file. */
  #answered({ code, status, sentence, mediaS }: Extract<EngineFailure, { kind: 'http' }>): void {
    const momentMs = this.momentMs.get() ?? 0;
    if (this.#isRenewing) return;
    if (code === 'recording_unreadable' || code === 'recording_incomplete') this.#passOver(mediaS);
    else if (status >= 500 || !this.#access.mayRepair()) this.#wait('refused', sentence, busyMs);
    else if (code === 'playback_ended') void this.#renew();
    // Files were removed, or a mask was drawn: another playlist is needed.
    else this.#open(momentMs);
  }

  #encodeAnew(): void {
    if (this.form.get()?.encoded === true || this.#mustEncode) {
      this.#refuse('unplayable', null);
      return;
    }
    this.#mustEncode = true;
    this.#open(this.momentMs.get() ?? 0);
  }

  /** One file that cannot be read does not end the playing. */
  #passOver(mediaS: number | null): void {
    const map = this.#loaded?.map;
    if (!map || mediaS === null) return;
    const index = map.indexAt(mediaS);
    const nextS = map.nextS(index);
    if (nextS === null) this.#goOn(map.lastMs);
    else this.#go(nextS, index + 1, { fromMs: map.wallMs(mediaS), untilMs: map.wallMs(nextS) });
  }

  #open(atMs: number): void {
    const period = { fromMs: atMs - backMs, untilMs: atMs + aheadMs };
    this.#leave();
    this.#setLoading(atMs);
    void this.#run(async (signal) => {
      try {
        await this.#load(period, atMs, signal);
      } catch (error) {
        if (!isNothingThere(error)) throw error;
        await this.#loadNext(atMs, signal);
      }
    });
  }

  /** With what was written since, or after the gap that begins here. */
  #goOn(fromMs: number): void {
    this.#leave();
    if (this.state.get().kind !== 'end') this.#setLoading(fromMs);
    void this.#run((signal) => this.#loadNext(fromMs, signal));
  }

  async #loadNext(fromMs: number, signal: AbortSignal): Promise<void> {
    // The file that ended here is not another one, whatever was rounded.
    const afterMs = fromMs + leastHoleMs / 2;
    const next = await nextRecorded(this.#server, afterMs, this.#clock.now(), signal);
    if (signal.aborted) return;
    this.notice.know(next.gaps);
    const { startMs } = next;
    if (startMs !== null) {
      const hole = { fromMs, untilMs: startMs };
      const cause = this.notice.causeOf(hole);
      const period = { fromMs: startMs, untilMs: startMs + backMs + aheadMs };
      try {
        await this.#load(period, startMs === afterMs ? fromMs : startMs, signal);
        if (!signal.aborted) this.notice.tell(hole, cause);
        return;
      } catch (error) {
        // It is there and still being written.
        if (!isNothingThere(error)) throw error;
      }
    }
    if (!signal.aborted) this.#end(fromMs);
  }

  #end(atMs: number): void {
    const hole = { fromMs: atMs, untilMs: Math.max(this.#clock.now(), atMs + 1) };
    this.momentMs.set(atMs);
    this.state.set({ kind: 'end', atMs, cause: this.notice.causeOf(hole) });
    if (!this.isPlaying.get() || this.#asksLeft === 0) return;
    this.#asksLeft -= 1;
    this.#timer = this.#clock.after(askAgainMs, () => this.#goOn(atMs));
  }

  async #load(period: Period, startMs: number, signal: AbortSignal): Promise<void> {
    const canPlay = (mime: string): boolean => this.#engine?.canPlay(mime) === true;
    const ticket = await this.#access.ticket(period, canPlay, this.#mustEncode, signal);
    if (signal.aborted) return;
    if (ticket === null) {
      this.#refuse('unplayable', null);
      return;
    }
    this.#access.served();
    this.#setLoading(startMs);
    const form = formOf(ticket);
    const loaded: Loaded = { period, form, startMs, map: null, index: 0 };
    this.#loaded = loaded;
    this.#isLeaving = false;
    this.form.set(form);
    this.#engine?.load(ticket.playlist);
    void this.#readGaps(loaded);
  }

  /** Names what is missing. Without it everything plays all the same. */
  async #readGaps(loaded: Loaded): Promise<void> {
    try {
      const forever = new AbortController().signal;
      const { gaps } = await this.#server.timeline(loaded.period, 1000, forever);
      if (this.#loaded === loaded) this.notice.know(gaps);
    } catch {
      // Whoever may not read it is refused the files, too, and that is said.
    }
  }

  #start(loaded: Loaded, map: MediaMap): void {
    const place = map.place(loaded.startMs);
    if (place.kind === 'after') {
      this.#goOn(loaded.startMs);
      return;
    }
    this.#engine?.start(place.mediaS);
    this.#engine?.setSpeed(this.speed.get());
    this.#show(loaded, place.mediaS, place.index);
    if (place.kind === 'hole') this.notice.tell(place.hole);
  }

  #go(mediaS: number, index: number, hole: Hole | null): void {
    const loaded = this.#loaded;
    if (!loaded?.map) return;
    this.#stop();
    this.#engine?.seek(mediaS);
    this.#show(loaded, mediaS, index);
    if (hole !== null) this.notice.tell(hole);
    if (this.#access.isIdle) void this.#renew();
  }

  #show(loaded: Loaded, mediaS: number, index: number): void {
    const momentMs = loaded.map?.wallMs(mediaS) ?? loaded.startMs;
    loaded.index = index;
    this.#isLeaving = false;
    this.#mediaS = mediaS;
    this.momentMs.set(momentMs);
    this.#setLoading(momentMs);
    this.#engine?.setPlaying(this.isPlaying.get());
  }

  #leave(): void {
    this.#isLeaving = true;
    this.#engine?.setPlaying(false);
  }

  /** Another ticket for the same files: what is in the buffer plays on meanwhile. */
  async #renew(): Promise<void> {
    const loaded = this.#loaded;
    if (loaded === null || this.#isRenewing) return;
    this.#isRenewing = true;
    await this.#run(async (signal) => {
      const { encoded, masked } = loaded.form;
      const ticket = await this.#server.begin(loaded.period, encoded && !masked, signal);
      if (signal.aborted || this.#loaded !== loaded) return;
      this.#access.served();
      const form = formOf(ticket);
      const isSame = form.masked === masked && form.encoded === encoded;
      if (isSame && loaded.map !== null) this.#engine?.renew(ticket.playlist);
      else this.#open(this.momentMs.get() ?? loaded.startMs);
    });
    this.#isRenewing = false;
  }

  /** One question at a time: what was asked before is forgotten. */
  async #run(ask: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#stop();
    const work = new AbortController();
    this.#work = work;
    try {
      await ask(work.signal);
    } catch (error) {
      if (!work.signal.aborted) this.#problem(error);
    }
  }

  #stop(): void {
    this.#work?.abort();
    this.#work = null;
    this.#timer?.[Symbol.dispose]();
    this.#timer = null;
  }

  #problem(error: unknown): void {
    const status = error instanceof Problem ? error.status : -1;
    if (status === 0) this.#wait('offline', null);
    else if (isRefusal(error)) this.#refuse('rights', problemSentence(error));
    else if (status >= 500 || status === 429) this.#wait('refused', problemSentence(error), busyMs);
    else if (isNothingThere(error)) this.#goOn(this.momentMs.get() ?? 0);
    else this.#refuse('failed', problemSentence(error));
  }

  #wait(why: 'offline' | 'refused', sentence: string | null, ms?: number): void {
    this.#stop();
    this.#tries += 1;
    const pauseMs = ms ?? backOffMs(this.#tries, firstRetryMs, longestRetryMs, this.#random());
    this.state.set({ kind: 'waiting', why, sentence, retryAtMs: this.#clock.now() + pauseMs });
    this.#timer = this.#clock.after(pauseMs, () => this.#open(this.momentMs.get() ?? 0));
  }

  #refuse(why: Extract<RecordedState, { kind: 'refused' }>['why'], sentence: string | null): void {
    this.#clear();
    this.state.set({ kind: 'refused', why, sentence });
  }

  #clear(): void {
    this.#stop();
    this.#engine?.unload();
    this.#loaded = null;
    this.notice.end();
    this.form.set(null);
    this.shownMs.set(null);
  }

  #setLoading(atMs: number): void {
    this.state.set({ kind: 'loading', atMs });
  }

  /** Where it lies in the playlist at hand; null: another one is needed. */
  #placeOf(momentMs: number): Place | null {
    const { map, period } = this.#loaded ?? {};
    if (!map || !period || !this.#canSeek()) return null;
    const isInside = momentMs >= period.fromMs && momentMs < period.untilMs;
    return isInside ? map.place(momentMs) : null;
  }

  #canSeek(): boolean {
    return this.#isShowing() || this.state.get().kind === 'end';
  }

  #isShowing(): boolean {
    const { kind } = this.state.get();
    return kind === 'ready' || kind === 'loading';
  }
}

const formOf = ({ masked, encoded, mimes }: PlaybackTicket): PlayedForm => ({
  masked,
  encoded,
  hasSound: mimes.some((mime) => mime.includes('mp4a')),
});
