/**
 * Makes the films that were asked for, one after the other: a media worker copies them out of the recorded files, here
 * they get their proof. What an earlier run of the server was at begins anew; a worker that dies over a film is given
 * two more tries. A film is removed a day after it was made.
 */
import { existsSync } from 'node:fs';
import { appendFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyObject } from 'node:crypto';
import type { ExportFault } from '@nazar/contract/exports.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { syncFolder } from '#lib/sync-folder.ts';
import type { FilmAnswer, MediaWorkers, SourceFile } from '#media/media.ts';
import type { PlaybackStore, PlayedSegment } from '../playback/playback-store.ts';
import {
  exportsFolder,
  floorBytes,
  isPresent,
  spaceOf,
  type RootRow,
  type Roots,
  type Space,
} from '../roots.ts';
import type { Gap, TimelineStore } from '../timeline-store.ts';
import type { ExportRow, ExportStore, ListedExport } from './export-store.ts';
import { proofBox, publicKeyText, type Manifest } from './proof.ts';

export interface RunnerOptions {
  readonly store: ExportStore;
  readonly segments: Pick<PlaybackStore, 'segments'>;
  readonly timeline: Pick<TimelineStore, 'gaps'>;
  readonly roots: Pick<Roots, 'named' | 'pathOf' | 'all'>;
  readonly workers: MediaWorkers;
  readonly keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
  readonly clock: Clock;
  readonly log: Log;
  /** Tests bring disks of a size of their own. */
  readonly space?: (root: RootRow) => Space | null;
}

type Film = Extract<FilmAnswer, { fault: null }>;

const keptMs = 24 * 60 * 60_000;
const lookEveryMs = 60_000;
const retryMs = 1_000;
const maxAttempts = 3;
/** A day of a camera is 32 GB. */
const filmTimeoutMs = 60 * 60_000;

/** Why there will be no film. */
class Failed extends Error {
  readonly fault: ExportFault;
  constructor(fault: ExportFault) {
    super(fault);
    this.fault = fault;
  }
}

export class ExportRunner implements AsyncDisposable {
  readonly #options: RunnerOptions;
  readonly #stop = new AbortController();
  #pause = new AbortController();
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>();
  #running: Promise<void> = Promise.resolve();

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Something waits. */
  wake(): void {
    this.#pause.abort();
  }

  /** Resolves when that film is made, failed or is gone. */
  finished(id: string): Promise<void> {
    const waiting = this.#waiting.get(id) ?? Promise.withResolvers<void>();
    this.#waiting.set(id, waiting);
    return waiting.promise;
  }

  /** Its file, whole or half, goes: whoever writes it stops. */
  async discard({ id, root_id }: Pick<ExportRow, 'id' | 'root_id'>): Promise<void> {
    const root = root_id === null ? null : this.#options.roots.pathOf(root_id);
    if (root === null) return;
    for (const path of [partOf(root, id), fileOf(root, id)]) await rm(path, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#pause.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { store, log } = this.#options;
    const { signal } = this.#stop;
    const begin = async (): Promise<void> => {
      await store.requeue();
      await this.#sweep();
    };
    await this.#insist(begin);
    while (!signal.aborted) {
      this.#pause = new AbortController();
      const worked = await this.#work().catch((error: unknown) => {
        log.error({ err: error }, 'exports could not be made');
        return false;
      });
      if (!worked && !signal.aborted) await this.#wait(lookEveryMs);
    }
    for (const { resolve } of this.#waiting.values()) resolve();
  }

