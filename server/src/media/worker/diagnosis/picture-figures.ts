/** Measures how the pictures of a stream come: how many, how large, when they arrive and what their times say. */
import { ticksPerSecond } from '../../codec/timeline.ts';
import type { Coded } from '../../codec/coded.ts';
import type { PictureFigures } from '../../protocol/diagnosis-messages.ts';
import { spreadOf, steps } from './spread.ts';

/** A larger step of the times is a leap. */
const leapMs = 1_000;
/** No camera reorders more pictures (ITU-T H.264, A.3.1: 16). */
const maxReorder = 16;

interface Arrived {
  readonly atMs: number;
  readonly key: boolean;
  readonly bytes: number;
  /** Decode and presentation times; null where the source does not say. */
  readonly dtsMs: number | null;
  readonly ptsMs: number | null;
}

export class PictureMeter {
  readonly #arrived: Arrived[] = [];

  /** `atMs`: when it arrived, since the first attempt to connect. */
  take({ data, key, pts, dts }: Coded, atMs: number): void {
    const [ptsMs, dtsMs] = [inMs(pts), inMs(dts ?? pts)];
    this.#arrived.push({ atMs, key, bytes: data.length, ptsMs, dtsMs });
  }

  figures(): PictureFigures {
    const all = this.#arrived;
    const keys = all.flatMap(({ key }, index) => (key ? [index] : []));
    const [firstKey = -1] = keys;
    const spanMs = (all.at(-1)?.atMs ?? 0) - (all[0]?.atMs ?? 0);
    // The first picture arrives at the beginning of the span: what comes after it took that time.
    const bytes = all.slice(1).reduce((sum, one) => sum + one.bytes, 0);
    const dated = all.filter(isDated);
    const decodeSteps = steps(dated.map(({ dtsMs }) => dtsMs));
    return {
      pictures: all.length,
      keyPictures: keys.length,
      beforeFirstKey: firstKey < 0 ? all.length : firstKey,
      firstPictureMs: rounded(all[0]?.atMs),
      firstKeyMs: rounded(all[firstKey]?.atMs),
      spanMs: Math.round(spanMs),
      bitsPerSecond: spanMs > 0 ? Math.round((bytes * 8_000) / spanMs) : null,
      largestBytes: Math.max(0, ...all.map((one) => one.bytes)),
      arrivals: spreadOf(steps(all.map(({ atMs }) => atMs))),
      steps: spreadOf(decodeSteps),
      keySteps: spreadOf(steps(dated.filter(({ key }) => key).map(({ dtsMs }) => dtsMs))),
      longestGroup: keys.length > 1 ? Math.max(...steps(keys)) : null,
      lateness: latenessOf(dated),
      reorder: reorderOf(all.flatMap(({ ptsMs }) => ptsMs ?? [])),
      backwards: decodeSteps.filter((step) => step <= 0).length,
      leaps: decodeSteps.filter((step) => step > leapMs).length,
      withoutTime: all.length - dated.length,
    };
  }
}

type Dated = Arrived & { readonly dtsMs: number };
const isDated = (one: Arrived): one is Dated => one.dtsMs !== null;

function latenessOf(dated: readonly Dated[]): PictureFigures['lateness'] {
  const behind = dated.map(({ atMs, dtsMs }) => atMs - dtsMs);
  const least = Math.min(...behind);
  return spreadOf(behind.map((value) => value - least));
}

/** How many of the pictures just before each one are shown after it, at most. */
function reorderOf(shown: readonly number[]): number {
  const later = shown.map(
    (pts, index) =>
      shown.slice(Math.max(0, index - maxReorder), index).filter((one) => one > pts).length,
  );
  return Math.max(0, ...later);
}

const inMs = (ticks: number | null): number | null =>
  ticks === null ? null : (ticks * 1000) / ticksPerSecond;
const rounded = (ms: number | undefined): number | null =>
  ms === undefined ? null : Math.round(ms);
