/**
 * The queue of one camera's disk jobs, done one after the other: opens, writes, closes and reports segments. A job that
 * fails ends its segment with what is complete, begins a gap with the cause `disk` and says in the log why; the next
 * segment tries again.
 */
import { join } from 'node:path';
import type { GapCause } from '@nazar/contract/recordings.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { OpenedSegment, RecorderNews, RecordingPlan } from '../../protocol/messages.ts';
import { encodeGrid } from '../../protocol/motion-grid.ts';
import type { Init } from '../../mp4/remuxer.ts';
import { headBox, segmentPath, tailOf } from '../../mp4/segment-file.ts';
import type { StageMeter } from '../stage-meter.ts';
import type { CameraLog } from '../camera-log.ts';
import { SegmentWriter, type Picture } from './segment-writer.ts';
import type { SegmentHead, SegmentTail } from '../../protocol/segments.ts';

/** Pictures that share an initialisation segment. */
export interface Stream {
  readonly id: string;
  readonly init: Init;
  readonly codec: string;
  /** What its pictures show now (`protocol/stream-pair.ts`). */
  readonly shows: () => string;
}

export interface SegmentQueueOptions {
  readonly cameraId: string;
  readonly clock: Clock;
  readonly meter: StageMeter;
  readonly tell: (news: RecorderNews) => void;
  readonly log: Pick<CameraLog, 'failed'>;
  /** The segment with that number could not be written, and is closed. */
  readonly failed: (number: number) => void;
}

interface Open {
  readonly number: number;
  readonly segment: OpenedSegment;
  readonly writer: SegmentWriter;
}

/** The tail of a segment that could not be written to its end. */
const nothingKnown: SegmentTail = { motion: null, grid: null, still: null };

type Job = () => Promise<void> | void;

/**
 * Pictures of so long are written together: ten writes a second instead of one for each picture. A process that is
 * killed loses these at most, out of the quarter of a second that it may lose.
 */
const gatherMs = 100;

export class SegmentQueue {
  readonly #options: SegmentQueueOptions;
  readonly #jobs: Job[] = [];
  /** Pictures that are not in a job yet. */
  #pictures: Picture[] = [];
  #isGathering = false;
  #queuedBytes = 0;
  #working: Promise<void> | null = null;
  #open: Open | null = null;
  #opened = 0;
  /** When the last segment ended; null before the first. */
  #untilMs: number | null = null;
  #gap: SegmentHead['gap'] = null;

  constructor(options: SegmentQueueOptions) {
    this.#options = options;
  }

  /** Bytes that were added and are not written yet. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Opens the next segment and returns its number. */
  open(plan: RecordingPlan, stream: Stream, startedAtMs: number): number {
    const number = (this.#opened += 1);
    const shows = stream.shows();
    this.#do(() => this.#begin(number, plan, { ...stream, shows }, startedAtMs));
    return number;
  }

  /** Pictures that wait at the same time are written together: a disk that was slow for a moment catches up at once. */
  add(picture: Picture): void {
    this.#queuedBytes += picture.body.length;
    this.#pictures.push(picture);
    if (!this.#working) void this.#gather();
  }

  /** `endedAtMs` null: it ends with its last picture. */
  close(endedAtMs: number | null, tail: SegmentTail): void {
    this.#do(() => this.#finish(endedAtMs, tail));
  }

  /** `atMs`: when it was noticed, for a camera without recordings. */
  interrupt(atMs: number, cause: GapCause): void {
    this.#do(() => this.#beginGap(atMs, cause));
  }

  /** The next segment follows a pause that was wanted. */
  forgetGap(): void {
    this.#do(() => {
      this.#gap = null;
      this.#untilMs = null;
    });
  }

  /** Reports the open segment again, for a server that started later. */
  repeat(): void {
    this.#do(() => {
      if (this.#open) this.#options.tell({ kind: 'opened', segment: this.#open.segment });
      else if (this.#gap) this.#tellGap(this.#gap);
    });
  }

  async settled(): Promise<void> {
    do {
      this.#flush();
      await this.#working;
    } while (this.#working || this.#pictures.length > 0);
  }

  /** Queues a job after all pictures so far; later pictures are written after it. */
  #do(job: Job): void {
    this.#flush();
    this.#enqueue(job);
  }

