/**
 * What a camera sends, kept in files of about 10 s that begin at key frames. Waits for nobody, and nobody waits
 * for it: what cannot be written in time is a gap with its cause, not a camera that stutters.
 *
 * `push` decides what begins and ends, and queues; `SegmentQueue` does the writing, in the same order.
 */
import type { GapCause } from '@nazar/contract/recordings.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { Fragment } from '../live/live-stream.ts';
import type { RecorderNews, RecordingPlan } from '../../protocol/messages.ts';
import type { StreamSink } from '../live/passthrough.ts';
import type { Init } from '../../mp4/remuxer.ts';
import { PreRoll } from './pre-roll.ts';
import { MotionMarks } from '../motion/motion-marks.ts';
import { RecordedTime } from './recorded-time.ts';
import { SegmentQueue, type Stream } from './segment-queue.ts';
import type { MotionSpan } from '../../protocol/segments.ts';

export interface RecorderOptions {
  readonly cameraId: string;
  readonly clock: Clock;
  readonly tell: (news: RecorderNews) => void;
}

interface Current {
  readonly number: number;
  readonly plan: RecordingPlan;
  readonly beganAtMs: number;
}

/** What comes after the last motion is recorded too. */
const postRollMs = 10_000;
const segmentMs = 10_000;
/** About 25 s of a camera of 10 Mbit/s: a disk that is away for longer costs a gap. */
const maxQueuedBytes = 32 * 1024 * 1024;
/** After a failed write. R-08 wants recording back within 5 s of there being room; a key frame is waited for too. */
const retryAfterMs = 1_000;

export class Recorder implements StreamSink, AsyncDisposable {
  readonly #options: RecorderOptions;
  readonly #time: RecordedTime;
  readonly #queue: SegmentQueue;
  #plan: RecordingPlan | null = null;
  #stream: Stream | null = null;
  #codec = '';
  /** The segment that pictures go to now. */
  #current: Current | null = null;
  #retryAtMs = -Infinity;
  readonly #preRoll = new PreRoll();
  readonly #marks = new MotionMarks();
  /** Something moved less than `trailMs` before that. */
  #movesUntilMs = -Infinity;
  /** It was told that nothing is recorded because nothing moves. */
  #isIdle = false;

  constructor(options: RecorderOptions) {
    const { clock, cameraId, tell } = options;
    this.#options = options;
    this.#time = new RecordedTime(clock);
    this.#queue = new SegmentQueue({
      cameraId,
      clock,
      tell,
      failed: (number) => this.#failed(number),
    });
  }

  /** Whether anything is to be recorded. */
  get isWanted(): boolean {
    return this.#plan !== null;
  }

  /** Whether it must be told when something moves. */
  get asksForMotion(): boolean {
    return this.#plan?.type === 'motion';
  }

  /** Two pictures were compared. When something moves, a camera waiting for that is recorded from some seconds ago on. */
  compared(moves: boolean): void {
    const nowMs = this.#options.clock.monotonicMs();
    this.#marks.compared(moves, nowMs);
    if (!moves) return;
    this.#movesUntilMs = nowMs + postRollMs;
    if (!this.#isIdle || !this.#plan || !this.#stream) return;
    const kept = this.#preRoll.take();
    const [first] = kept;
    if (!first) return;
    this.#isIdle = false;
    const startedAtMs = this.#time.resume(nowMs - first.monotonicMs);
    const number = this.#queue.open(this.#plan, this.#stream, startedAtMs);
    this.#current = { number, plan: this.#plan, beganAtMs: first.monotonicMs };
    for (const { picture } of kept) this.#queue.add(picture);
    this.#time.touch();
  }

  /** Null: nothing is to be recorded. The same plan once more tells again what is open. */
  setPlan(plan: RecordingPlan | null): void {
    if (plan) this.#time.notBefore(plan.recordedUntilMs);
    const before = this.#plan;
    const isSame = plan?.folder === before?.folder && plan?.type === before?.type;
    if (isSame) {
      this.#queue.repeat();
      return;
    }
    this.#plan = plan;
    this.#isIdle = false;
    this.#preRoll.clear();
    // Another plan takes over at the next key frame, without a gap.
    if (plan) return;
    this.#close();
    this.#queue.forgetGap();
  }

  /** FFmpeg's name of what the streams that follow are coded in. */
  setCodec(codec: string): void {
    this.#codec = codec;
  }

  begin(init: Init): void {
    this.#close();
    this.#preRoll.clear();
    this.#stream = { id: uuidv7(this.#options.clock.now()), init, codec: this.#codec };
  }

  push({ key, at, body }: Fragment): void {
    if (!this.#plan || !this.#stream) return;
    const nowMs = this.#options.clock.monotonicMs();
    if (this.asksForMotion && nowMs >= this.#movesUntilMs) {
      if (!this.#isIdle) this.interrupt('no_motion');
      this.#isIdle = true;
      this.#preRoll.add({ key, at, body }, nowMs);
      return;
    }
    const isFull = this.#queue.queuedBytes + body.length > maxQueuedBytes;
    if (isFull && this.#current) this.interrupt('disk');
    else if (!isFull && key && this.#isDue(this.#plan)) this.#cut(this.#plan, this.#stream);
    if (!this.#current) return;
    this.#time.touch();
    this.#queue.add({ body, key, at });
  }

  /** The stream is over; why is said by `interrupt`. */
  end(): void {
    this.#stream = null;
    this.#preRoll.clear();
    this.#close();
  }

  /** Nothing comes, for this reason. Of one gap the first reason counts. */
  interrupt(cause: GapCause): void {
    if (!this.#plan) return;
    this.#close();
    this.#isIdle = false;
    this.#queue.interrupt(this.#options.clock.now(), cause);
  }

  /** All that was pushed is written, or is known not to be. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
    await this.settled();
  }

  #isDue(plan: RecordingPlan): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    if (!this.#current) return nowMs >= this.#retryAtMs;
    return this.#current.plan !== plan || nowMs - this.#current.beganAtMs >= segmentMs;
  }

  #cut(plan: RecordingPlan, stream: Stream): void {
    let startedAtMs: number;
    if (this.#current) {
      const cut = this.#time.cut();
      ({ startedAtMs } = cut);
      this.#queue.close(cut.endedAtMs, this.#motion(this.#current));
      if (startedAtMs > cut.endedAtMs) this.#queue.interrupt(cut.endedAtMs, 'clock');
    } else startedAtMs = this.#time.resume();
    const number = this.#queue.open(plan, stream, startedAtMs);
    this.#current = { number, plan, beganAtMs: this.#options.clock.monotonicMs() };
  }

  #close(): void {
    if (!this.#current) return;
    const motion = this.#motion(this.#current);
    this.#current = null;
    this.#queue.close(null, motion);
  }

  #motion({ beganAtMs }: Current): MotionSpan[] | null {
    return this.#marks.take(beganAtMs, this.#options.clock.monotonicMs());
  }

  #failed(number: number): void {
    if (this.#current?.number === number) this.#current = null;
    this.#retryAtMs = this.#options.clock.monotonicMs() + retryAfterMs;
  }
}
