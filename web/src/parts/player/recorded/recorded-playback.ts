/**
 * Playing what one camera recorded, as a rule without a browser: which moment is shown, what happens at gaps, at the
 * end and when the server refuses. It knows neither React nor the DOM: what plays is a `PlaybackEngine`, time is a
 * `Clock`, tickets are `PlaybackAccess`.
 *
 * A ticket that died, by its age or with a restarted server, is replaced without a word. A gap is passed over, and its
 * cause is shown. At the end of a playlist it goes on with what was written since. What to play is found by `Opener`,
 * what a failure calls for is a `Remedy`. What is left here is one state machine: its halves would share all its state.
 */
import { backOffMs } from '#lib/back-off.ts';
import { signal } from '#lib/signal.ts';
import type { Clock } from './clock.ts';
import { GapNotice } from './gap-notice.ts';
import { LoadedPlaylist } from './loaded-playlist.ts';
import type { Fragment, Hole, MediaMap } from './media-map.ts';
import { Opener, type Opened, type Opening } from './opening.ts';
import { PlaybackAccess } from './playback-access.ts';
import type { EngineEvents, EngineFailure, PlaybackEngine } from './playback-engine.ts';
import { Question } from './question.ts';
import type { PlayedForm, RecordedState } from './recorded-state.ts';
import type { RecordedServer } from './recorded-server.ts';
import { remedyOfFailure, remedyOfProblem, type Remedy } from './remedy.ts';

export interface RecordedPlaybackOptions {
  readonly server: RecordedServer;
  readonly clock: Clock;
  /** In 0 to 1: players that lost the same server do not all come back at once. */
  readonly random?: () => number;
}