  async #gather(): Promise<void> {
    if (this.#isGathering) return;
    this.#isGathering = true;
    await this.#options.clock.wait(gatherMs);
    this.#isGathering = false;
    this.#flush();
  }

  #flush(): void {
    if (this.#pictures.length === 0) return;
    const batch = this.#pictures;
    this.#pictures = [];
    this.#enqueue(() => this.#write(batch));
  }

  #enqueue(job: Job): void {
    this.#jobs.push(job);
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) await job();
    this.#working = null;
    // Pictures may have come meanwhile.
    if (this.#pictures.length > 0) void this.#gather();
  }

  async #begin(
    number: number,
    plan: RecordingPlan,
    stream: Omit<Stream, 'shows'> & { readonly shows: string },
    startedAtMs: number,
  ): Promise<void> {
    const { clock, cameraId, tell } = this.#options;
    const { mime, width, height, body } = stream.init;
    const head: SegmentHead = {
      id: uuidv7(clock.now()),
      cameraId,
      type: plan.type,
      startedAtMs,
      codec: stream.codec,
      mime,
      width,
      height,
      stream: stream.id,
      shows: stream.shows,
      gap: this.#gap,
    };
    const segment = { ...head, file: join(plan.folder, segmentPath(head)) };
    const start = Buffer.concat([body, headBox(head)]);
    try {
      const writer = await SegmentWriter.open(segment.file, start, clock);
      this.#open = { number, segment, writer };
      this.#gap = null;
      tell({ kind: 'opened', segment });
    } catch (error) {
      this.#fail(number, startedAtMs, error);
    }
  }

  async #write(batch: readonly Picture[]): Promise<void> {
    for (const { body } of batch) this.#queuedBytes -= body.length;
    if (!this.#open) return;
    const { writer } = this.#open;
    try {
      await this.#options.meter.time('record', () => writer.write(batch));
    } catch (error) {
      const { number, segment } = this.#open;
      await this.#finish(null, nothingKnown);
      this.#fail(number, segment.startedAtMs, error);
    }
  }

  async #finish(endedAtMs: number | null, tail: SegmentTail): Promise<void> {
    const open = this.#open;
    if (!open) return;
    this.#open = null;
    const { number, segment } = open;
    const { id, startedAtMs } = segment;
    try {
      const written = await open.writer.close(tailOf(tail));
      if (!written) return;
      const { durationMs, ...contents } = written;
      this.#untilMs = endedAtMs ?? startedAtMs + durationMs;
      const { motion, still } = tail;
      const grid = tail.grid && encodeGrid(tail.grid).toString('base64');
      const mark = still && { atMs: still.atMs, bytes: still.jpeg.length, shows: still.shows };
      const closed = { id, endedAtMs: this.#untilMs, motion, grid, still: mark, ...contents };
      this.#options.tell({ kind: 'closed', segment: closed });
    } catch (error) {
      // Its end may not be on the disk: the repair of recordings closes the file.
      this.#fail(number, startedAtMs, error);
    }
  }

  #fail(number: number, atMs: number, error: unknown): void {
    this.#options.log.failed('a segment was not written', error);
    this.#beginGap(atMs, 'disk');
    this.#options.failed(number);
  }

  #beginGap(atMs: number, cause: GapCause): void {
    const before = this.#gap;
    if (before?.cause === cause || (before && !mayFollow(before.cause, cause))) return;
    // `restart` is replaced as soon as the real cause is known.
    const startedAtMs = before?.cause === 'restart' ? before.startedAtMs : atMs;
    this.#gap = { startedAtMs: before ? startedAtMs : (this.#untilMs ?? atMs), cause };
    this.#tellGap(this.#gap);
  }

  #tellGap({ startedAtMs, cause }: NonNullable<SegmentHead['gap']>): void {
    this.#options.tell({ kind: 'interrupted', startedAtMs, cause });
  }
}

/** The first of two causes counts, unless it was none of its own, or the disk fails once the camera is back. */
function mayFollow(known: GapCause, cause: GapCause): boolean {
  return ['restart', 'no_motion'].includes(known) || ['no_motion', 'disk'].includes(cause);
}
