/**
 * Turns a camera's timestamps, which may begin anywhere, repeat, go back or leap, into those of a live view, which
 * begin at 0 and whose decode times always grow. All are in ticks of 90 kHz.
 */
export const ticksPerSecond = 90_000;
/** A camera that sets its clock leaps further than this; a network pause does not reach it. */
const leapTicks = 10 * ticksPerSecond;

export interface Moment {
  readonly pts: number;
  readonly dts: number;
  /** The estimated time until the next picture: the time since the one before. */
  readonly duration: number;
}

export class Timeline {
  #shift: number | null = null;
  #last = 0;
  #step: number;

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

  /** Takes times of the camera's own clock; null where it does not say. */
  next(pts: number | null, dts: number | null): Moment {
    const shownRaw = pts ?? dts;
    const decodedRaw = dts ?? pts;
    if (shownRaw === null || decodedRaw === null) {
      const at = this.#shift === null ? 0 : this.#last + this.#step;
      return this.#moment(at, at);
    }
    this.#shift ??= -decodedRaw;
    let decoded = decodedRaw + this.#shift;
    if (Math.abs(decoded - this.#last) > leapTicks) {
      this.#shift += this.#last + this.#step - decoded;
      decoded = this.#last + this.#step;
    }
    return this.#moment(shownRaw + this.#shift, decoded);
  }

  #moment(shown: number, decoded: number): Moment {
    const first = this.#last === 0 && decoded <= 0;
    const dts = first ? 0 : Math.max(decoded, this.#last + 1);
    const sinceLast = dts - this.#last;
    if (!first && sinceLast < 2 * ticksPerSecond) this.#step = Math.max(1, sinceLast);
    this.#last = dts;
    return { pts: Math.max(shown, dts), dts, duration: this.#step };
  }
}