  async #insist(work: () => Promise<void>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        return await work();
      } catch (error) {
        this.#options.log.warn({ err: error }, 'exports could not be looked at');
      }
      await this.#wait(retryMs);
    }
  }

  async #wait(ms: number): Promise<void> {
    await this.#options.clock.wait(ms, this.#pause.signal).catch(() => undefined);
  }

  /** False when nothing waits. */
  async #work(): Promise<boolean> {
    const { store, clock } = this.#options;
    for (const old of await store.expired(new Date(clock.now()))) await this.discard(old);
    const job = await store.next();
    if (!job) return false;
    await this.#make(job);
    this.#waiting.get(job.id)?.resolve();
    this.#waiting.delete(job.id);
    return true;
  }

  async #make(job: ListedExport): Promise<void> {
    const { store, log, clock } = this.#options;
    try {
      const made = await this.#film(job);
      const expires_at = new Date(clock.now() + keptMs);
      const isWanted =
        made !== null && (await store.update(job.id, { status: 'done', expires_at, ...made }));
      if (!isWanted) await this.discard({ ...job, root_id: made?.root_id ?? null });
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      const fault = error instanceof Failed ? error.fault : 'interrupted';
      log.warn({ err: error, export: job.id, fault }, 'an export was not made');
      const isOver = error instanceof Failed || job.attempts >= maxAttempts;
      await store.update(
        job.id,
        isOver
          ? { status: 'failed', fault, expires_at: new Date(clock.now() + keptMs) }
          : { status: 'waiting' },
      );
    }
  }

  /** Null: somebody cancelled it. */
  async #film(job: ListedExport) {
    const { store, segments: played, workers } = this.#options;
    const segments = await played.segments(job.camera_id, job.from_at, job.until_at);
    const sources = segments.map((segment) => this.#sourceOf(segment));
    if (sources.length === 0) throw new Failed('nothing_recorded');
    const expected = segments.reduce((sum, { bytes }) => sum + bytes, 0);
    const root = this.#rootFor(expected);
    await mkdir(join(root.path, exportsFolder), { recursive: true, mode: 0o700 });
    const target = partOf(root.path, job.id);
    await rm(target, { force: true });
    const isWanted = await store.update(job.id, { root_id: root.id, expected_bytes: expected });
    if (!isWanted) return null;
    const range = { fromMs: job.from_at.getTime(), untilMs: job.until_at.getTime() };
    const { head: film } = await workers.ask<FilmAnswer>(
      { kind: 'film', target, ...range },
      filmTimeoutMs,
      Buffer.from(JSON.stringify(sources)),
    );
    if (film.fault === 'cancelled') return null;
    if (film.fault !== null) throw new Failed(film.fault);
    return await this.#prove(job, root, film, segments);
  }

  /** Its proof behind it, on the disk for good, and under its name. */
  async #prove(job: ListedExport, root: RootRow, film: Film, segments: readonly PlayedSegment[]) {
    const { workers, keys } = this.#options;
    const manifest = await this.#manifestOf(job, film, segments);
    const proof = proofBox(manifest, keys.privateKey);
    const part = partOf(root.path, job.id);
    if (!existsSync(part)) return null;
    await appendFile(part, proof);
    await syncFile(part);
    const { head } = await workers.ask<{ sha256: string }>(
      { kind: 'hash', file: part },
      filmTimeoutMs,
    );
    await rename(part, fileOf(root.path, job.id));
    syncFolder(join(root.path, exportsFolder));
    const sha256 = Buffer.from(head.sha256, 'hex');
    return { root_id: root.id, bytes: film.bytes + proof.length, sha256, seconds: film.seconds };
  }

  async #manifestOf(
    job: ListedExport,
    film: Film,
    segments: readonly PlayedSegment[],
  ): Promise<Manifest> {
    const { timeline, keys, clock } = this.#options;
    const period = { from: job.from_at, until: job.until_at, resolutionMs: 0 };
    const gaps = await timeline.gaps([job.camera_id], period);
    return {
      version: 1,
      export: job.id,
      camera: { id: job.camera_id, name: job.camera_name },
      from: job.from_at.toISOString(),
      until: job.until_at.toISOString(),
      exported_at: new Date(clock.now()).toISOString(),
      exported_by: job.created_by,
      bytes: film.bytes,
      sha256: film.sha256,
      pieces: film.pieces.map(({ fromMs, untilMs, atSeconds }) => ({
        from: new Date(fromMs).toISOString(),
        until: new Date(untilMs).toISOString(),
        at_seconds: Math.round(atSeconds * 1_000) / 1_000,
      })),
      gaps: gaps.map((gap) => within(gap, job)),
      sources: segments.map(({ id, started_at, ended_at, sha256 }) => ({
        id,
        from: started_at.toISOString(),
        until: ended_at.toISOString(),
        sha256: sha256.toString('hex'),
      })),
      public_key: publicKeyText(keys.publicKey),
    };
  }

  #sourceOf(segment: PlayedSegment): SourceFile {
    const root = this.#options.roots.pathOf(segment.root_id);
    if (root === null) throw new Failed('disk_away');
    return {
      id: segment.id,
      file: join(root, segment.path),
      headBytes: segment.head_bytes,
      startedAtMs: segment.started_at.getTime(),
      endedAtMs: segment.ended_at.getTime(),
      stream: segment.stream_id,
      sha256: segment.sha256.toString('hex'),
    };
  }

  /** The first with room for it; what else lives there must not die of it. */
  #rootFor(bytes: number): RootRow {
    const { roots, space = spaceOf } = this.#options;
    const present = roots.named.filter(isPresent);
    if (present.length === 0) throw new Failed('disk_away');
    const roomy = present.find((root) => {
      const now = space(root);
      return now !== null && now.freeBytes - bytes > floorBytes(now.totalBytes);
    });
    if (!roomy) throw new Failed('disk_full');
    return roomy;
  }

  /** Files that a crash left, or whose account or camera is gone. */
  async #sweep(): Promise<void> {
    const { roots, store } = this.#options;
    for (const root of roots.all.filter(isPresent)) {
      const folder = join(root.path, exportsFolder);
      const names = existsSync(folder) ? await readdir(folder) : [];
      const done = names.filter((name) => name.endsWith('.mp4'));
      const known = await store.known(done.map((name) => name.slice(0, -'.mp4'.length)));
      for (const name of names) {
        if (!known.has(name.slice(0, -'.mp4'.length))) await rm(join(folder, name));
      }
    }
  }
}

export const fileOf = (root: string, id: string): string => join(root, exportsFolder, `${id}.mp4`);
/** While it is made. */
export const partOf = (root: string, id: string): string => join(root, exportsFolder, `${id}.part`);

/** As much of a gap as lies in the time that was asked for. */
function within(gap: Gap, { from_at, until_at }: Pick<ExportRow, 'from_at' | 'until_at'>) {
  const from = gap.started_at > from_at ? gap.started_at : from_at;
  const until = gap.ended_at === null || gap.ended_at > until_at ? until_at : gap.ended_at;
  return { from: from.toISOString(), until: until.toISOString(), cause: gap.cause };
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
