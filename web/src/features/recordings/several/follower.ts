/**
 * One camera of several that play in step: where it stands beside the common moment, and what it does to get there. A
 * small difference is mended by playing a little faster or slower, a player that is ahead stands still until its moment
 * comes, one that is far behind seeks. Which moment is common is decided by `SynchronizedPlayback`.
 */
import { signal } from '#lib/signal.ts';
import type { Clock } from '#parts/player/recorded/clock.ts';
import type { RecordedPlayback } from '#parts/player/recorded/recorded-playback.ts';
import type { Jump } from '#parts/player/recorded/recorded-state.ts';
import { Drift } from './drift.ts';
import type { RunningMoment } from './running-moment.ts';

/** Farther ahead than this it stands still, until it is this near. Milliseconds as they pass for the viewer. */
const aheadMs = 250;
const arrivedMs = 40;
/** Who is far behind seeks this far beyond the others, twice as far each time that it comes too late again. */
const firstLeadMs = 500;
const longestLeadMs = 8000;
const seekPauseMs = 2000;
/** Who stands at the end is asked so often whether something follows, while others play on. */
const askEndMs = 60_000;
/** A smaller change of its rate is not worth one. */
const leastCorrection = 0.004;

/** `coming`: its picture is on the way. `ahead`: its next picture is later. `gone`: it says itself why it has none. */
export type Step = 'coming' | 'inStep' | 'ahead' | 'end' | 'gone';

export class Follower {
  readonly playback: RecordedPlayback;
  /** The time without a recording in which the common moment lies. */
  readonly gap = signal<Jump | null>(null);
  step: Step = 'coming';
  /** The others wait for its picture until then, by the clock: another moment was asked for. */
  awaitedUntilMs = 0;

  readonly #clock: Clock;
  readonly #drift = new Drift();
  #correction = 1;
  #isAhead = false;
  #wantsPlaying = false;
  #leadMs = firstLeadMs;
  #soughtAtMs = -Infinity;
  #askedAtMs = -Infinity;

  constructor(playback: RecordedPlayback, clock: Clock) {
    this.playback = playback;
    this.#clock = clock;
  }

  /** Returns what ends it. `onRefused`: the browser lets nothing play before a click. */
  join(moment: RunningMoment, onChange: () => void, onRefused: () => void): () => void {
    const { state, notice, shownMs, isPlaying } = this.playback;
    this.#wantsPlaying = isPlaying.get();
    const ends = [
      state.subscribe(() => {
        this.#drift.forget();
        if (state.get().kind === 'refused') this.gap.set(null);
        onChange();
      }),
      notice.jump.subscribe(() => {
        const jump = notice.jump.get();
        // A notice goes after some seconds; the gap lasts until its end.
        if (jump === null) return;
        this.gap.set(jump);
        onChange();
      }),
      shownMs.subscribe(() => {
        this.#measure(moment);
        if (!moment.isRunning && this.#isFar(moment)) onChange();
      }),
      isPlaying.subscribe(() => {
        if (this.#wantsPlaying && !isPlaying.get()) onRefused();
      }),
    ];
    return () => {
      for (const end of ends) end();
      this.#correct(1);
      this.gap.set(null);
    };
  }

  /** The user asked for that moment. */
  seek(momentMs: number): void {
    this.#drift.forget();
    this.#leadMs = firstLeadMs;
    this.#soughtAtMs = -Infinity;
    this.#isAhead = false;
    this.gap.set(null);
    this.playback.seek(momentMs);
  }

  /** How far it is behind, of the recording; null: not known, or it is not in step. */
  get behindMs(): number | null {
    return this.step === 'inStep' ? this.#drift.behindMs : null;
  }

  /** The common moment was moved by so much. */
  moved(byMs: number): void {
    this.#drift.moved(byMs);
  }

  /** Finds out where it stands. */
  look({ speed }: RunningMoment, momentMs: number): void {
    const step = this.#stepAt(momentMs, speed);
    // Who stood still and waited was not late meanwhile.
    if (step !== this.step) this.#drift.forget();
    this.step = step;
    if (step !== 'coming') this.awaitedUntilMs = 0;
    const gap = this.gap.get();
    if (step === 'inStep' && gap !== null && gap.untilMs <= momentMs + aheadMs * speed) {
      this.gap.set(null);
    }
  }

  /** Does what brings it into step, or keeps it there. */
  meet(moment: RunningMoment, isPlaying: boolean): void {
    this.#setPlaying(isPlaying && this.#mayPlay(moment));
    if (this.step === 'inStep') this.#keepUp(moment);
    if (this.step === 'end' && moment.isRunning) this.#askEnd(moment.at());
  }

  #mayPlay({ isRunning }: RunningMoment): boolean {
    // A player that waits for data would not report that it can go on, if it were paused: the moment waits for that.
    if (this.step === 'coming') return this.#clock.now() >= this.awaitedUntilMs;
    // At the end it asks whether something follows.
    return this.step === 'end' || (this.step === 'inStep' && isRunning);
  }

  #stepAt(momentMs: number, speed: number): Step {
    const { state, momentMs: own } = this.playback;
    const { kind } = state.get();
    if (kind === 'end') return 'end';
    if (kind === 'waiting' || kind === 'refused') return 'gone';
    const realMs = ((own.get() ?? momentMs) - momentMs) / speed;
    this.#isAhead = realMs > (this.#isAhead ? arrivedMs : aheadMs);
    if (kind === 'ready') return this.#isAhead ? 'ahead' : 'inStep';
    // Where it goes on after a gap is known before its picture is here.
    return this.#isAhead && this.gap.get() !== null ? 'ahead' : 'coming';
  }

  #measure(moment: RunningMoment): void {
    const shownMs = this.playback.shownMs.get();
    if (shownMs === null || this.playback.state.get().kind !== 'ready') return;
    this.#drift.measure(moment.at() - shownMs);
  }

  #isFar({ speed, isRunning }: RunningMoment): boolean {
    return this.step === 'inStep' && this.#drift.isFar(speed, isRunning);
  }

  #keepUp(moment: RunningMoment): void {
    if (this.#isFar(moment)) this.#catchUp(moment);
    else if (moment.isRunning) this.#correct(this.#drift.correction(moment.speed));
  }

  #catchUp(moment: RunningMoment): void {
    const nowMs = this.#clock.now();
    if (nowMs - this.#soughtAtMs < seekPauseMs) return;
    // It came too late the last time, too.
    const isAgain = nowMs - this.#soughtAtMs < 2 * longestLeadMs;
    this.#leadMs = isAgain ? Math.min(this.#leadMs * 2, longestLeadMs) : firstLeadMs;
    this.#soughtAtMs = nowMs;
    this.#drift.forget();
    this.#correct(1);
    this.playback.align(moment.at() + (moment.isRunning ? this.#leadMs * moment.speed : 0));
  }

  #askEnd(momentMs: number): void {
    const nowMs = this.#clock.now();
    if (nowMs - this.#askedAtMs < askEndMs) return;
    const isFirst = this.#askedAtMs === -Infinity;
    this.#askedAtMs = nowMs;
    if (!isFirst) this.playback.align(momentMs);
  }

  #correct(factor: number): void {
    const isSmall = Math.abs(factor - this.#correction) < leastCorrection;
    if (factor === this.#correction || (isSmall && factor !== 1)) return;
    this.#correction = factor;
    this.playback.correct(factor);
  }

  #setPlaying(isPlaying: boolean): void {
    this.#wantsPlaying = isPlaying;
    if (this.playback.isPlaying.get() !== isPlaying) this.playback.setPlaying(isPlaying);
  }
}
