/**
 * Turns the hosts' reports into rows of the index: segments, the recordings they make, and gaps with their causes.
 * The reports of one camera are handled one after the other, in their order. A write that fails is repeated until it
 * succeeds: the database comes back, and recording did not wait for it.
 */
import type { GapCause } from '@nazar/contract/recordings.ts';
import type { Clock } from '#lib/clock.ts';
import { isOfDisk } from '#lib/folder/folder-process.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { Log } from '#lib/log.ts';
import type { Tx } from '#db/database.ts';
import type { RecordedNews } from '#media/media.ts';
import type { ClosedSegment, OpenedSegment } from '#media/protocol/messages.ts';
import type { SegmentContents } from '#media/mp4/segment-contents.ts';
import type { SegmentHead } from '#media/protocol/segments.ts';
import { Gaps } from './gaps.ts';
import type { Completion, IndexStore, SegmentRow } from './index-store.ts';
import type { Place, RootRow, Roots } from '../roots.ts';
import { goesOn } from './runs.ts';
import { completionOf, rowOf } from './segment-rows.ts';
import { repairFile } from './segment-repair.ts';

export interface SegmentIndexerOptions {
  readonly store: IndexStore;
  readonly roots: Pick<Roots, 'placeOf' | 'presentRoot' | 'isPresent' | 'filesOf'>;
  /** Whether the camera is to be recorded now. */
  readonly isWanted: (cameraId: string) => boolean;
  /** Called once another recording of the camera is in the index. */
  readonly began: (cameraId: string) => void;
  readonly clock: Clock;
  readonly log: Log;
}

const retryMs = 1_000;

export class SegmentIndexer implements AsyncDisposable {
  readonly #options: SegmentIndexerOptions;
  readonly #gaps: Gaps;
  /** By camera: the last piece of work in progress. */
  readonly #work = new Map<string, Promise<unknown>>();
  /** By camera: the segment that a living host writes now. */
  readonly #writing = new Map<string, string>();
  /** Cameras of which nothing is recorded although it is wanted, and why. */
  readonly #interrupted = new Map<string, GapCause>();
  readonly #stop = new AbortController();

  constructor(options: SegmentIndexerOptions) {
    this.#options = options;
    this.#gaps = new Gaps(options.store, options.clock);
  }

  isWriting(cameraId: string): boolean {
    return this.#writing.has(cameraId);
  }

  /** Why recording it was tried and does not work; null: it is not known not to. */
  interruptedBy(cameraId: string): GapCause | null {
    return this.#interrupted.get(cameraId) ?? null;
  }

