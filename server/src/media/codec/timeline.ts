/**
 * Turns a camera's timestamps, which may begin anywhere, repeat, go back or leap, into those of a live view, which
 * begin at 0 and whose decode times always grow. Times that run at another rate than the pictures arrive, or that
 * several pictures share, are replaced by arrival until they fit again. All are in ticks of 90 kHz.
 */
import { ArrivalPace } from './arrival-pace.ts';
import { GrossCheck } from './gross-check.ts';
import { RateCheck } from './rate-check.ts';
import { ticksPerSecond } from './ticks.ts';

export { ticksPerSecond } from './ticks.ts';

/** A camera that sets its clock leaps further than this; a network pause does not reach it. */
const leapTicks = 10 * ticksPerSecond;
/** Times that go back further than this do not come from jitter. */
const backTicks = 0.25 * ticksPerSecond;
/** Pictures that come so much earlier than any before them were not sent that early: their times leapt. */
const aheadTicks = 1 * ticksPerSecond;
/** How fast a lead over the arrival is forgotten, so that clocks may drift: 0.1 %. */
const forgetting = 0.001;
/** So many pictures in a row that would not be later than the one before come of a clock that was set back. */
const setBack = 3;
/** So many pictures in a row with one time have no times at all. */
const standingStill = 3;
/** Times that stood still are not believed for so long after. */
const standingTicks = 30 * ticksPerSecond;

export interface Moment {
  readonly pts: number;
  readonly dts: number;
  /** The estimated time until the next picture: the time since the one before. */
  readonly duration: number;
}

export class Timeline {
  #shift: number | null = null;
  #last = 0;
  #hasBegun = false;
  #step: number;
  /** The least that arrival was behind the media time, in ticks; null without arrivals. */
  #lag: number | null = null;
  /** Arrival less media time of the first picture. */
  #begunAt: number | null = null;
  /** Pictures in a row whose time is not later than that of the one before. */
  #behind = 0;
  /** Pictures in a row with the same time of the camera. */
  #standing = 0;
  #saidLast = NaN;
  #stoodAt = -Infinity;
  readonly #rate = new RateCheck();
  readonly #gross: GrossCheck;
  readonly #pace = new ArrivalPace();
  #isByArrival = false;

  /** `fps` is what the stream declares: a first guess at the distance between pictures; 0 where it doesn't. */
  constructor(fps: number) {
    this.#step = Math.round(ticksPerSecond / (fps > 0 ? fps : 25));
    this.#gross = new GrossCheck(fps);
  }

  /** Ticks to add to the camera's times; null before the first picture. */
  get shift(): number | null {
    return this.#shift;
  }

  /** Whether the camera's own times are of no use now. */
  get isByArrival(): boolean {
    return this.#isByArrival;
  }

  /** When the newest picture is decoded. */
  get now(): number {
    return this.#last;
  }

  /**
   * Takes times of the camera's own clock; null where it does not say. `arrivedMs`: when the picture came, on a
   * clock that is never set; null where it comes from a file.
   */
  next(pts: number | null, dts: number | null, arrivedMs: number | null = null): Moment {
    const shownRaw = pts ?? dts;
    const decodedRaw = dts ?? pts;
    if (shownRaw === null || decodedRaw === null) {
      const at = this.#shift === null ? 0 : this.#last + this.#step;
      return this.#moment(at, at);
    }
    const isFirst = this.#shift === null;
    this.#shift ??= -decodedRaw;
    const arrived = arrivedMs === null ? null : (arrivedMs / 1000) * ticksPerSecond;
    if (arrived !== null) {
      this.#begunAt ??= arrived;
      this.#judge(decodedRaw, arrived);
      if (this.#isByArrival) return this.#byArrival(shownRaw - decodedRaw, decodedRaw, arrived);
    }
    let decoded = decodedRaw + this.#shift;
    this.#behind = isFirst || decoded > this.#last ? 0 : this.#behind + 1;
    if (!isFirst && (this.#behind >= setBack || this.#leaps(decoded, arrived))) {
      const at = this.#last + Math.max(1, Math.round(Math.min(this.#step, 2 * ticksPerSecond)));
      this.#shift += at - decoded;
      decoded = at;
      this.#lag = null;
      this.#rate.restart();
      this.#gross.restart();
    }
    this.#follow(decoded, arrived);
    return this.#moment(shownRaw + this.#shift, decoded);
  }

  /** Decides whether the camera's times are of use. */
  #judge(said: number, arrived: number): void {
    this.#standing = said === this.#saidLast ? this.#standing + 1 : 0;
    this.#saidLast = said;
    if (this.#standing >= standingStill) this.#stoodAt = arrived;
    this.#pace.add(arrived, said);
    const canChange = this.#rate.add(said, arrived);
    this.#gross.add(said, arrived);
    const stands = arrived - this.#stoodAt < standingTicks;
    if (stands || (!this.#isByArrival && this.#gross.isWrong)) this.#isByArrival = true;
    else if (!canChange) return;
    else if (!this.#isByArrival) this.#isByArrival = this.#rate.isWrong;
    else if (this.#rate.isRight) this.#believe(said);
  }

  #believe(said: number): void {
    this.#isByArrival = false;
    this.#shift = this.#last + this.#step - said;
    this.#lag = null;
  }

  #byArrival(laterShown: number, said: number, arrived: number): Moment {
    const decoded = this.#pace.next(this.#last, arrived - (this.#begunAt ?? arrived));
    this.#shift = decoded - said;
    return this.#moment(decoded + Math.round(laterShown * this.#pace.scale), decoded);
  }

  #leaps(decoded: number, arrived: number | null): boolean {
    const ahead = decoded - this.#last;
    if (ahead > leapTicks || ahead < -backTicks) return true;
    if (arrived === null || this.#lag === null || ahead <= aheadTicks) return false;
    return this.#lag - (arrived - decoded) > aheadTicks;
  }

  #follow(decoded: number, arrived: number | null): void {
    if (arrived === null) return;
    const lag = arrived - decoded;
    const eased =
      this.#lag === null ? lag : this.#lag + Math.max(0, decoded - this.#last) * forgetting;
    this.#lag = Math.min(lag, eased);
  }

  #moment(shown: number, decoded: number): Moment {
    const first = !this.#hasBegun;
    this.#hasBegun = true;
    const dts = first ? 0 : Math.max(decoded, this.#last + 1);
    const sinceLast = dts - this.#last;
    if (!first && sinceLast < 2 * ticksPerSecond) this.#step = Math.max(1, sinceLast);
    this.#last = dts;
    return { pts: Math.max(shown, dts), dts, duration: this.#step };
  }
}