/** A file is ten seconds long. After a minute without another one, the player no longer waits for it. */
const askAgainMs = 5000;
const asksAgain = 12;
/** Beyond what players round, so that a place is not searched in the file before; less than a picture lasts. */
const besideS = 0.01;
const firstRetryMs = 1000;
const longestRetryMs = 30_000;

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
  readonly #opener: Opener;
  readonly #question: Question;
  #engine: PlaybackEngine | null = null;
  #loaded: LoadedPlaylist | null = null;
  #isRenewing = false;
  /** Another moment is on its way: what the engine still says of the one before does not count. */
  #isLeaving = false;
  /** The browser failed at what it said it could play. */
  #mustEncode = false;
  /** What was played has run out, and more is on its way. */
  #isStarved = false;
  #tries = 0;
  #asksLeft = asksAgain;

  constructor({ server, clock, random = Math.random }: RecordedPlaybackOptions) {
    this.#server = server;
    this.#clock = clock;
    this.#random = random;
    this.#access = new PlaybackAccess(server, clock);
    this.notice = new GapNotice(clock);
    this.#opener = new Opener({ server, clock, access: this.#access, notice: this.notice });
    this.#question = new Question(clock, (error) => this.#mend(remedyOfProblem(error)));
  }

  /** From now on this plays; a moment that was asked for before is opened. */
  attach(engine: PlaybackEngine): void {
    this.#engine = engine;
    const shownMs = () => (this.#isShowing() ? this.momentMs.get() : null);
    this.#access.watch(shownMs, (problem) => this.#mend(remedyOfProblem(problem)));
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

  /** The same for one of several that is kept in step: the reader didn't ask for it, so what is said of a gap stays. */
  align(momentMs: number): void {
    this.momentMs.set(momentMs);
    if (this.#engine === null) return;
    const place = this.#canSeek() ? (this.#loaded?.place(momentMs) ?? null) : null;
    if (place === null) this.#open(momentMs);
    else if (place.kind === 'after') this.#goOn(momentMs);
    else this.#go(place.mediaS, place.index, place.kind === 'hole' ? place.hole : null);
  }

  /** By so many seconds of what is recorded: gaps count for nothing, so that one gets back over them. */
  skip(seconds: number): void {
    const momentMs = this.momentMs.get();
    if (momentMs === null) return;
    const at = this.#within(seconds);
    if (at === null) this.seek(momentMs + seconds * 1000);
    else {
      this.notice.end();
      this.#go(at.mediaS, at.map.indexAt(at.mediaS), null);
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
    const at = this.#within(seconds);
    return at?.map.wallMs(at.mediaS) ?? null;
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

  /** The user asks for it again, or the network is back. */
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
    if (loaded.learn(fragments)) this.#start(loaded);
  }

  onServed(): void {
    this.#access.served();
  }

  onTime(mediaS: number): void {
    const loaded = this.#loaded;
    if (!loaded?.map || this.#isLeaving) return;
    const hole = loaded.play(mediaS);
    this.momentMs.set(loaded.momentMs);
    this.shownMs.set(loaded.momentMs);
    if (hole !== null) this.notice.tell(hole);
  }

  onPicture(): void {
    if (this.state.get().kind !== 'loading' || !this.#loaded?.map || this.#isLeaving) return;
    this.#tries = 0;
    this.#asksLeft = asksAgain;
    this.#isStarved = false;
    this.state.set({ kind: 'ready' });
    // Now, because before it would have been asked beside the first picture, which is waited for.
    void this.#readGaps(this.#loaded);
  }

  onWaiting(): void {
    if (this.state.get().kind !== 'ready') return;
    this.#isStarved = true;
    this.#setLoading(this.momentMs.get() ?? 0);
    this.#passOver(this.#loaded?.unreadableS ?? null);
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
    if (failure.kind === 'http' && this.#isRenewing) return;
    this.#mend(remedyOfFailure(failure, () => this.#access.mayRepair()));
  }

  #mend(remedy: Remedy): void {
    const momentMs = this.momentMs.get() ?? 0;
    switch (remedy.kind) {
      case 'passOver':
        this.#passOver(remedy.mediaS);
        return;
      case 'renew':
        void this.#renew();
        return;
      case 'reopen':
        this.#open(momentMs);
        return;
      case 'encode':
        this.#encodeAnew();
        return;
      case 'goOn':
        this.#goOn(momentMs);
        return;
      case 'wait':
        this.#wait(remedy);
        return;
      case 'refuse':
        this.#refuse(remedy.why, remedy.sentence);
    }
  }

  #encodeAnew(): void {
    if (this.form.get()?.encoded === true || this.#mustEncode) {
      this.#refuse('unplayable', null);
      return;
    }
    this.#mustEncode = true;
    this.#open(this.momentMs.get() ?? 0);
  }

  /** One file that cannot be read does not end the playing, and what is before it plays to its end. */
  #passOver(mediaS: number | null): void {
    const loaded = this.#loaded;
    if (!loaded?.map || mediaS === null) return;
    if (!this.#isStarved && loaded.isAhead(mediaS)) {
      loaded.unreadableS = mediaS;
      return;
    }
    const { map } = loaded;
    const next = map.nextFile(map.indexAt(mediaS));
    if (next === null) this.#goOn(map.lastMs);
    else {
      const hole = { fromMs: map.wallMs(mediaS), untilMs: map.wallMs(next.startS) };
      this.#go(next.startS + besideS, next.index, hole);
    }
  }

  #open(atMs: number): void {
    this.#leave();
    this.#setLoading(atMs);
    this.#find((signal) => this.#opener.at(atMs, this.#playing(), signal));
  }

  /** With what was written since, or after the gap that begins here. */
  #goOn(fromMs: number): void {
    this.#leave();
    if (this.state.get().kind !== 'end') this.#setLoading(fromMs);
    this.#find((signal) => this.#opener.after(fromMs, this.#playing(), signal));
  }

  #playing() {
    const canPlay = (mime: string): boolean => this.#engine?.canPlay(mime) === true;
    return { canPlay, mustEncode: this.#mustEncode };
  }

  #find(open: (signal: AbortSignal) => Promise<Opening>): void {
    void this.#question.ask(async (signal) => {
      const found = await open(signal);
      if (signal.aborted) return;
      if (found.kind === 'unplayable') this.#refuse('unplayable', null);
      else if (found.kind === 'end') this.#end(found.atMs);
      else this.#load(found);
    });
  }

  #end(atMs: number): void {
    const hole = { fromMs: atMs, untilMs: Math.max(this.#clock.now(), atMs + 1) };
    this.momentMs.set(atMs);
    const whole = this.notice.whole(hole);
    const cause = this.notice.causeOf(whole);
    this.state.set({ kind: 'end', atMs, sinceMs: whole.fromMs, cause });
    if (!this.isPlaying.get() || this.#asksLeft === 0) return;
    this.#asksLeft -= 1;
    this.#question.later(askAgainMs, () => this.#goOn(atMs));
  }

  #load({ ticket, period, startMs, passed }: Opened): void {
    this.#access.served();
    this.#setLoading(startMs);
    const loaded = new LoadedPlaylist(ticket, period, startMs);
    this.#loaded = loaded;
    this.#isLeaving = false;
    this.form.set(loaded.form);
    this.#engine?.load(ticket);
    if (passed !== null) this.notice.tell(passed, passed.cause);
  }

  /** Names what is missing. Without it everything plays all the same. */
  async #readGaps(loaded: LoadedPlaylist): Promise<void> {
    if (loaded.hasAskedForGaps) return;
    loaded.hasAskedForGaps = true;
    try {
      const forever = new AbortController().signal;
      const { gaps } = await this.#server.timeline(loaded.period, 1000, forever);
      if (this.#loaded === loaded) this.notice.know(gaps);
    } catch {
      // A reader who may not read it is refused the files, too, and the page says so.
    }
  }

  #start(loaded: LoadedPlaylist): void {
    const place = loaded.map?.place(loaded.startMs) ?? { kind: 'after' };
    if (place.kind === 'after') {
      this.#goOn(loaded.startMs);
      return;
    }
    this.#engine?.start(place.mediaS);
    this.#engine?.setSpeed(this.speed.get());
    this.#show(loaded, place.mediaS, place.index);
    if (place.kind !== 'hole') return;
    this.notice.tell(place.hole);
    void this.#readGaps(loaded);
  }

  #go(mediaS: number, index: number, hole: Hole | null): void {
    const loaded = this.#loaded;
    if (!loaded?.map) return;
    this.#question.forget();
    this.#engine?.seek(mediaS);
    this.#show(loaded, mediaS, index);
    if (hole !== null) this.notice.tell(hole);
    if (this.#access.isIdle) void this.#renew();
  }

  #show(loaded: LoadedPlaylist, mediaS: number, index: number): void {
    loaded.go(mediaS, index);
    this.#isLeaving = false;
    this.#isStarved = false;
    this.momentMs.set(loaded.momentMs);
    this.#setLoading(loaded.momentMs);
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
    await this.#question.ask(async (signal) => {
      const { encoded, masked } = loaded.form;
      const ticket = await this.#server.begin(loaded.period, encoded && !masked, signal);
      if (signal.aborted || this.#loaded !== loaded) return;
      this.#access.served();
      if (loaded.isLike(ticket)) this.#engine?.renew(ticket.playlist);
      else this.#open(this.momentMs.get() ?? loaded.startMs);
    });
    this.#isRenewing = false;
  }

  #wait({ why, sentence, pauseMs }: Extract<Remedy, { kind: 'wait' }>): void {
    this.#question.forget();
    this.#tries += 1;
    const ms = pauseMs ?? backOffMs(this.#tries, firstRetryMs, longestRetryMs, this.#random());
    this.state.set({ kind: 'waiting', why, sentence, retryAtMs: this.#clock.now() + ms });
    this.#question.later(ms, () => this.#open(this.momentMs.get() ?? 0));
  }

  #refuse(why: Extract<RecordedState, { kind: 'refused' }>['why'], sentence: string | null): void {
    this.#clear();
    this.state.set({ kind: 'refused', why, sentence });
  }

  #clear(): void {
    this.#question.forget();
    this.#engine?.unload();
    this.#loaded = null;
    this.notice.end();
    this.form.set(null);
    this.shownMs.set(null);
  }

  #setLoading(atMs: number): void {
    this.state.set({ kind: 'loading', atMs });
  }

  /** The place so many seconds of what is recorded away; null: it is not in the playlist at hand. */
  #within(seconds: number): { readonly map: MediaMap; readonly mediaS: number } | null {
    const { map = null, mediaS: fromS = 0 } = this.#loaded ?? {};
    const mediaS = fromS + seconds;
    return map !== null && this.#canSeek() && map.holds(mediaS) ? { map, mediaS } : null;
  }

  #canSeek(): boolean {
    return this.#isShowing() || this.state.get().kind === 'end';
  }

  #isShowing(): boolean {
    const { kind } = this.state.get();
    return kind === 'ready' || kind === 'loading';
  }
}
