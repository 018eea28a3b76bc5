/**
 * Several cameras on one timeline: the moment that all of them show. It is led by a clock of wall time, not by one of
 * the cameras, whose gaps would stop all others: where one has no recording, it waits with its words for the time at
 * which it has one again, and the others play on. The clock waits while no camera has a picture, and goes where the
 * next one has; after a jump it waits a little for all, so that they begin together. It is never far beyond the
 * foremost picture: a computer that cannot decode so much plays slower, and in step. No React, no DOM.
 */
import { signal } from '#lib/signal.ts';
import type { Clock } from '#parts/player/recorded/clock.ts';
import type { RecordedState } from '#parts/player/recorded/recorded-state.ts';
import type { Transport } from '#parts/player/recorded/transport.ts';
import type { Follower, Step } from './follower.ts';
import { RunningMoment } from './running-moment.ts';

const tickMs = 100;
/** After a jump each camera that has a picture waits for the others, at most this long. */
const patienceMs = 4000;
/** The clock is no farther beyond the foremost picture than this. Milliseconds as they pass for the viewer. */
const beyondMs = 400;
/** Who is farther behind than this comes back from elsewhere, and has to catch up itself. */
const foremostMs = 3000;

const ready: RecordedState = { kind: 'ready' };
const idle: RecordedState = { kind: 'idle' };

export class SynchronizedPlayback implements Transport, Disposable {
  readonly state = signal<RecordedState>(idle);
  readonly momentMs = signal<number | null>(null);
  readonly shownMs = signal<number | null>(null);
  readonly isPlaying = signal(false);
  readonly speed = signal(1);

