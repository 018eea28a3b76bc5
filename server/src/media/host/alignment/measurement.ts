/**
 * Measures what a camera's sub-stream shows of its main picture, by frames of both of about the same moment, as soon as
 * both streams come. Both are decoded meanwhile: a few seconds at the start, again with growing pauses while nothing sure
 * is found (a dark scene, a blank wall), and once an hour to see whether the camera was set up otherwise.
 */
import type { StreamName } from '@nazar/contract/cameras.ts';
import type { Frame } from 'node-av/lib';
import type { Clock } from '#lib/clock.ts';
import { FrameScaler } from '../../codec/frame-scaler.ts';
import { fit } from '../../codec/fit.ts';
import { isSamePart, type StreamPart } from '../../mask/stream-part.ts';
import type { Alignment } from '../../protocol/stream-pair.ts';
import { alignPictures } from './align-pictures.ts';
import { Agreement } from './agreement.ts';
import { GreyPicture, type Grey } from './grey-picture.ts';
import { likenessOf } from './likeness.ts';
import type { StreamAlignment } from './stream-alignment.ts';

export interface MeasurementOptions {
  readonly clock: Clock;
  readonly alignment: Pick<StreamAlignment, 'pair' | 'current'>;
  /** Whether both streams come now. */
  readonly areLive: () => boolean;
  readonly measured: (alignment: Alignment) => void;
  readonly failed: (error: unknown) => void;
}

interface Sample {
  readonly grey: Grey;
  readonly wallMs: number;
}

/** An attempt ends after this. */
const attemptMs = 20_000;
const pauses = { firstMs: 30_000, maxMs: 10 * 60_000 };
const checkEveryMs = 60 * 60_000;
/** Frames of one moment are that near, and moments that far apart. */
const sameMomentMs = 150;
const momentsApartMs = 1_000;
const sampleEveryMs = 100;
/** A picture that is compared with the one before it: so old at least. */
const stillForMs = 200;
const sampleSide = 320;
/** A part that is measured an hour later is another one from here, in its own sides: masks are wider by twice as much. */
const unchangedWithin = 0.01;
/** The least likeness of two pictures of a scene that stands still: while a camera turns, its streams are not of one moment. */
const minStill = 0.75;

export class Measurement implements AsyncDisposable {
  readonly #options: MeasurementOptions;
  readonly #scaler = new FrameScaler();
  readonly #agreement = new Agreement();
  #pair: string | null = null;
  #wasKnown = false;
  #beganAtMs = -Infinity;
  #nextAtMs = -Infinity;
  #pauseMs = pauses.firstMs;
  readonly #newest: { main: Sample | null; sub: Sample | null } = { main: null, sub: null };
  #before: Sample | null = null;
  #momentAtMs = -Infinity;
  #working: Promise<void> = Promise.resolve();
  #isWorking = false;
  #ended = false;

  constructor(options: MeasurementOptions) {
    this.#options = options;
  }

  /** Whether frames of both streams are wanted now. */
  get isWanted(): boolean {
    const { alignment, areLive, clock } = this.#options;
    const { pair, current } = alignment;
    this.#wasKnown ||= current?.isConfirmed === true;
    if (this.#ended || pair === null || current?.isConfirmed || !areLive()) return false;
    const nowMs = clock.monotonicMs();
    const isForgotten = current === null && this.#wasKnown;
    if (pair !== this.#pair || isForgotten) this.#restart(pair, nowMs);
    this.#wasKnown = current !== null;
    if (nowMs < this.#nextAtMs) return false;
    if (this.#beganAtMs < this.#nextAtMs) this.#beganAtMs = nowMs;
    if (nowMs - this.#beganAtMs < attemptMs) return true;
    this.#rest(nowMs, current ? checkEveryMs : this.#pauseMs);
    this.#pauseMs = Math.min(pauses.maxMs, 2 * this.#pauseMs);
    return false;
  }

  /** Resolves when the frame is no longer needed. */
  async offer(frame: Frame, stream: StreamName, wallMs: number): Promise<void> {
    const last = this.#newest[stream];
    if (!this.isWanted || this.#isWorking) return;
    if (last && wallMs - last.wallMs < sampleEveryMs && wallMs >= last.wallMs) return;
    const size = fit(frame, sampleSide, sampleSide);
    const data = await this.#scaler.toBuffer(frame, { resize: size, format: 'gray' });
    const sample: Sample = { grey: { ...size, data }, wallMs };
    this.#newest[stream] = sample;
    if (stream === 'main' && !(this.#before && wallMs - this.#before.wallMs < stillForMs)) {
      this.#before = last;
    }
    this.#compare();
  }

  #compare(): void {
    const { main, sub } = this.#newest;
    const nowMs = this.#options.clock.monotonicMs();
    if (!main || !sub || this.#isWorking || this.#ended) return;
    if (Math.abs(main.wallMs - sub.wallMs) > sameMomentMs) return;
    if (nowMs - this.#momentAtMs < momentsApartMs) return;
    const before = this.#before;
    if (!before || main.wallMs - before.wallMs < stillForMs) return;
    this.#momentAtMs = nowMs;
    if (!isStill(before.grey, main.grey)) return;
    this.#isWorking = true;
    const pair = this.#pair;
    this.#working = this.#measure(main.grey, sub.grey, pair)
      .catch(this.#options.failed)
      .finally(() => (this.#isWorking = false));
  }

  async #measure(main: Grey, sub: Grey, pair: string | null): Promise<void> {
    const part = await alignPictures(main, sub, pause);
    const { alignment, clock, measured } = this.#options;
    // The streams are others by now: what was measured is of those before.
    if (!part || pair === null || pair !== this.#pair || alignment.pair !== pair || this.#ended)
      return;
    const { current } = alignment;
    if (current?.isConfirmed) return;
    const isAsKnown = current !== null && isSamePart(current.part, part, unchangedWithin);
    const agreed: StreamPart | null = isAsKnown ? null : this.#agreement.add(part);
    if (!isAsKnown && !agreed) return;
    this.#agreement.clear();
    this.#rest(clock.monotonicMs(), checkEveryMs);
    this.#pauseMs = pauses.firstMs;
    if (agreed) measured({ pair, part: agreed, isConfirmed: false });
  }

  #restart(pair: string, nowMs: number): void {
    this.#pair = pair;
    this.#agreement.clear();
    this.#rest(nowMs, 0);
    this.#pauseMs = pauses.firstMs;
  }

  /** What moments agreed on so far stays: on a busy machine one measurement takes as long as an attempt. */
  #rest(nowMs: number, restMs: number): void {
    this.#nextAtMs = nowMs + restMs;
    this.#beganAtMs = -Infinity;
    this.#newest.main = null;
    this.#newest.sub = null;
    this.#before = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await this.#working;
    this.#scaler.close();
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const whole = { x: 0, y: 0, width: 1, height: 1 };
const [columns, rows] = [64, 48];

export function isStill(before: Grey, now: Grey): boolean {
  const one = new GreyPicture(before).take(whole, columns, rows);
  const other = new GreyPicture(now).take(whole, columns, rows);
  const { score, textured } = likenessOf(one, other, columns, rows);
  return textured === 0 || score >= minStill;
}
