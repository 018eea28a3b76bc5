/**
 * Turns a camera's timestamps, which may begin anywhere, repeat, go back or leap, into those of a live view, which
 * begin at 0 and whose decode times always grow. All are in ticks of 90 kHz.
 */
export const ticksPerSecond = 90_000;
/** A camera that sets its clock leaps further than this; a network pause does not reach it. */
const leapTicks = 10 * ticksPerSecond;
/** Times that go back further than this do not come from jitter. */
const backTicks = 0.25 * ticksPerSecond;
/** Pictures that come so much earlier than any before them were not sent that early: their times leapt. */
const aheadTicks = 1 * ticksPerSecond;
/** How fast a lead over the arrival is forgotten, so that clocks may drift: 0.1 %. */
const forgetting = 0.001;
/** So many pictures in a row with times that do not go on have no times at all. */
const standingStill = 3;

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
  #arrivedAt: number | null = null;
  /** Pictures in a row with the same time or an earlier one. */
  #standing = 0;

  /** `fps` is a first guess at the distance between pictures. */
  constructor(fps: number) {
    this.#step = Math.round(ticksPerSecond / (fps > 0 ? fps : 25));
  }

  /** Ticks to add to the camera's times; null before the first picture. */
  get shift(): number | null {
    return this.#shift;
  }

  /** When the newest picture is decoded. */
  get now(): number {
    return this.#last;
  }

  /**
   * Takes times of the camera's own clock; null where it does not say. `arrivedMs`: when the picture came, on any
   * clock; null where it comes from a file.
   */
  next(pts: number | null, dts: number | null, arrivedMs: number | null = null): Moment {
    const arrived = arrivedMs === null ? null : (arrivedMs / 1000) * ticksPerSecond;
    const sinceArrival =
      arrived === null || this.#arrivedAt === null ? null : arrived - this.#arrivedAt;
    this.#arrivedAt = arrived;
    const shownRaw = pts ?? dts;
    const decodedRaw = dts ?? pts;
    if (shownRaw === null || decodedRaw === null) {
      const at = this.#shift === null ? 0 : this.#last + this.#step;
      return this.#moment(at, at);
    }
    const isFirst = this.#shift === null;
    this.#shift ??= -decodedRaw;
    let decoded = decodedRaw + this.#shift;
    this.#standing = isFirst || decoded > this.#last ? 0 : this.#standing + 1;
    const stands = this.#standing >= standingStill;
    if (!isFirst && (stands || this.#leaps(decoded, arrived))) {
      const goesOn = stands && sinceArrival !== null ? sinceArrival : this.#step;
      const at = this.#last + Math.max(1, Math.round(Math.min(goesOn, 2 * ticksPerSecond)));
      this.#shift += at - decoded;
      decoded = at;
      this.#lag = null;
    }
    this.#follow(decoded, arrived);
    return this.#moment(shownRaw + this.#shift, decoded);
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
