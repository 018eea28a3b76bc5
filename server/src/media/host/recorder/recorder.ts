/**
 * Records what a camera sends in files of about 10 s that begin at key frames. Nothing waits for the disk: what
 * cannot be written in time becomes a gap with its cause, and the live view does not stutter.
 *
 * `push` decides where segments begin and end, and queues; the segment queue writes in the same order.
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
import type { CameraLog } from '../camera-log.ts';
import { RecordedTime } from './recorded-time.ts';
import type { StageMeter } from '../stage-meter.ts';
import { SegmentQueue, type Stream } from './segment-queue.ts';
import type { Cells } from '../../protocol/motion-grid.ts';
import type { SegmentTail, Still } from '../../protocol/segments.ts';
import type { Rotation } from '../../protocol/rotation.ts';
import { ofMain } from '../../protocol/stream-pair.ts';

export interface RecorderOptions {
  readonly cameraId: string;
  /** By how much its pictures are turned clockwise. */
  readonly rotation: Rotation;
  readonly clock: Clock;
  readonly meter: StageMeter;
  readonly tell: (news: RecorderNews) => void;
  readonly log: Pick<CameraLog, 'failed'>;
}

interface Current {
  readonly number: number;
  readonly plan: RecordingPlan;
  /** Monotonic milliseconds. */
  readonly beganAtMs: number;
}

/** So much after the last motion is recorded, too. */
const postRollMs = 10_000;
const segmentMs = 10_000;
/** A picture is recorded a moment after it came: the first of a segment may be that much older than the segment. */
const earliestStillMs = 250;
/** About 25 s of a camera with 10 Mbit/s: a disk that blocks for longer costs a gap. */
const maxQueuedBytes = 32 * 1024 * 1024;
/** The pause after a failed write. R-08 allows 5 s from when there is room again, the wait for a key frame included. */
const retryAfterMs = 1_000;

export class Recorder implements StreamSink, AsyncDisposable {
  readonly #options: RecorderOptions;
  readonly #time: RecordedTime;
  readonly #queue: SegmentQueue;
  #plan: RecordingPlan | null = null;
  #stream: Stream | null = null;
  #codec = '';
  #shows: () => string = () => ofMain;
  /** The segment that pictures are added to now. */
  #current: Current | null = null;
  #retryAtMs = -Infinity;
  readonly #preRoll = new PreRoll();
  readonly #marks: MotionMarks;
  /** The still of the current segment. */
  #still: Still | null = null;
  /** The end of the post-roll: something moved less than `postRollMs` before. */
  #movesUntilMs = -Infinity;
  /** Whether it was reported that nothing is recorded because nothing moves. */
  #isIdle = false;

  constructor(options: RecorderOptions) {
    const { clock, cameraId, rotation, meter, tell, log } = options;
    this.#options = options;
    this.#marks = new MotionMarks(rotation);
    this.#time = new RecordedTime(clock);
    this.#queue = new SegmentQueue({
      cameraId,
      clock,
      meter,
      tell,
      log,
      failed: (number) => this.#failed(number),
    });
  }

  /** Whether anything is to be recorded. */
  get isWanted(): boolean {
    return this.#plan !== null;
  }

  /** Whether `compared` must be called: the camera is recorded on motion. */
  get asksForMotion(): boolean {
    return this.#plan?.type === 'motion';
  }

  /** As `Compared` says. Motion starts the recording of a camera that waits for it, beginning with its pre-roll. */
  compared(moved: Cells | null, isOfMain = true): void {
    const nowMs = this.#options.clock.monotonicMs();
    this.#marks.compared(moved, nowMs, isOfMain);
    if (!moved) return;
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

  /** The number of the segment that has no still yet; null: none is wanted. */
  get stillWanted(): number | null {
    return this.#current && !this.#still ? this.#current.number : null;
  }

  /**
   * A small picture of the camera, `agoMs` old; one from before its segment began is refused. `shows`: of which stream it
   * is (`protocol/stream-pair.ts`).
   */
  takeStill(number: number, jpeg: Buffer, agoMs: number, shows: string): void {
    if (!this.#current || this.stillWanted !== number) return;
    const atMs = this.#options.clock.monotonicMs() - agoMs - this.#current.beganAtMs;
    if (atMs > -earliestStillMs) this.#still = { atMs: Math.max(0, Math.round(atMs)), jpeg, shows };
  }

  /** Null: nothing is to be recorded. The same plan once more reports again which segment is open. */
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
    // Another plan takes effect at the next key frame, without a gap.
    if (plan) return;
    this.#close();
    this.#queue.forgetGap();
  }

  /** FFmpeg's name of the codec of the streams that follow, and what they show (`protocol/stream-pair.ts`). */
  setCodec(codec: string, shows: () => string = () => ofMain): void {
    this.#codec = codec;
    this.#shows = shows;
  }

  begin(init: Init): void {
    this.#close();
    this.#preRoll.clear();
    const [codec, shows] = [this.#codec, this.#shows];
    this.#stream = { id: uuidv7(this.#options.clock.now()), init, codec, shows };
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
    else if (!isFull && key && this.#isDue(this.#plan))
      this.#beginSegment(this.#plan, this.#stream);
    if (!this.#current) return;
    this.#time.touch();
    this.#queue.add({ body, key, at });
  }

  /** The stream is over; `interrupt` says why. */
  end(): void {
    this.#stream = null;
    this.#preRoll.clear();
    this.#close();
  }

  /** Nothing can be recorded, for this cause. A gap keeps its first cause. */
  interrupt(cause: GapCause): void {
    if (!this.#plan) return;
    this.#close();
    this.#isIdle = false;
    this.#queue.interrupt(this.#options.clock.now(), cause);
  }

  /** Resolves when everything pushed is written, or has failed. */
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

  #beginSegment(plan: RecordingPlan, stream: Stream): void {
    let startedAtMs: number;
    if (this.#current) {
      const boundary = this.#time.boundary();
      ({ startedAtMs } = boundary);
      this.#queue.close(boundary.endedAtMs, this.#takeTail(this.#current));
      if (startedAtMs > boundary.endedAtMs) this.#queue.interrupt(boundary.endedAtMs, 'clock');
    } else startedAtMs = this.#time.resume();
    const number = this.#queue.open(plan, stream, startedAtMs);
    this.#current = { number, plan, beganAtMs: this.#options.clock.monotonicMs() };
  }

  #close(): void {
    if (!this.#current) return;
    const tail = this.#takeTail(this.#current);
    this.#current = null;
    this.#queue.close(null, tail);
  }

  #takeTail({ beganAtMs }: Current): SegmentTail {
    const marks = this.#marks.take(beganAtMs, this.#options.clock.monotonicMs());
    const still = this.#still;
    this.#still = null;
    return { motion: marks?.motion ?? null, grid: marks?.grid ?? null, still };
  }

  #failed(number: number): void {
    if (this.#current?.number === number) {
      this.#current = null;
      this.#still = null;
    }
    this.#retryAtMs = this.#options.clock.monotonicMs() + retryAfterMs;
  }
}