  isOpenAtHost(segmentId: string): boolean {
    return [...this.#writing.values()].includes(segmentId);
  }

  received({ cameraId, news }: RecordedNews): void {
    switch (news.kind) {
      case 'opened':
        this.#writing.set(cameraId, news.segment.id);
        this.#interrupted.delete(cameraId);
        this.#do(cameraId, () => this.#opened(news.segment));
        break;
      case 'closed':
        if (this.#writing.get(cameraId) === news.segment.id) this.#writing.delete(cameraId);
        this.#do(cameraId, () => this.#closed(cameraId, news.segment));
        break;
      case 'interrupted':
        this.#interrupted.set(cameraId, news.cause);
        this.#do(cameraId, () => this.interrupted(cameraId, news.startedAtMs, news.cause));
        break;
      case 'gone':
        this.#writing.delete(cameraId);
        this.#interrupted.set(cameraId, 'restart');
        this.#do(cameraId, () => this.#gone(cameraId));
        break;
    }
  }

  /** The camera is no longer to be recorded. A segment that is still being written ends by itself. */
  switchedOff(cameraId: string): void {
    this.#interrupted.delete(cameraId);
    if (this.isWriting(cameraId)) return;
    const { store, clock } = this.#options;
    const nowMs = clock.now();
    this.#do(cameraId, () =>
      store.transaction((tx) => this.#gaps.turn(tx, cameraId, nowMs, 'switched_off')),
    );
  }

  /** Repairs the file of a segment that no host writes any more and completes its row; without a file the row goes. */
  async repair(row: SegmentRow): Promise<void> {
    const { roots, log } = this.#options;
    const root = await roots.presentRoot(row.root_id);
    // A disk that is away brings its files back with it; the scan after that repairs them.
    if (root === null) return;
    const contents = await this.#repaired(root, row);
    if (contents === 'unknown') return;
    if (!contents) {
      if (!(await roots.isPresent(root))) return;
      log.warn({ camera: row.camera_id, segment: row.id }, 'a segment held no whole picture');
      await this.#forget(row);
      return;
    }
    const endedAtMs = row.started_at.getTime() + contents.durationMs;
    await this.#complete(row.camera_id, row.id, completionOf({ ...contents, endedAtMs }));
  }

  /** `unknown`: its disk fails or hangs, and the reports that wait behind this one are of other segments. */
  async #repaired(root: RootRow, row: SegmentRow): Promise<SegmentContents | 'unknown' | null> {
    const { roots, log } = this.#options;
    try {
      return await repairFile(roots.filesOf(root), root, row.path);
    } catch (error) {
      if (!isOfDisk(error)) throw error;
      log.warn({ err: error, segment: row.id }, 'a segment could not be repaired yet');
      return 'unknown';
    }
  }

  /** The file is gone: its row goes too, and its time is marked as missing. */
  async lost(row: SegmentRow): Promise<void> {
    await this.#forget(row, async (tx) => {
      if (row.ended_at === null || row.ended_at <= row.started_at) return;
      await this.#gaps.add(tx, row.camera_id, row.started_at, row.ended_at, 'lost');
    });
  }

  /**
   * Adds a segment and, once it is complete, what follows from its end; its time is removed from the gaps it lies in.
   */
  async add(
    segment: SegmentHead,
    { rootId, path }: Place,
    completion: Completion | null,
  ): Promise<void> {
    const { store, began } = this.#options;
    const startedAt = new Date(segment.startedAtMs);
    const isAnother = await store.transaction(async (tx) => {
      const recordedUntil = await store.recordedUntil(tx, segment.cameraId, startedAt);
      const known = await this.#continued(tx, segment);
      const recordingId = known ?? (await this.#begin(tx, segment));
      const row = rowOf(segment, { rootId, path }, recordingId);
      const ended = completion && {
        ...completion.columns,
        ended_at: await store.endBefore(tx, row, completion.columns.ended_at),
      };
      const complete = { ...row, ...ended };
      const isNew = await store.addSegment(tx, complete, completion?.moved ?? null);
      if (!isNew) return false;
      await store.endBy(tx, segment.cameraId, startedAt);
      await this.#gaps.explain(tx, segment, recordedUntil, ended?.ended_at ?? null);
      return known === null;
    });
    if (isAnother) began(segment.cameraId);
  }

  /** Nothing of that camera is recorded from then on. */
  async interrupted(cameraId: string, atMs: number, cause: GapCause): Promise<void> {
    const { store, isWanted } = this.#options;
    const why = isWanted(cameraId) ? cause : 'switched_off';
    await store.transaction((tx) => this.#gaps.begin(tx, cameraId, atMs, why));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#work.values());
  }

  /** Resolves when all reports up to now are in the index. */
  async settled(): Promise<void> {
    await Promise.all(this.#work.values());
  }

  #do(cameraId: string, work: () => Promise<void>): void {
    const before = this.#work.get(cameraId) ?? Promise.resolve();
    const done = before.then(() => this.#untilDone(cameraId, work));
    this.#work.set(cameraId, done);
  }

  async #untilDone(cameraId: string, work: () => Promise<void>): Promise<void> {
    const { clock, log } = this.#options;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        log.warn({ err: error, camera: cameraId }, 'the index of recordings could not be written');
      }
      await clock.wait(retryMs, this.#stop.signal).catch(() => undefined);
      // The file has the same data; the next start finds it.
      if (this.#stop.signal.aborted) return;
    }
  }

  async #opened(segment: OpenedSegment): Promise<void> {
    const { store, roots, log } = this.#options;
    const place = roots.placeOf(segment.file);
    if (!place) {
      log.error({ camera: segment.cameraId }, 'a segment lies in no folder of ours');
      return;
    }
    for (const row of await store.openSegments(segment.cameraId)) {
      if (row.id !== segment.id) await this.repair(row);
    }
    await this.add(segment, place, null);
  }

  async #closed(cameraId: string, segment: ClosedSegment): Promise<void> {
    const isThere = await this.#complete(cameraId, segment.id, completionOf(segment));
    if (isThere && !this.#options.isWanted(cameraId)) {
      await this.interrupted(cameraId, segment.endedAtMs, 'switched_off');
    }
  }

  async #gone(cameraId: string): Promise<void> {
    const { store, clock } = this.#options;
    const open = await store.openSegments(cameraId);
    for (const row of open) await this.repair(row);
    if (open.length > 0) await this.interrupted(cameraId, clock.now(), 'restart');
  }

  /** False when it does not exist, or is complete already. */
  #complete(cameraId: string, id: string, completion: Completion): Promise<boolean> {
    const { store } = this.#options;
    return store.transaction(async (tx) => {
      const done = await store.complete(tx, id, completion);
      if (done) await this.#gaps.carve(tx, cameraId, done.started_at, done.ended_at, null);
      return done !== null;
    });
  }

  async #forget(row: SegmentRow, also: (tx: Tx) => Promise<void> = async () => undefined) {
    const { store } = this.#options;
    await store.transaction(async (tx) => {
      await store.removeSegment(tx, row.id);
      await store.removeEmpty(tx, [row.recording_id]);
      await also(tx);
    });
  }

  async #continued(tx: Tx, { cameraId, type, startedAtMs }: SegmentHead): Promise<string | null> {
    const last = await this.#options.store.lastRecording(tx, cameraId, new Date(startedAtMs));
    if (!last) return null;
    const run = {
      type: last.type,
      startedAtMs: last.started_at.getTime(),
      endedAtMs: last.ended_at.getTime(),
    };
    return goesOn(run, type, startedAtMs) ? last.id : null;
  }

  async #begin(tx: Tx, { cameraId, type, startedAtMs }: SegmentHead): Promise<string> {
    const { store, clock } = this.#options;
    const id = uuidv7(clock.now());
    const started_at = new Date(startedAtMs);
    await store.addRecording(tx, { id, camera_id: cameraId, type, started_at });
    return id;
  }
}