  readonly #clock: Clock;
  readonly #moment: RunningMoment;
  readonly #followers = new Set<Follower>();
  #timer: Disposable | null = null;
  #isMeeting = false;
  #isChanged = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#moment = new RunningMoment(clock);
  }

  /** From now on it plays in step; returns what ends that. */
  join(follower: Follower): () => void {
    const { playback } = follower;
    if (this.momentMs.get() === null) this.#adopt(playback);
    const end = follower.join(
      this.#moment,
      () => this.#meet(),
      () => this.setPlaying(false),
    );
    this.#followers.add(follower);
    playback.setSpeed(this.speed.get());
    const momentMs = this.momentMs.get();
    // Cameras that play already do not wait for a new one.
    if (!this.#moment.isRunning) follower.awaitedUntilMs = this.#clock.now() + patienceMs;
    if (momentMs !== null && playback.momentMs.get() !== momentMs) follower.seek(momentMs);
    this.#meet();
    return () => {
      end();
      this.#followers.delete(follower);
      playback.setPlaying(this.isPlaying.get());
      if (this.#followers.size === 0) this.#forget();
      this.#meet();
    };
  }

  /** The first goes on as it did alone. */
  #adopt({ momentMs, isPlaying, speed }: Follower['playback']): void {
    const ownMs = momentMs.get();
    if (ownMs === null) return;
    this.#moment.set(ownMs);
    this.momentMs.set(ownMs);
    this.isPlaying.set(isPlaying.get());
    this.speed.set(speed.get());
    this.#moment.setSpeed(speed.get());
  }

  #forget(): void {
    this.#moment.setRunning(false);
    this.momentMs.set(null);
    this.shownMs.set(null);
    this.isPlaying.set(false);
    this.state.set(idle);
    this.#timer?.[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
  }

  seek(momentMs: number): void {
    this.#moment.setRunning(false);
    this.#moment.set(momentMs);
    this.momentMs.set(momentMs);
    this.#all((follower) => {
      follower.awaitedUntilMs = this.#clock.now() + patienceMs;
      follower.seek(momentMs);
    });
  }

  /** Over a gap that all have, too: where one alone would go back over its gap, all do. */
  skip(seconds: number): void {
    if (this.momentMs.get() === null) return;
    const wantedMs = this.#moment.at() + seconds * 1000;
    const back = seconds < 0 ? [...this.#followers].map((one) => this.#back(one, seconds)) : [];
    const momentMs = Math.max(...back.filter((one) => one !== null));
    this.seek(momentMs === -Infinity ? wantedMs : Math.min(momentMs, wantedMs));
  }

  setPlaying(isPlaying: boolean): void {
    this.isPlaying.set(isPlaying);
    this.#meet();
  }

  setSpeed(speed: number): void {
    this.speed.set(speed);
    this.#moment.setSpeed(speed);
    this.#all(({ playback }) => playback.setSpeed(speed));
  }

  retry(): void {
    this.#all(({ playback }) => playback.retry());
  }

  #back({ playback, step }: Follower, seconds: number): number | null {
    return step === 'inStep' || step === 'ahead' ? playback.momentAfter(seconds) : null;
  }

  /** What each reports meanwhile is handled once, afterwards. */
  #all(work: (follower: Follower) => void): void {
    this.#isMeeting = true;
    for (const follower of this.#followers) work(follower);
    this.#isMeeting = false;
    this.#meet();
  }

  #meet(): void {
    this.#isChanged = true;
    if (this.#isMeeting || this.momentMs.get() === null) return;
    this.#isMeeting = true;
    // A follower that is brought into step may change its state by that; twice is enough, the next tick comes soon.
    for (let round = 0; this.#isChanged && round < 2; round += 1) {
      this.#isChanged = false;
      this.#keepNear();
      this.#look();
      this.#passCommonGap();
      this.#run();
      for (const follower of this.#followers) follower.meet(this.#moment, this.isPlaying.get());
    }
    this.#isMeeting = false;
    this.#tell();
    this.#plan();
  }

  #has(step: Step): boolean {
    return [...this.#followers].some((one) => one.step === step);
  }

  #look(): void {
    const momentMs = this.#moment.at();
    for (const follower of this.#followers) follower.look(this.#moment, momentMs);
  }

  /** Not farther beyond the foremost picture than it may be. */
  #keepNear(): void {
    const behind = [...this.#followers].map((one) => one.behindMs).filter((one) => one !== null);
    const leastMs = Math.min(...behind);
    const { speed, isRunning } = this.#moment;
    const tooFarMs = leastMs - beyondMs * speed;
    if (isRunning && tooFarMs > 0 && leastMs < foremostMs * speed) this.#move(-tooFarMs);
  }

  #move(byMs: number): void {
    this.#moment.set(this.#moment.at() + byMs);
    for (const follower of this.#followers) follower.moved(byMs);
  }

  /** Where no camera has a picture nor is about to, all go to the next moment at which one has a picture. */
  #passCommonGap(): void {
    if (this.#has('inStep') || this.#has('coming')) return;
    const next = [...this.#followers]
      .filter(({ step }) => step === 'ahead')
      .map(({ playback }) => playback.momentMs.get() ?? Infinity);
    if (next.length === 0) return;
    this.#move(Math.min(...next) - this.#moment.at());
    this.#look();
  }

  #run(): void {
    const nowMs = this.#clock.now();
    const isAwaited = [...this.#followers].some(
      ({ step, awaitedUntilMs }) => step === 'coming' && nowMs < awaitedUntilMs,
    );
    this.#moment.setRunning(this.isPlaying.get() && this.#has('inStep') && !isAwaited);
  }

  #tell(): void {
    const momentMs = this.#moment.at();
    this.momentMs.set(momentMs);
    if (this.#has('inStep')) this.shownMs.set(momentMs);
    const now = this.#stateNow(momentMs);
    const before = this.state.get();
    if (now.kind !== before.kind || now.kind === 'end') this.state.set(now);
  }

  #stateNow(atMs: number): RecordedState {
    if (this.#has('inStep')) return ready;
    if (this.#has('coming')) return { kind: 'loading', atMs };
    const states = [...this.#followers].map(({ playback }) => playback.state.get());
    return states.find(({ kind }) => kind === 'end') ?? states[0] ?? idle;
  }

  #plan(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = null;
    if (!this.isPlaying.get() || this.#followers.size === 0) return;
    this.#timer = this.#clock.after(tickMs, () => this.#meet());
  }
}
