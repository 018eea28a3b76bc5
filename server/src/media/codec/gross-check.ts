/**
 * Says within two seconds whether a camera's times are grossly wrong, where something beside arrival says so, too: times
 * closer than any camera's pictures, or pictures that arrive as often as the stream declares, with times that don't.
 * Arrival alone needs longer (`rate-check.ts`): a network can slow down and catch up by any factor for so long.
 */
import { ticksPerSecond } from './ticks.ts';

interface Picture {
  readonly said: number;
  readonly arrived: number;
}

/** No camera sends more pictures a second than the first; times that say so are wrong where pictures come half as often. */
const [mostFps, halfOfMost] = [240, 120];
const implausiblePictures = 8;
const declared = {
  pictures: 10,
  ticks: 1.5 * ticksPerSecond,
  /** How far arrival may be from what is declared. */
  tolerance: 0.1,
  /** By what factor times are off at least, over all and in each third: jitter of 30 ms takes a sixth from a third. */
  factor: 1.3,
  thirdFactor: 1.15,
} as const;
/** Pictures of so long are compared at most. */
const windowTicks = 3 * ticksPerSecond;

export class GrossCheck {
  readonly #declaredStep: number | null;
  /** The newest last. */
  #pictures: Picture[] = [];

  /** `fps`: what the stream declares; 0 where it doesn't. */
  constructor(fps: number) {
    this.#declaredStep = fps >= 1 && fps <= mostFps ? ticksPerSecond / fps : null;
  }

  /** Takes when a picture is to be decoded by the camera's times, and when it arrived. */
  add(said: number, arrived: number): void {
    this.#pictures.push({ said, arrived });
    while (arrived - this.#pictures[0]!.arrived > windowTicks) this.#pictures.shift();
    if (this.#pictures.length > mostFps) this.#pictures.shift();
  }

  /** The times leapt: what was measured says nothing of those to come. */
  restart(): void {
    this.#pictures = [];
  }

  get isWrong(): boolean {
    return this.#isImplausible || this.#differsFromDeclared;
  }

  get #isImplausible(): boolean {
    const pictures = this.#pictures.slice(-implausiblePictures);
    if (pictures.length < implausiblePictures) return false;
    const { arrived } = spansOf(pictures);
    if (arrived / (pictures.length - 1) < ticksPerSecond / halfOfMost) return false;
    return stepsOf(pictures).every((step) => step >= 0 && step < ticksPerSecond / mostFps);
  }

  get #differsFromDeclared(): boolean {
    const pictures = this.#pictures;
    const count = pictures.length - 1;
    if (this.#declaredStep === null || pictures.length < declared.pictures) return false;
    const { said, arrived } = spansOf(pictures);
    if (arrived < declared.ticks || said <= 0) return false;
    const arrivalStep = arrived / count;
    if (Math.abs(arrivalStep / this.#declaredStep - 1) > declared.tolerance) return false;
    if (!isOff(said / arrived, declared.factor) || !this.#isOffInEachThird(said > arrived))
      return false;
    // Times that leap, or that pictures share, are another matter.
    const step = said / count;
    return stepsOf(pictures).every((one) => one >= step / 2 && one <= step * 1.5);
  }

  #isOffInEachThird(isFast: boolean): boolean {
    const third = Math.floor((this.#pictures.length - 1) / 3);
    return [0, third, 2 * third].every((from) => {
      const { said, arrived } = spansOf(this.#pictures.slice(from, from + third + 1));
      const rate = said / Math.max(1, arrived);
      return isOff(rate, declared.thirdFactor) && rate > 1 === isFast;
    });
  }
}

const isOff = (rate: number, factor: number): boolean => rate >= factor || rate <= 1 / factor;

function spansOf(pictures: readonly Picture[]): Picture {
  const [first, last] = [pictures[0]!, pictures.at(-1)!];
  return { said: last.said - first.said, arrived: last.arrived - first.arrived };
}

const stepsOf = (pictures: readonly Picture[]): number[] =>
  pictures.slice(1).map(({ said }, index) => said - pictures[index]!.said);
